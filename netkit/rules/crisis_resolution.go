package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type ResolveCrisis struct{ netkit.ResolveCrisis }

func (*ResolveCrisis) Route() string { return "dispatch.resolve" }

func (c *ResolveCrisis) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	d, err := s.Dispatch("dispatch_id", c.DispatchID)
	if err == nil {
		err = d.Runs()
	}
	if err != nil {
		return err
	}
	x, _ := s.crises.Get(d.Id)
	call.Add(&CrisisResolved{Dispatch: d.Id, Running: s.runningWithout(&x)})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*ResolveCrisis) Receipt(e *Entry) netkit.CrisisReceipt {
	f := e.Fact.(*CrisisResolved)
	return netkit.CrisisReceipt{DispatchID: f.Dispatch, Running: f.Running, Seq: e.Seq, At: e.At}
}

// Runs refuses a dispatch of which no crisis runs.
func (d *Dispatch) Runs() error {
	switch {
	case d.Priority != netkit.P0:
		return conflict(code.DispatchNotP0, "the dispatch is of "+d.Priority.String()+" and started no crisis", "{getCrisis} lists those that run")
	case d.resolved != 0:
		return conflict(code.CrisisResolved, "the crisis was resolved already", "{getCrisis} lists those that run")
	}
	return nil
}

func (c *ResolveCrisis) Fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// CrisisResolved records the end of a crisis.
type CrisisResolved struct {
	Dispatch uint64
	Running  uint32 // crises that go on
}

func (*CrisisResolved) Kind() netkit.Kind { return netkit.KindCrisisResolved }

func (f *CrisisResolved) CommandOf(h *PastView) (Command, error) {
	if h.E.Actor == netkit.NetworkActor {
		return nil, nil // its term was over
	}
	return &ResolveCrisis{netkit.ResolveCrisis{DispatchID: f.Dispatch}}, nil
}

func (f *CrisisResolved) Fields(c *wire.Codec) {
	wire.Num(c, "dispatch", &f.Dispatch)
	wire.Num(c, "running", &f.Running)
}

func (f *CrisisResolved) Apply(s *State, e *Entry) {
	if d, ok := s.dispatches.Get(f.Dispatch); ok {
		s.dispatches.Edit(d).resolved = e.At
		s.roots.Edit(s.root).crises = f.Running
		s.crises.Drop(f.Dispatch)
		s.followCrises(e.At)
	}
}
