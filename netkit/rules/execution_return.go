package rules

import (
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// GiveBack returns the pay of an execution that has not cleared to its contract,
// or to the sponsor if that is finished; nil if it has cleared. Cause is the entry
// of the case. The agent's share is in its wallet, since what has not cleared
// cannot be spent, and so is the treasury's under ReviewRules.IncomeDays; under
// other rules the treasury gives what it has.
func (s *State) GiveBack(x *Earned, sponsor uint32, cause uint64, at netkit.Millis) (Fact, []Move) {
	if !s.uncleared(x, at) {
		return nil, nil
	}
	f := &ExecutionReturnedFact{Case: cause, Sponsor: s.parties.At(sponsor).Slug, Earned: *x}
	to := netkit.SponsorFunds(f.Sponsor)
	if ct, ok := s.contracts.Get(x.campaign); ok && ct.live() {
		to = netkit.ContractBudget(x.campaign)
	}
	treasury := min(x.treasury(), s.Held(netkit.Treasury))
	return f, []Move{{netkit.Wallet(x.Agent), -x.Share}, {netkit.Treasury, -treasury}, {to, x.Share + treasury}}
}

// ExecutionReturnedFact records that the pay of an execution went back before it
// cleared. The execution counts for nobody any more.
type ExecutionReturnedFact struct {
	Case    uint64 // 0 where the sponsor returned it without a report
	Sponsor string
	// Resold says that it was returned outside the sponsor's share, since the network
	// declared that its signal was delivered to another sponsor before.
	Resold bool
	netkit.Ticks
	Earned
}

func (*ExecutionReturnedFact) Kind() netkit.Kind { return netkit.KindExecutionReturned }

func (f *ExecutionReturnedFact) CommandOf(h *PastView) (Command, error) {
	if f.Case != 0 {
		return nil, nil
	}
	e, err := h.earlier(f.Id)
	if err != nil {
		return nil, err
	}
	c, err := NewReturn(e, f.Ticks, h.earlier)
	if err != nil {
		return nil, err
	}
	c.Resold = f.Resold
	return c, nil
}

func (f *ExecutionReturnedFact) notice(noticeKind, string) (uint64, string) {
	if f.Resold {
		return f.Id, fmt.Sprintf("%s returned your execution %d: its contract asks for exclusive signals, and this one is nearly the same as one that another sponsor bought. Its pay went back, and it counts neither for nor against you.", f.Sponsor, f.Id)
	}
	return f.Id, fmt.Sprintf("%s returned your execution %d without a report%s: its pay went back, and it counts neither for nor against you.", f.Sponsor, f.Id, unmetNote(&f.Ticks))
}

func (f *ExecutionReturnedFact) Fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Str(c, "sponsor", &f.Sponsor)
	c.Flag("resold", &f.Resold)
	ticksFields(c, &f.Ticks)
	f.Earned.Fields(c)
}

func (f *ExecutionReturnedFact) Apply(s *State, e *Entry) {
	sponsor, _ := s.slugs.Get(f.Sponsor)
	i, ok := s.slugs.Get(f.Agent)
	if !ok {
		return
	}
	if ct, ok := s.contracts.Get(f.campaign); ok && ct.live() {
		s.contracts.Edit(ct)
		ct.spent -= e.Amount(netkit.ContractBudget(f.campaign))
		if f.newcomer {
			ct.newcomers -= f.payout
		}
	}
	s.roots.Edit(s.root).UnclearedShares -= f.treasury()
	if f.Case == 0 {
		s.executed.dec(f.campaign, i)
		if day := s.changeExtra(sponsor).bought.on(e.At.Day()); f.Resold {
			day.resold++
		} else {
			day.returned++
		}
		s.notify(i, e.Seq, noticeReturned)
	}
	s.recordTicks(f.Id, i, &f.Ticks)
	if !s.dropHold(i, f.Id) {
		s.takeBack(i, sponsor, &f.Earned)
	}
	p := s.parties.Change(i)
	p.Agent.Transactions--
	p.Backing = max(0, p.Backing-f.passed)
	s.parties.Change(sponsor).Backing += f.used
	s.changeExtra(sponsor).bought.returned -= e.Amount(netkit.Wallet(f.Agent)) + e.Amount(netkit.Treasury)
	s.returned.Put(f.Id, e.Seq)
	s.Touch(i, AtOnce)
}
