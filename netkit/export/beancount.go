package export

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// beancount writes a ledger for beancount: a transaction an entry that moves
// credits, and at the end what every account holds, which bean-check proves.
type beancount struct {
	w    io.Writer
	held map[netkit.Account]netkit.Credits
	last netkit.Day
}

func (b *beancount) begin(network string) error {
	_, err := fmt.Fprintf(b.w, "; Ledger of the network %s. Dates are UTC. Check it with: bean-check FILE\n"+
		"; Entries that move no credits are left out; each transaction names its entry.\n\n"+
		"option \"title\" \"%s\"\noption \"operating_currency\" \"CREDIT\"\n", network, network)
	return err
}

func (b *beancount) add(e entry) error {
	b.last = e.At.Day()
	if len(e.Postings) == 0 {
		return nil
	}
	for _, p := range e.Postings {
		if _, open := b.held[p.Account]; !open {
			if _, err := fmt.Fprintf(b.w, "%s open %s CREDIT\n", b.last, beanAccount(p.Account)); err != nil {
				return err
			}
		}
		b.held[p.Account] = p.After
	}
	if _, err := fmt.Fprintf(b.w, "\n%s * \"%s by %s\"\n  entry: %d\n  at: \"%s\"\n", b.last, e.Kind, e.Actor, e.Seq, e.At); err != nil {
		return err
	}
	for _, p := range e.Postings {
		if _, err := fmt.Fprintf(b.w, "  %-52s  %12s CREDIT\n", beanAccount(p.Account), p.Amount); err != nil {
			return err
		}
	}
	return nil
}

// end says what every account holds on the morning after the last entry.
func (b *beancount) end() error {
	accounts := slices.SortedFunc(maps.Keys(b.held), func(x, y netkit.Account) int { return strings.Compare(x.String(), y.String()) })
	for _, a := range accounts {
		if _, err := fmt.Fprintf(b.w, "%s balance %s  %s CREDIT\n", b.last+1, beanAccount(a), b.held[a]); err != nil {
			return err
		}
	}
	return nil
}

// beanAccount is an account's name as beancount wants it: of its five roots,
// with parts that begin with a capital or a digit. Slugs are of small letters,
// so that no two become one.
func beanAccount(a netkit.Account) string {
	kind, rest, _ := strings.Cut(a.String(), ":")
	name := "Assets:" + capital(kind)
	if a == netkit.Issuance {
		name = "Equity:Issuance"
	}
	if rest != "" {
		name += ":" + capital(rest)
	}
	return name
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
