package rules

import "github.com/agentnet/netctl/netkit"

// balance returns the record of an account, for reading only; nil when
// there is no such account (any more).
func (s *State) balance(a netkit.Account) *Balance {
	switch a.Kind {
	case netkit.IssuanceAccount:
		return s.central.At(0)
	case netkit.TreasuryAccount:
		return s.central.At(1)
	case netkit.WalletAccount, netkit.SponsorAccount:
		if i, ok := s.slugs.Get(a.Slug); ok {
			return s.wallets.At(i)
		}
	case netkit.ContractAccount:
		if ct, ok := s.contracts.Get(a.ID); ok {
			return ct.left
		}
	case netkit.EscrowAccount:
		if b, ok := s.escrows.Get(a.ID); ok {
			return &b
		}
	}
	return nil
}

// Held returns the balance of an account, 0 for an unknown one.
func (s *State) Held(a netkit.Account) netkit.Credits {
	if b := s.balance(a); b != nil {
		return b.Held
	}
	return 0
}

// book returns the posting of amount to a, with the balance after it.
func (s *State) book(a netkit.Account, amount netkit.Credits) Posting {
	p := Posting{Account: a, Amount: amount, After: amount}
	if b := s.balance(a); b != nil {
		p.After, p.Prev, p.at = b.Held+amount, b.Last, b
	}
	return p
}

// post applies the postings of entry e. An escrow account lives as long as it
// holds something: its whole story is two entries that name each other.
func (s *State) post(e *Entry) {
	for i := range e.Postings {
		p := &e.Postings[i]
		after := Balance{p.After, e.Seq}
		if p.Account.Kind == netkit.EscrowAccount {
			if p.After == 0 {
				s.escrows.Drop(p.Account.ID)
			} else {
				s.escrows.Put(p.Account.ID, after)
			}
			continue
		}
		if p.at == nil {
			p.at = s.balance(p.Account)
		}
		if p.at != nil {
			*s.balances.Edit(p.at) = after
		}
		if p.Account.Kind == netkit.SponsorAccount && p.Amount > 0 {
			s.refundLater(p.Account.Slug)
		}
	}
}
