package netkit

import (
	"context"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// A crisis runs from a P0 dispatch until an operator resolves it, or its term
// is over where the constitution gives it one; every P0
// dispatch is one of its own, a correction included. While any runs,
// commercial contracts are suppressed (L3).

// ResolveCrisis asks to end a crisis. Only an operator may.
type ResolveCrisis struct {
	DispatchID uint64 `json:"dispatch_id"`
	Reason     string `json:"reason" doc:"why it is over; at most 400 characters" minLength:"1" maxLength:"400"`
}

// CrisisReceipt is the receipt of ending a crisis.
type CrisisReceipt struct {
	DispatchID uint64 `json:"dispatch_id"`
	Running    uint32 `json:"running" doc:"crises that still run; commerce goes on at 0"`
	EndsAt     Millis `json:"ends_at,omitempty" doc:"of a crisis that was renewed: when it ends unless it is renewed again"`
	Seq        uint64 `json:"seq"`
	At         Millis `json:"at"`
}

type resolveCrisis struct{ ResolveCrisis }

func (*resolveCrisis) route() string { return "dispatch.resolve" }

func (c *resolveCrisis) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	_, d, err := s.dispatch("dispatch_id", c.DispatchID)
	switch {
	case err != nil:
		return err
	case d.priority != P0:
		return conflict(code.DispatchNotP0, "the dispatch is of "+d.priority.String()+" and started no crisis", "{getCrisis} lists those that run")
	case d.resolved != 0:
		return conflict(code.CrisisResolved, "the crisis was resolved already", "{getCrisis} lists those that run")
	}
	x, _ := s.crises.Get(d.id)
	call.add(&CrisisResolved{Dispatch: d.id, Running: s.runningWithout(&x)})
	return nil
}

func (c *resolveCrisis) fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// CrisisResolved records the end of a crisis.
type CrisisResolved struct {
	Dispatch uint64
	Running  uint32 // crises that go on
}

func (*CrisisResolved) kind() Kind { return KindCrisisResolved }

func (f *CrisisResolved) asked(h *pastView) (command, error) {
	if h.e.Actor == NetworkActor {
		return nil, nil // its term was over
	}
	return &resolveCrisis{ResolveCrisis{DispatchID: f.Dispatch}}, nil
}

func (f *CrisisResolved) fields(c *wire.Codec) {
	wire.Num(c, "dispatch", &f.Dispatch)
	wire.Num(c, "running", &f.Running)
}

func (f *CrisisResolved) apply(s *state, e *Entry) {
	if row, _, err := s.dispatch("", f.Dispatch); err == nil {
		s.dispatches.Change(row).resolved = e.At
		s.roots.Edit(s.root).crises = f.Running
		s.crises.Drop(f.Dispatch)
	}
}

// ResolveCrisis ends the crisis of a P0 dispatch.
func (n *Network) ResolveCrisis(ctx context.Context, by Caller, in ResolveCrisis) (CrisisReceipt, error) {
	if err := checkText("reason", in.Reason, 1, 400); err != nil {
		return CrisisReceipt{}, err
	}
	c := &resolveCrisis{in}
	return run(ctx, n, by, c, c, func(e *Entry) CrisisReceipt {
		f := e.Fact.(*CrisisResolved)
		return CrisisReceipt{DispatchID: f.Dispatch, Running: f.Running, Seq: e.Seq, At: e.At}
	})
}

// CrisisView lists the crises that run.
type CrisisView struct {
	Running []Dispatch `json:"running"`
	// Terms says of crises that end by themselves how long they go on, and names
	// those that suppress nothing yet, which Running leaves out.
	Terms []CrisisTerm `json:"terms,omitempty"`
	AsOf  AsOf         `json:"as_of"`
}

// Crisis returns the crises that run, newest first. It is free.
func (n *Network) Crisis(ctx context.Context) (CrisisView, error) {
	now := n.Now()
	var asOf AsOf
	var terms []CrisisTerm
	rows, err := view(ctx, n, func(s *state) ([]dispatch, error) {
		asOf = s.asOf(now)
		terms = s.crisisTerms()
		return s.running(), nil
	})
	if err != nil {
		return CrisisView{}, err
	}
	items, err := n.dispatchTexts(ctx, rows)
	return CrisisView{Running: items, Terms: terms, AsOf: asOf}, err
}

// running returns the unresolved P0 dispatches, newest first.
func (s *state) running() []dispatch {
	left := s.root.crises
	var rows []dispatch
	for i := s.dispatches.Len(); i > 0 && left > 0; i-- {
		if d := s.dispatches.At(i - 1); d.priority == P0 && d.resolved == 0 {
			if x, _ := s.crises.Get(d.id); x.held {
				continue
			}
			rows = append(rows, *d)
			left--
		}
	}
	return rows
}
