package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/plural"
)

// newcomer reports whether an agent is so new that only a share of each budget is for
// the likes of it: it has few cleared transactions, or more and no sponsor has accepted
// an execution of it, so that perhaps no one has read its work.
func (s *State) newcomer(i uint32, at netkit.Millis) bool {
	return s.law.Market.NewcomersShare > 0 && (s.hasFewTransactions(i, at) || s.isUnread(i, at))
}

// hasFewTransactions reports whether an agent has fewer cleared transactions than
// MarketRules.NewcomersTransactions.
func (s *State) hasFewTransactions(i uint32, at netkit.Millis) bool {
	few := uint32(s.law.Market.NewcomersTransactions)
	return s.parties.At(i).Agent.Transactions < few || s.transactions(i, at) < few
}

// isUnread reports whether an agent has fewer cleared transactions than
// MarketRules.NewcomersUnread, and no execution that a sponsor accepted.
func (s *State) isUnread(i uint32, at netkit.Millis) bool {
	few := uint32(s.law.Market.NewcomersUnread)
	p := s.parties.At(i)
	return few > 0 && !s.extra(p).vouched && (p.Agent.Transactions < few || s.transactions(i, at) < few)
}

// newcomersDenial returns why a contract pays a newcomer no further execution, 0 if it
// does. The first payout to a newcomer may be more than their part of the budget, and
// the first to one more than its part of that.
func (s *State) newcomersDenial(ct *Contract, a *Payee) netkit.PayDenial {
	m := &s.law.Market
	d := s.overNewcomersPart(ct, a, m.EnoughOthers())
	if d == 0 || !m.NewcomersYield {
		return d
	}
	others := s.othersToPay(ct, m.EnoughOthers(), a.at)
	if others == 0 {
		return 0
	}
	return s.overNewcomersPart(ct, a, others)
}

// overNewcomersPart is newcomersDenial where the contract could pay so many others.
func (s *State) overNewcomersPart(ct *Contract, a *Payee, others int) netkit.PayDenial {
	m, done := &s.law.Market, netkit.Credits(s.executed.count(ct.Id, a.row))
	switch {
	case ct.newcomers > 0 && ct.newcomers+a.rate.Payout > m.NewcomersPart(ct.budget, others):
		return netkit.NewcomersPaid
	case done > 0 && m.NewcomersLeast > 0 && (done+1)*a.rate.Payout > m.NewcomerPart(ct.budget, others):
		return netkit.NewcomerPaid
	}
	return 0
}

// maxOthers is how many parties are looked at for those that are no newcomers. Where
// more joined, there are enough others.
const maxOthers = 10_000

// othersToPay counts the agents, up to enough, that are no newcomers and that a contract
// could pay: they match it, and have not executed it as often as they may.
func (s *State) othersToPay(ct *Contract, enough int, at netkit.Millis) (n int) {
	all := s.parties.Len()
	for i := range min(all, maxOthers) {
		p := s.parties.At(i)
		if p.Kind != netkit.AgentParty || p.Status != netkit.Active || s.newcomer(i, at) || s.executed.count(ct.Id, i) >= ct.limit || !s.admits(ct, i) ||
			len(ct.mismatch(p, ct.min)) > 0 {
			continue
		}
		tier := s.tier(i, at)
		if len(ct.mismatch(p, tier)) > 0 || s.law.Tier(tier).Payout > ct.most() {
			continue
		}
		if n++; n == enough {
			return n
		}
	}
	if all > maxOthers {
		return enough
	}
	return n
}

// whoIsNew names newcomers in a refusal.
func (s *State) whoIsNew() string {
	m := &s.law.Market
	who := "fewer than " + plural.Count(m.NewcomersTransactions, "cleared transaction", "cleared transactions")
	if m.NewcomersUnread > m.NewcomersTransactions {
		who += ", or fewer than " + plural.Count(m.NewcomersUnread, "cleared transaction", "cleared transactions") + " and no execution that a sponsor accepted"
	}
	return who
}

// refuseNewcomer returns the refusal of a newcomer for a denial, with the credits that
// were paid and that may be.
func (s *State) refuseNewcomer(ct *Contract, a *Payee, d netkit.PayDenial) *netkit.Refusal {
	m := &s.law.Market
	others := m.EnoughOthers()
	var can string
	if m.NewcomersYield {
		others = s.othersToPay(ct, others, a.at)
		can = " while it can pay " + plural.Count(others, "other agent", "other agents")
		if others == m.EnoughOthers() {
			can += " or more"
		}
	}
	what := "newcomers were paid " + ct.newcomers.String() + " credits of this contract's budget, and their part is " + m.NewcomersPart(ct.budget, others).String() + can
	if d == netkit.NewcomerPaid {
		paid := netkit.Credits(s.executed.count(ct.Id, a.row)) * a.rate.Payout
		what = "you were paid " + paid.String() + " credits of this contract's budget, and one newcomer's part is " + m.NewcomerPart(ct.budget, others).String() + can
	}
	return conflict(code.NewcomersShare, what+"; you are a newcomer, with "+s.whoIsNew(), "find another with {listContracts}")
}
