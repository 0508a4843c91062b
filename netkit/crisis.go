package netkit

import "context"

// A crisis runs from a P0 dispatch until an operator resolves it; every P0
// dispatch is one of its own, a correction included. While any runs,
// commercial contracts are suppressed (L3).

// ResolveCrisis asks to end a crisis. Only an operator may.
type ResolveCrisis struct {
	DispatchID uint64 `json:"dispatch_id"`
	Reason     string `json:"reason" doc:"why it is over; at most 400 characters"`
}

// CrisisReceipt is the receipt of ending a crisis.
type CrisisReceipt struct {
	DispatchID uint64 `json:"dispatch_id"`
	Running    uint32 `json:"running" doc:"crises that still run; commerce goes on at 0"`
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
		return conflict("dispatch_not_p0", "the dispatch is of "+d.priority.String()+" and started no crisis", "{getCrisis} lists those that run")
	case d.resolved != 0:
		return conflict("crisis_resolved", "the crisis was resolved already", "{getCrisis} lists those that run")
	}
	call.add(&crisisResolved{Dispatch: d.id, Running: s.root.crises - 1})
	return nil
}

func (c *resolveCrisis) fields(k *codec) { str(k, "reason", &c.Reason) }

// crisisResolved records the end of a crisis.
type crisisResolved struct {
	Dispatch uint64
	Running  uint32 // crises that go on
}

func (*crisisResolved) kind() Kind { return "crisis.resolved" }

func (f *crisisResolved) asked(*hindsight) (command, error) {
	return &resolveCrisis{ResolveCrisis{DispatchID: f.Dispatch}}, nil
}

func (f *crisisResolved) fields(c *codec) {
	num(c, "dispatch", &f.Dispatch)
	num(c, "running", &f.Running)
}

func (f *crisisResolved) apply(s *state, e *Entry) {
	if row, _, err := s.dispatch("", f.Dispatch); err == nil {
		s.dispatches.change(row).resolved = e.At
		s.roots.edit(s.root).crises--
	}
}

// ResolveCrisis ends the crisis of a P0 dispatch.
func (n *Network) ResolveCrisis(ctx context.Context, by Caller, in ResolveCrisis) (CrisisReceipt, error) {
	if err := checkText("reason", in.Reason, 1, 400); err != nil {
		return CrisisReceipt{}, err
	}
	c := &resolveCrisis{in}
	return run(ctx, n, by, c, c, func(e *Entry) CrisisReceipt {
		f := e.Fact.(*crisisResolved)
		return CrisisReceipt{DispatchID: f.Dispatch, Running: f.Running, Seq: e.Seq, At: e.At}
	})
}

// CrisisView lists the crises that run.
type CrisisView struct {
	Running []Dispatch `json:"running"`
	AsOf    AsOf       `json:"as_of"`
}

// Crisis returns the crises that run, newest first. It is free.
func (n *Network) Crisis(ctx context.Context) (CrisisView, error) {
	now := n.Now()
	var asOf AsOf
	rows, err := view(ctx, n, func(s *state) ([]dispatch, error) {
		asOf = s.asOf(now)
		return s.running(), nil
	})
	if err != nil {
		return CrisisView{}, err
	}
	items, err := n.dispatchTexts(ctx, rows)
	return CrisisView{Running: items, AsOf: asOf}, err
}

// running returns the unresolved P0 dispatches, newest first.
func (s *state) running() []dispatch {
	left := s.root.crises
	var rows []dispatch
	for i := s.dispatches.len(); i > 0 && left > 0; i-- {
		if d := s.dispatches.at(i - 1); d.priority == P0 && d.resolved == 0 {
			rows = append(rows, *d)
			left--
		}
	}
	return rows
}
