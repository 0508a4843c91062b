package netkit

import (
	"cmp"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/plural"
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
	r := Rate{Tier: t, Payout: c.tier(t).Payout}
	r.AgentShare, r.TreasuryShare = c.Economy.Split(r.Payout)
	return r
}

// Pay is the pay of a contract for one agent now.
type Pay struct {
	Rate
	Newcomer bool   `json:"newcomer,omitempty" doc:"true if the payout counts towards the newcomers' share of the budget"`
	ClearsAt Millis `json:"clears_at,omitzero" doc:"when the agent could spend its share; absent if at once"`
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

// payRefusalOf returns the refusal of an execution as views show it.
func payRefusalOf(err error) *PayRefusal {
	p := ProblemOf(err)
	return &PayRefusal{Code: p.Code, Detail: p.Detail, Law: p.Law, Next: p.Next}
}

// Err returns the error that an execution would return.
func (r *PayRefusal) Err() error {
	row, _ := code.Find(r.Code)
	return Problem{Status: cmp.Or(row.Status, 409), Code: r.Code, Detail: r.Detail, Law: r.Law, Next: r.Next, Advice: r.Advice}.Err()
}

// payee is an agent that contracts may pay, with everything about it that their
// pay depends on. One payee serves a whole list, since a tier is expensive.
type payee struct {
	row      uint32
	party    *party
	at       Millis
	rate     Rate
	newcomer bool
	stopped  error // refuses every contract: the agent is suspended or listed
}

// payee returns an agent in good standing as contracts see it at a moment.
func (s *state) payee(i uint32, p *party, at Millis) payee {
	return payee{row: i, party: p, at: at, rate: s.law.Rate(s.tier(i, at)), newcomer: s.newcomer(i, at)}
}

// payeeOf returns the agent that reads a view, nil for every other reader.
func (s *state) payeeOf(by Caller, at Millis) *payee {
	i, p, ok := s.party(by.Slug)
	if !ok || p.kind != AgentParty {
		return nil
	}
	a := s.payee(i, p, at)
	c := call{at: at, by: by}
	_, _, a.stopped = c.actingAgent(s)
	return &a
}

// pay returns the pay of a contract for an agent, or the refusal of an execution.
// Lists, previews and the execution itself all ask here.
func (s *state) pay(ct *contract, a *payee) (Pay, error) {
	if a.stopped != nil {
		return Pay{}, a.stopped
	}
	if d := s.denial(ct, a); d != 0 {
		return Pay{}, s.denied(ct, a, d)
	}
	return Pay{a.rate, a.newcomer, s.clears(ct, a.at).clears.millis()}, nil
}

// pays reports whether pay refuses nothing, without the cost of a refusal.
func (s *state) pays(ct *contract, a *payee) bool { return a.stopped == nil && s.denial(ct, a) == 0 }

// payDenial is the reason for which a contract does not pay an agent; 0 is none.
type payDenial uint8

const (
	endPassed payDenial = 1 + iota
	crisisRuns
	contractFinished
	budgetExhausted
	limitReached
	agentUnmatched
	newcomersPaid
	budgetBelowTier
)

// denial returns the first reason for which a contract does not pay an agent.
func (s *state) denial(ct *contract, a *payee) payDenial {
	switch {
	case ct.live() && ct.over(a.at):
		return endPassed
	case s.suppressed(ct):
		return crisisRuns
	case !ct.live():
		return contractFinished
	case s.stateOf(ct) == ContractExhausted:
		return budgetExhausted
	case s.executed.count(ct.id, a.row) >= ct.limit:
		return limitReached
	case len(ct.mismatch(a.party, a.rate.Tier)) > 0:
		return agentUnmatched
	case a.newcomer && !s.leftForNewcomers(ct, a.rate.Payout):
		return newcomersPaid
	case ct.left.held < a.rate.Payout:
		return budgetBelowTier
	}
	return 0
}

// denied returns the refusal of a denial.
func (s *state) denied(ct *contract, a *payee, d payDenial) *Refusal {
	const another = "find another with {listContracts}"
	switch d {
	case endPassed:
		return contractOver(ContractEnded)
	case crisisRuns:
		return forbidden("L3", code.Blackout, "a Priority 0 crisis runs and commercial contracts are suppressed", "wait until it is resolved, or execute an operational contract")
	case contractFinished:
		return contractOver(ct.state)
	case budgetExhausted:
		return conflict(code.ContractExhausted, "the remaining budget is below one payout", another)
	case limitReached:
		return conflict(code.AlreadyExecuted, "you have executed this contract "+plural.Count(ct.limit, "time", "times")+", as often as it allows", another)
	case agentUnmatched:
		return forbidden("", code.NotMatched, "the contract does not match you: "+strings.Join(ct.mismatch(a.party, a.rate.Tier), "; "),
			"{setClaims} sets niche and provider; {getMe} tells what is missing to the next tier")
	case newcomersPaid:
		m := &s.law.Market
		return conflict(code.NewcomersShare, "newcomers were paid their share of this contract's budget: at most "+m.NewcomersShare.String()+" of it goes to agents with fewer than "+
			plural.Count(m.NewcomersTransactions, "cleared transaction", "cleared transactions"), another)
	}
	return conflict(code.ContractExhausted, "the remaining budget is below one payout of your tier", another)
}

func contractOver(st ContractState) *Refusal {
	return conflict(contractStateCodes[st], "the contract is "+st.String(), "find another with {listContracts}")
}

// newcomersPart returns the part of a budget that newcomers may be paid, which
// only the first payout to one may exceed.
func (m *MarketRules) newcomersPart(budget Credits) Credits {
	return Credits(m.NewcomersShare.of(int64(budget)))
}

// executions returns how many executions a new contract pays agents of a tier,
// where others may do so many of them and newcomers so many.
func (m *MarketRules) executions(budget, payout Credits, others, newcomers uint64) uint64 {
	if m.NewcomersShare > 0 {
		newcomers = min(newcomers, max(1, uint64(m.newcomersPart(budget)/payout)))
	}
	return min(uint64(budget/payout), others+newcomers)
}
