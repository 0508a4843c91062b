package rules

import (
	"math"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Running returns the unresolved P0 dispatches, newest first.
func (s *State) Running() []Dispatch {
	left := s.root.crises
	var rows []Dispatch
	for id, d := range s.dispatches.Below(math.MaxUint64) {
		if left == 0 {
			break
		}
		if x, _ := s.crises.Get(id); s.inCrisis(id) && !x.held {
			rows = append(rows, *d)
			left--
		}
	}
	return rows
}

// crisis is the row of a crisis with a term.
type crisis struct {
	id     uint64 // entry of the dispatch
	by     string // operator who began it
	until  netkit.Millis
	round  uint8  // how often it was renewed
	awaits uint64 // entry after which the agent is drawn, 0 once that is done
	drawn  string // agent that may renew it, "" is an operator
	held   bool   // it suppresses nothing yet
}

func (x *crisis) Fields(c *wire.Codec) {
	wire.Num(c, "id", &x.id)
	wire.Str(c, "by", &x.by)
	wire.Num(c, "until", &x.until)
	wire.Num(c, "round", &x.round)
	wire.Num(c, "awaits", &x.awaits)
	wire.Str(c, "drawn", &x.drawn)
	c.Flag("held", &x.held)
}

// crisisTerm works out until when a crisis goes on that an operator begins,
// 0 is for ever, and whether it has to be renewed before it suppresses anything.
func (s *State) crisisTerm(operator string, at netkit.Millis) (until netkit.Millis, held bool) {
	r := &s.law.Crisis
	if r.Hours == 0 {
		return 0, false
	}
	soon := s.root.alarm != 0 && at < s.root.alarm+netkit.Millis(r.AgainDays)*netkit.FullDay
	return at + netkit.Millis(r.Hours)*netkit.Hour, soon && s.enoughWitnesses(at, stakes{revoker: operator})
}

// beginCrisis makes what a P0 dispatch brings.
func (s *State) beginCrisis(f *Published, e *Entry) {
	r := s.roots.Edit(s.root)
	if !f.Held {
		r.crises++
	}
	if f.Until != 0 {
		r.alarm = e.At
		s.crises.Put(e.Seq, crisis{id: e.Seq, by: e.Actor, until: f.Until, awaits: e.Seq, held: f.Held})
		s.deadlines.plan(crisisEnds, f.Until, e.Seq)
	}
	s.followCrises(e.At)
}

// crisisDue ends a crisis that nobody renewed.
func (s *State) crisisDue(it dueItem) Fact {
	x, ok := s.crises.Get(it.id)
	if !ok || x.until != it.at {
		return nil
	}
	return &CrisisResolved{Dispatch: x.id, Running: s.runningWithout(&x)}
}

// runningWithout is how many crises suppress commerce once x is over.
func (s *State) runningWithout(x *crisis) uint32 {
	if x.held {
		return s.root.crises
	}
	return s.root.crises - 1
}
