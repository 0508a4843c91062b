package rules

import (
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/plural"
)

// PayRefusalOf returns the refusal of an execution as views show it.
func PayRefusalOf(err error) *netkit.PayRefusal {
	p := netkit.ProblemOf(err)
	return &netkit.PayRefusal{Code: p.Code, Detail: p.Detail, Law: p.Law, Next: p.Next}
}

// Payee is an agent that contracts may pay, with everything about it that their
// pay depends on. One payee serves a whole list, since a tier is expensive.
type Payee struct {
	row      uint32
	party    *Party
	at       netkit.Millis
	rate     netkit.Rate
	newcomer bool
	waiting  netkit.Credits // of its pay, the part that counts against its tier's limit
	stopped  error          // refuses every contract: the agent is suspended or listed
}

// payee returns an agent in good standing as contracts see it at a moment.
func (s *State) payee(i uint32, p *Party, at netkit.Millis) Payee {
	a := Payee{row: i, party: p, at: at, rate: s.law.Rate(s.tier(i, at)), newcomer: s.newcomer(i, at)}
	if s.law.Market.MaxUncleared(a.rate.Tier) > 0 {
		a.waiting = s.waitingPay(i, at)
	}
	return a
}

// PayeeOf returns the agent that reads a view, nil for every other reader.
func (s *State) PayeeOf(by netkit.Caller, at netkit.Millis) *Payee {
	i, p, ok := s.party(by.Slug)
	if !ok || p.Kind != netkit.AgentParty {
		return nil
	}
	a := s.payee(i, p, at)
	c := Call{At: at, By: by}
	_, _, a.stopped = c.actingAgent(s)
	return &a
}

// pay returns the pay of a contract for an agent, or the refusal of an execution.
// Lists, previews and the execution itself all ask here.
func (s *State) pay(ct *Contract, a *Payee) (netkit.Pay, error) {
	if a.stopped != nil {
		return netkit.Pay{}, a.stopped
	}
	if d := s.denial(ct, a); d != 0 {
		return netkit.Pay{}, s.denied(ct, a, d)
	}
	return netkit.Pay{Rate: a.rate, Newcomer: a.newcomer, Exclusive: ct.exclusive, ClearsAt: s.clears(ct, a.at).clears.Millis(), ReturnRate: s.returnsOf(ct.sponsor, a.at).Rate}, nil
}

// pays reports whether pay refuses nothing, without the cost of a refusal.
func (s *State) pays(ct *Contract, a *Payee) bool { return a.stopped == nil && s.denial(ct, a) == 0 }

// denial returns the first reason for which a contract does not pay an agent.
func (s *State) denial(ct *Contract, a *Payee) netkit.PayDenial {
	switch {
	case ct.live() && ct.over(a.at):
		return netkit.EndPassed
	case s.suppressed(ct):
		return netkit.CrisisRuns
	case !ct.live():
		return netkit.ContractFinished
	case s.stateOf(ct) == netkit.ContractExhausted:
		return netkit.BudgetExhausted
	case s.executed.count(ct.Id, a.row) >= ct.limit:
		return netkit.LimitReached
	case !s.admits(ct, a.row):
		return netkit.AgentUnnamed
	case len(ct.mismatch(a.party, a.rate.Tier)) > 0:
		return netkit.AgentUnmatched
	case s.overExposed(a):
		return netkit.UnclearedFull
	case a.newcomer:
		if d := s.newcomersDenial(ct, a); d != 0 {
			return d
		}
	}
	if ct.most() < a.rate.Payout {
		return netkit.BudgetBelowTier
	}
	if ct.pace.wait(a.rate.Payout, a.at) != 0 {
		return netkit.BudgetPaced
	}
	return 0
}

// denied returns the refusal of a denial.
func (s *State) denied(ct *Contract, a *Payee, d netkit.PayDenial) *netkit.Refusal {
	const another = "find another with {listContracts}"
	switch d {
	case netkit.EndPassed:
		return ContractOver(netkit.ContractEnded)
	case netkit.CrisisRuns:
		return netkit.Forbidden("L3", code.Blackout, "a Priority 0 crisis runs and commercial contracts are suppressed", "wait until it is resolved, or execute an operational contract")
	case netkit.ContractFinished:
		return ContractOver(ct.State)
	case netkit.BudgetExhausted:
		return conflict(code.ContractExhausted, "the remaining budget is below one payout", another)
	case netkit.LimitReached:
		return conflict(code.AlreadyExecuted, "you have executed this contract "+plural.Count(ct.limit, "time", "times")+", as often as it allows", another)
	case netkit.AgentUnnamed:
		return s.refuseUnnamed(ct, a.row)
	case netkit.AgentUnmatched:
		return netkit.Forbidden("", code.NotMatched, "the contract does not match you: "+strings.Join(ct.mismatch(a.party, a.rate.Tier), "; ")+ct.tierGap(a.rate.Tier),
			"{setClaims} sets niche and provider; {getMe} tells what is missing to the next tier")
	case netkit.UnclearedFull:
		t := a.rate.Tier
		return conflict(code.UnclearedLimit, "your pay that waits to clear is "+a.waiting.String()+" credits; with this execution's "+a.rate.AgentShare.String()+
			" it would be over the "+s.law.Market.MaxUncleared(t).String()+" that an agent at "+t.String()+" may have", "wait until some of it clears or is accepted: {listExecutions} shows when")
	case netkit.NewcomersPaid, netkit.NewcomerPaid:
		return s.refuseNewcomer(ct, a, d)
	case netkit.BudgetPaced:
		return ct.pace.refusePaced(a.rate.Payout, a.at)
	}
	if ct.left.Held >= a.rate.Payout {
		return conflict(code.ContractExhausted, "the contract's budget of an hour or a day is below one payout of your tier", another)
	}
	return conflict(code.ContractExhausted, "the remaining budget is below one payout of your tier", another)
}

func ContractOver(st netkit.ContractState) *netkit.Refusal {
	return conflict(contractStateCodes[st], "the contract is "+st.String(), "find another with {listContracts}")
}
