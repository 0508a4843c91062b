package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// Previewed returns the postings of an entry that is not in the journal.
func (e *Entry) Previewed() []netkit.PreviewPosting {
	all := make([]netkit.PreviewPosting, 0, len(e.Postings))
	for _, p := range e.Postings {
		account := p.Account.String()
		if p.Account == netkit.Escrow(e.Seq) {
			account = netkit.NewEscrow
		}
		all = append(all, netkit.PreviewPosting{Account: account, Amount: p.Amount, After: p.After})
	}
	return all
}
