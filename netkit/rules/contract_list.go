package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// FilterContracts says which contracts are asked for.
func FilterContracts(q *netkit.MarketQuery, s *State, by netkit.Caller, who *Payee) (func(*Contract) bool, error) {
	state := netkit.ContractOpen
	if q.State != nil {
		state = *q.State
	}
	fits := func(*Contract) bool { return true }
	if q.Matched {
		if _, _, err := s.reader(by); err != nil {
			return nil, err
		}
		if who == nil {
			return nil, netkit.Forbidden("", code.AgentsOnly, "only an agent has contracts that match it", "leave matched out, or {asAgent}")
		}
		fits = func(ct *Contract) bool { return s.pays(ct, who) }
	}
	sponsor, any := uint32(0), q.Sponsor == ""
	if !any {
		row, _, err := s.sponsor("sponsor", q.Sponsor)
		if err != nil {
			return nil, err
		}
		sponsor = row
	}
	return func(ct *Contract) bool {
		return (q.AnyState || s.stateOf(ct) == state) && (any || ct.sponsor == sponsor) &&
			(q.Channel == netkit.NoNiche || ct.channel == q.Channel) && (q.Kind == nil || ct.kind == *q.Kind) && fits(ct)
	}, nil
}

// Campaign makes the view of a contract without its texts, for an agent or, with
// nil, for every other reader.
func (s *State) Campaign(ct *Contract, who *Payee) netkit.Campaign {
	c := netkit.Campaign{ID: ct.Id, Sponsor: s.parties.At(ct.sponsor).Slug, Kind: ct.kind, Channel: ct.channel, Budget: ct.budget, Spent: ct.spent,
		Remaining: ct.left.Held, Matching: netkit.Matching{Niches: slices.Clone(ct.niches), LLMProviders: slices.Clone(ct.provider), MinTier: ct.min, MaxTier: ct.max.Shown(), NamedAgents: s.namesOf(&ct.named)},
		ExecutionsPerAgent: ct.limit, Exclusive: ct.exclusive, Structured: ct.structured, BudgetADay: ct.pace.day, BudgetAnHour: ct.pace.hour, ClearingHours: s.clearingHours(ct), EndsAt: ct.ends, State: s.stateOf(ct), Suppressed: s.suppressed(ct), OpenedAt: ct.opened,
		Executions: ct.runs, ReturnRate: s.returnsOf(ct.sponsor, s.root.At).Rate, Buyer: s.buyerRecord(ct.sponsor, s.root.At), Untrusted: true}
	if who == nil {
		return c
	}
	c.Invited = hasRow(ct.invited, who.row)
	if pay, err := s.pay(ct, who); err != nil {
		c.Refusal = PayRefusalOf(err)
	} else {
		c.PaysYou = &pay
	}
	return c
}
