package demo

import (
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/network"
)

// books proves conservation twice: the network adds up its accounts, and an
// auditor who trusts nobody replays the journal from entry 0.
func (s *story) books() {
	b := ok(s.nobody.Conservation(s.ctx))
	s.say("issuance %s, treasury %s, wallets %s, sponsors %s, contracts %s, escrow %s", b.Issued, b.Treasury, b.Wallets, b.Sponsors, b.Contracts, b.Escrow)
	expect("sum of all accounts", b.Sum, 0)
	s.say("the sum of all %d accounts is %s", b.Accounts, b.Sum)
	folders := ok(s.w.folders())
	var first string // state of the first folder
	for i, dir := range folders {
		a := s.auditFolder(dir)
		expect("the auditor's books", a.Books, b)
		if i == 0 {
			first = fmt.Sprint(a.StateSHA256)
		}
		expect("the state in "+dir, fmt.Sprint(a.StateSHA256), first)
		s.say("replayed %d entries from the file: every chain holds, the same balances, state sha256 %.16s…", a.Entries, a.StateSHA256)
	}
	if len(folders) > 1 {
		s.say("the folders of all %d servers have the same balances", len(folders))
	}
}

// auditFolder replays the journal of a folder from entry 0.
func (s *story) auditFolder(dir string) netkit.Audited {
	journal := ok(sqlite.Open(s.ctx, sqlite.Config{Dir: dir, ReadOnly: true}))
	defer journal.Close()
	return ok(network.Audit(s.ctx, journal))
}
