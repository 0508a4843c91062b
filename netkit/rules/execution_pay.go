package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Earned is what an execution's entry says of its pay. Whoever takes an execution
// up again has it from that entry.
type Earned struct {
	Id       uint64 // of the execution
	campaign uint64
	Agent    string
	Day      netkit.Day // of the execution
	ClearTime
	payout   netkit.Credits // of the contract
	Share    netkit.Credits // of the agent in it
	used     netkit.Credits // of the sponsor's backing
	Counted  netkit.Credits // of the agent's diversity
	passed   netkit.Credits // of its backing
	newcomer bool
}

func (x *Earned) Fields(c *wire.Codec) {
	wire.Num(c, "execution", &x.Id)
	wire.Str(c, "agent", &x.Agent)
	wire.Num(c, "day", &x.Day)
	wire.Amount(c, "counted", &x.Counted)
	x.uncleared(c)
}

// treasury returns the treasury's share in the payout of an execution that clears
// later.
func (x *Earned) treasury() netkit.Credits { return x.payout - x.Share }

// uncleared carries what is needed of an execution that clears later.
func (x *Earned) uncleared(c *wire.Codec) {
	wire.Num(c, "campaign", &x.campaign)
	x.ClearTime.Fields(c)
	wire.Amount(c, "payout", &x.payout)
	wire.Amount(c, "share", &x.Share)
	wire.Amount(c, "used", &x.used)
	wire.Amount(c, "passed", &x.passed)
	c.Flag("newcomer", &x.newcomer)
}

// countsFrom is the date from which an execution is among what its sponsor paid:
// that on which it clears by its entry. One that was accepted is among it from the
// acceptance on, as it is for its agent: see paidOn.early. Under a constitution
// without ScoreRules.AcceptedCounts it is so on that date only.
func (x *Earned) countsFrom() netkit.Day { return countsFrom(x.Day, x.clears) }

// paid is an amount in what the sponsor of an execution paid.
func (x *Earned) paid(amount netkit.Credits, accepted bool) paidOn {
	row := paidOn{day: x.countsFrom(), sum: amount}
	if accepted {
		row.early = amount
	}
	return row
}

func countsFrom(d netkit.Day, clears Quarter) netkit.Day { return max(d, clears.Millis().Day()) }

// Earned returns what an execution paid. Of one that cleared at once nothing can
// be taken back but what counts.
func (e *Entry) Earned(f *Executed) Earned {
	x := Earned{Id: e.Seq, Agent: f.Agent, Day: e.At.Day(), Counted: f.Counted}
	if f.Clears != 0 {
		x.campaign, x.ClearTime, x.payout, x.Share = f.Campaign, f.clearTime(), f.Payout, e.Amount(netkit.Wallet(f.Agent))
		x.used, x.passed, x.newcomer = f.Used, f.Passed, f.Newcomer
	}
	return x
}

// uncleared reports whether an execution waits to clear at a moment.
func (s *State) uncleared(x *Earned, at netkit.Millis) bool {
	i, _ := s.slugs.Get(x.Agent)
	return s.waitsForCase(i, x.Id) ||
		!x.deadline().Reached(s.clearedUntil(i, at)) && !s.undone(x.Id) && !s.wasAccepted(x)
}

// wasAccepted reports whether an execution was accepted before it cleared. It is
// forgotten once the date on which it would have cleared is closed.
func (s *State) wasAccepted(x *Earned) bool {
	return s.accepted.count(x.ClearTime.day(), x.Id) > 0
}

// undone reports whether an execution was returned or overturned.
func (s *State) undone(id uint64) bool {
	_, returned := s.returned.Get(id)
	_, overturned := s.overturned.Get(id)
	return returned || overturned
}

// takeBack takes an execution out of the agent's evidence, and returns the
// treasury's share if that waited there to become income. The night may have
// dropped the row as too old to count: then there is nothing to do.
func (s *State) takeBack(i, sponsor uint32, x *Earned) (share netkit.Credits) {
	row, accepted := s.FindEvidence(i, sponsor, x.Day, x.ClearTime), s.wasAccepted(x)
	if row == nil || accepted {
		row = s.FindEvidence(i, sponsor, x.Day, ClearTime{}) // where what has cleared is summed up
	}
	if row == nil {
		return 0
	}
	s.past.forget(i, x.Day)
	ev := s.evidence.Edit(row)
	ev.Stands--
	ev.In -= x.Counted
	s.addPaidRow(sponsor, i, x.paid(-x.Counted, accepted))
	if ev.clears != 0 {
		share = x.treasury()
		ev.pay -= x.Share
		ev.passed -= x.passed
		ev.share -= share
	}
	return share
}

// putBack puts it into the evidence again, to clear at a moment.
func (s *State) putBack(i, sponsor uint32, x *Earned, clears ClearTime) {
	ev := s.evidenceRow(i, sponsor, x.Day, clears)
	ev.Stands++
	ev.In += x.Counted
	s.addPaidRow(sponsor, i, x.paid(x.Counted, s.wasAccepted(x)))
	if clears != (ClearTime{}) {
		ev.pay += x.Share
		ev.passed += x.passed
		ev.share += x.treasury()
	}
}
