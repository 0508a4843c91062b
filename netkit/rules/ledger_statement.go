package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// account returns the record of an account, or a refusal. Unlike balance it
// distinguishes a wallet from a sponsor's funds.
func (s *State) account(a netkit.Account) (Balance, error) {
	unknown := &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.AccountUnknown, Field: "account", What: "names no account of this network",
		Next: "use treasury, issuance, wallet:SLUG, sponsor:SLUG, contract:ID or escrow:ID"}
	switch a.Kind {
	case netkit.WalletAccount, netkit.SponsorAccount:
		_, p, ok := s.party(a.Slug)
		if !ok || (p.Kind == netkit.AgentParty) != (a.Kind == netkit.WalletAccount) || p.Kind == netkit.OperatorParty {
			return Balance{}, unknown
		}
	case netkit.EscrowAccount:
		unknown.What, unknown.Next = "names no attention request that is pending; an escrow account ends when it is settled",
			"the statement of the sender's and of the target's wallet shows both of its entries"
	}
	b := s.balance(a)
	if b == nil {
		return Balance{}, unknown
	}
	return *b, nil
}

// Opened returns the entry that opened a known account; 0 is genesis.
func (s *State) Opened(a netkit.Account) uint64 {
	switch a.Kind {
	case netkit.WalletAccount, netkit.SponsorAccount:
		if _, p, ok := s.party(a.Slug); ok {
			return p.Seq
		}
	case netkit.ContractAccount, netkit.EscrowAccount:
		return a.ID
	}
	return 0
}

// AccountBalance is what an account holds, as anyone may see it.
func (s *State) AccountBalance(a netkit.Account, now netkit.Millis) (netkit.AccountBalance, error) {
	b, err := s.account(a)
	out := netkit.AccountBalance{Account: a, Balance: b.Held, AsOf: s.AsOf(now)}
	if a == netkit.Treasury && err == nil {
		out.Pending, out.Available, out.Owed = new(s.root.UnclearedShares), new(s.Spendable(s.Moment(now))), new(s.OwedTotal())
	}
	if i, ok := s.slugs.Get(a.Slug); ok && a.Kind == netkit.WalletAccount && err == nil {
		pay := s.pending(i, s.Moment(now)).Pay
		out.Granted, out.Pending, out.Available = s.granted(i), &pay, new(b.Held-pay)
	}
	return out, err
}

// Posting returns the entry's posting on an account, nil if it has none.
func (e *Entry) Posting(a netkit.Account) *Posting {
	for i := range e.Postings {
		if e.Postings[i].Account == a {
			return &e.Postings[i]
		}
	}
	return nil
}

// Books adds up what stands in the tables; it trusts no running totals.
func (s *State) Books() netkit.Books {
	b := netkit.Books{Issued: s.central.At(0).Held, Treasury: s.central.At(1).Held,
		Accounts: 2 + s.root.Counts.Agents + uint64(s.sponsors.Len()) + s.root.Counts.Contracts + uint64(len(s.escrows.M))}
	for _, w := range s.wallets.All() {
		b.Wallets += w.Held
	}
	for _, row := range s.sponsors.All() {
		b.Sponsors += s.wallets.At(*row).Held
	}
	b.Wallets -= b.Sponsors // they share a table
	for _, ct := range s.contracts.All() {
		b.Contracts += ct.left.Held
	}
	for _, e := range s.escrows.M {
		b.Escrow += e.Held
	}
	b.Sum = b.Issued + b.Treasury + b.Wallets + b.Sponsors + b.Contracts + b.Escrow
	return b
}

// LastPosting returns the latest entry that posted to an account.
func (s *State) LastPosting(a netkit.Account) (uint64, error) {
	b, err := s.account(a)
	return b.Last, err
}

// LastPosting returns the latest entry that posted to the contract's account.
func (ct *Contract) LastPosting() uint64 { return ct.left.Last }

// Line returns the entry as a line of the statement of an account, and whether it
// posted to that.
func (e *Entry) Line(a netkit.Account) (netkit.StatementLine, bool) {
	p := e.Posting(a)
	if p == nil {
		return netkit.StatementLine{}, false
	}
	return netkit.StatementLine{Seq: e.Seq, At: e.At, Kind: e.Kind, Amount: p.Amount, After: p.After, Prev: p.Prev, Actor: e.Actor}, true
}
