package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type RenewCrisis struct{ netkit.RenewCrisis }

func (*RenewCrisis) Route() string { return "crisis.renew" }

func (c *RenewCrisis) Decide(s *State, call *Call) error {
	_, p, err := call.Actor(s)
	if err != nil {
		return err
	}
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	x, ok := s.crises.Get(c.DispatchID)
	switch {
	case !ok:
		return conflict(code.CrisisNotRenewable, "no crisis of this dispatch runs until a term", "{getCrisis} lists those that run")
	case x.awaits != 0:
		return conflict(code.CrisisUndrawn, "the agent that may renew the crisis is not drawn yet", "try again in a minute")
	case x.drawn != "" && x.drawn != p.Slug:
		return netkit.Forbidden("L3", code.CrisisOtherDrawn, "another agent was drawn to renew this crisis", "{getCrisis} names it")
	case x.drawn == "" && p.Kind != netkit.OperatorParty:
		return netkit.Forbidden("L3", code.OperatorsOnly, "too few agents qualify, so an operator renews this crisis", "ask an operator of this network")
	}
	f := &CrisisRenewed{Dispatch: x.id, Reason: c.Reason, Until: call.At + netkit.Millis(s.law.Crisis.Hours)*netkit.Hour, Running: s.root.crises}
	if x.held {
		f.Running++
	}
	call.Add(f)
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*RenewCrisis) Receipt(e *Entry) netkit.CrisisReceipt {
	f := e.Fact.(*CrisisRenewed)
	return netkit.CrisisReceipt{DispatchID: f.Dispatch, Running: f.Running, EndsAt: f.Until, Seq: e.Seq, At: e.At}
}

// CrisisRenewed records that a crisis goes on.
type CrisisRenewed struct {
	Dispatch uint64
	Reason   string
	Until    netkit.Millis
	Running  uint32 // crises that suppress commerce
}

func (*CrisisRenewed) Kind() netkit.Kind { return netkit.KindCrisisRenewed }

func (f *CrisisRenewed) CommandOf(*PastView) (Command, error) {
	return &RenewCrisis{netkit.RenewCrisis{DispatchID: f.Dispatch, Reason: f.Reason}}, nil
}

func (f *CrisisRenewed) Fields(c *wire.Codec) {
	wire.Num(c, "dispatch", &f.Dispatch)
	wire.Str(c, "reason", &f.Reason)
	wire.Num(c, "until", &f.Until)
	wire.Num(c, "running", &f.Running)
}

func (f *CrisisRenewed) Apply(s *State, e *Entry) {
	x, ok := s.crises.Get(f.Dispatch)
	if !ok {
		return
	}
	s.roots.Edit(s.root).crises = f.Running
	x.held, x.until, x.drawn, x.awaits = false, f.Until, "", e.Seq
	x.round++
	s.crises.Put(x.id, x)
	s.deadlines.plan(crisisEnds, x.until, x.id)
	s.followCrises(e.At)
}

// CrisisTerms lists the crises that have a term, the oldest first.
func (s *State) CrisisTerms() (all []netkit.CrisisTerm) {
	for _, id := range SortedKeys(s.crises.M) {
		x, _ := s.crises.Get(id)
		all = append(all, netkit.CrisisTerm{DispatchID: id, Suppresses: !x.held, EndsAt: x.until, RenewBy: x.drawn})
	}
	return all
}
