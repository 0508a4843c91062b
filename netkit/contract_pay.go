package netkit

import (
	"cmp"

	"github.com/agentnet/netctl/netkit/code"
)

// Rate is the payout of an execution at a tier, with its split.
type Rate struct {
	Tier          Tier    `json:"tier" doc:"at which the execution is paid"`
	Payout        Credits `json:"payout" doc:"charged to the contract"`
	AgentShare    Credits `json:"agent_share"`
	TreasuryShare Credits `json:"treasury_share"`
}

// Rate returns the payout of an execution at a tier.
func (c *Constitution) Rate(t Tier) Rate {
	r := Rate{Tier: t, Payout: c.Tier(t).Payout}
	r.AgentShare, r.TreasuryShare = c.Economy.Split(r.Payout)
	return r
}

// Pay is the pay of a contract for one agent now.
type Pay struct {
	Rate
	Newcomer   bool   `json:"newcomer,omitempty" doc:"true if the payout counts towards the newcomers' share of the budget"`
	Exclusive  bool   `json:"exclusive,omitempty" doc:"true if the sponsor may return a signal that is nearly the same as one delivered to another sponsor in market.resale_days"`
	ClearsAt   Millis `json:"clears_at,omitzero" doc:"when the agent could spend its share; absent if at once"`
	ReturnRate Ratio  `json:"return_rate,omitempty" doc:"of the sponsor's purchases of market.return_days, that it returned without a report; absent if 0"`
}

// PayRefusal is the refusal that an execution would meet now, with the code and
// the texts of its problem.
type PayRefusal struct {
	Code   string `json:"code" doc:"stable, snake case, for programs"`
	Detail string `json:"detail" doc:"what is wrong, for people"`
	Law    string `json:"law,omitempty" doc:"the rule behind it, such as L3"`
	Next   string `json:"next,omitempty" doc:"what to do about it"`
	Advice string `json:"advice,omitempty" doc:"next, with operations in braces by their operation ids"`
}

// Err returns the error that an execution would return.
func (r *PayRefusal) Err() error {
	row, _ := code.Find(r.Code)
	return Problem{Status: cmp.Or(row.Status, 409), Code: r.Code, Detail: r.Detail, Law: r.Law, Next: r.Next, Advice: r.Advice}.Err()
}

// PayDenial is the reason for which a contract does not pay an agent; 0 is none.
type PayDenial uint8

const (
	EndPassed PayDenial = 1 + iota
	CrisisRuns
	ContractFinished
	BudgetExhausted
	LimitReached
	AgentUnnamed
	AgentUnmatched
	UnclearedFull
	NewcomersPaid
	NewcomerPaid
	BudgetBelowTier
	BudgetPaced
)

// MaxUncleared returns how much pay of an agent of a tier may wait to clear; 0 is
// no limit.
func (m *MarketRules) MaxUncleared(t Tier) Credits {
	switch t {
	case Unverified:
		return m.UnclearedUnverified
	case Verified:
		return m.UnclearedVerified
	}
	return 0
}

// EnoughOthers returns how many agents that are no newcomers leave these no more than
// NewcomersShare of a budget.
func (m *MarketRules) EnoughOthers() int {
	if m.NewcomersKept == 0 {
		return 1
	}
	return max(1, int((10_000-m.NewcomersShare+m.NewcomersKept-1)/m.NewcomersKept))
}

// NewcomersPart returns the part of a budget that newcomers may be paid while a contract
// could pay so many others. Only the first payout to a newcomer may exceed it.
func (m *MarketRules) NewcomersPart(budget Credits, others int) Credits {
	share := m.NewcomersShare
	if others < m.EnoughOthers() {
		share = 10_000 - Ratio(others)*m.NewcomersKept
	}
	return Credits(share.of(int64(budget)))
}

// NewcomerPart returns the part of a budget that one newcomer may be paid, which
// only its first payout may exceed.
func (m *MarketRules) NewcomerPart(budget Credits, others int) Credits {
	return m.NewcomersPart(budget, others) / Credits(max(1, m.NewcomersLeast))
}
