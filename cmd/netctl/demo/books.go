package demo

import (
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
	journal := ok(sqlite.Open(s.ctx, sqlite.Config{Dir: s.w.dir, ReadOnly: true}))
	defer journal.Close()
	a := ok(network.Audit(s.ctx, journal))
	expect("the auditor's treasury", a.Books.Treasury, b.Treasury)
	s.say("replayed %d entries from the file: every chain holds, the same balances, state sha256 %.16s…", a.Entries, a.StateSHA256)
}
