package export

import (
	"fmt"
	"io"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// hledger writes a journal for hledger: a transaction an entry that moves
// credits, each posting with the balance that the entry says it leaves, so that
// hledger's own check proves sums and balances alike.
type hledger struct {
	w     io.Writer
	known map[netkit.Account]bool
}

func (h *hledger) begin(network string) error {
	_, err := fmt.Fprintf(h.w, "; Ledger of the network %s. Dates are UTC. Check it with: hledger check --strict -f FILE\n"+
		"; Entries that move no credits are left out; each transaction names its entry.\n\ncommodity 1000.00 CREDIT", network)
	return err
}

func (h *hledger) add(e entry) error {
	if len(e.Postings) == 0 {
		return nil
	}
	if err := h.declare(e.Postings); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(h.w, "\n\n%s * (%d) %s by %s  ; at:%s", e.At.Day(), e.Seq, e.Kind, e.Actor, e.At); err != nil {
		return err
	}
	for _, p := range e.Postings {
		if _, err := fmt.Fprintf(h.w, "\n    %-46s  %12s CREDIT = %12s CREDIT", p.Account, p.Amount, p.After); err != nil {
			return err
		}
	}
	return nil
}

// declare names accounts before their first posting, as a strict check wants.
func (h *hledger) declare(postings []rules.Posting) error {
	for _, p := range postings {
		if h.known[p.Account] {
			continue
		}
		h.known[p.Account] = true
		if _, err := fmt.Fprintf(h.w, "\naccount %s", p.Account); err != nil {
			return err
		}
	}
	return nil
}

func (h *hledger) end() error {
	_, err := io.WriteString(h.w, "\n")
	return err
}
