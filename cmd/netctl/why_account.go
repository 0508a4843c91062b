package main

import (
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit"
)

// share is what one kind of entry did to an account.
type share struct {
	Kind    netkit.Kind    `json:"kind"`
	Entries int            `json:"entries"`
	In      netkit.Credits `json:"in"`
	Out     netkit.Credits `json:"out"`
	First   uint64         `json:"first" doc:"entry"`
	Last    uint64         `json:"last" doc:"entry"`
}

// composition is a balance with what made it.
type composition struct {
	Account netkit.Account         `json:"account"`
	Balance netkit.Credits         `json:"balance"`
	Kinds   []share                `json:"kinds" doc:"their sums are the balance"`
	Entries []netkit.StatementLine `json:"entries" doc:"newest first"`
	AsOf    netkit.AsOf            `json:"as_of"`
}

// whyAccount explains a balance: what each kind of entry added, and the latest
// postings. It adds the postings up by itself and says when they are not the
// balance.
func whyAccount(c *call, acc netkit.Account) error {
	b, err := c.net.Balance(c.ctx, acc)
	if err != nil {
		return err
	}
	out := composition{Account: acc, Balance: b.Balance, Kinds: []share{}, Entries: []netkit.StatementLine{}, AsOf: b.AsOf}
	var sum netkit.Credits
	for l, err := range c.net.AllStatement(c.ctx, acc, netkit.Page{Limit: 200}) {
		if err != nil {
			return err
		}
		if l.Seq > b.AsOf.Seq {
			continue // posted since
		}
		sum += l.Amount
		out.add(&l)
		if c.limit == 0 || len(out.Entries) < c.limit {
			out.Entries = append(out.Entries, l)
		}
	}
	if sum != b.Balance {
		return fmt.Errorf("%w: the postings on %s sum to %s, the network says %s", netkit.ErrCorrupt, acc, sum, b.Balance)
	}
	if !c.table() {
		return c.show(out, nil)
	}
	return out.print(c)
}

// add counts a line, of which earlier ones come later.
func (o *composition) add(l *netkit.StatementLine) {
	i := slices.IndexFunc(o.Kinds, func(s share) bool { return s.Kind == l.Kind })
	if i < 0 {
		i = len(o.Kinds)
		o.Kinds = append(o.Kinds, share{Kind: l.Kind, Last: l.Seq})
	}
	s := &o.Kinds[i]
	s.Entries, s.First = s.Entries+1, l.Seq
	s.In += max(l.Amount, 0)
	s.Out += min(l.Amount, 0)
}

func (o *composition) print(c *call) error {
	c.talk("%s holds %s as of entry %d on %s", o.Account, o.Balance, o.AsOf.Seq, o.AsOf.Date)
	err := rowsOut(c, o.Kinds,
		column[share]{"KIND", func(s share) string { return string(s.Kind) }},
		column[share]{"ENTRIES", func(s share) string { return fmt.Sprint(s.Entries) }},
		column[share]{"IN", func(s share) string { return s.In.String() }},
		column[share]{"OUT", func(s share) string { return s.Out.String() }},
		column[share]{"FIRST", func(s share) string { return fmt.Sprint(s.First) }},
		column[share]{"LAST", func(s share) string { return fmt.Sprint(s.Last) }})
	if err != nil || len(o.Entries) == 0 {
		return err
	}
	fmt.Fprintln(c.out)
	return rowsOut(c, o.Entries, statementColumns...)
}
