package netkit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

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
	d, err := s.dispatch("dispatch_id", c.DispatchID)
	if err == nil {
		err = d.runs()
	}
	if err != nil {
		return err
	}
	x, _ := s.crises.Get(d.id)
	call.add(&CrisisResolved{Dispatch: d.id, Running: s.runningWithout(&x)})
	return nil
}

// runs refuses a dispatch of which no crisis runs.
func (d *dispatch) runs() error {
	switch {
	case d.priority != P0:
		return conflict(code.DispatchNotP0, "the dispatch is of "+d.priority.String()+" and started no crisis", "{getCrisis} lists those that run")
	case d.resolved != 0:
		return conflict(code.CrisisResolved, "the crisis was resolved already", "{getCrisis} lists those that run")
	}
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
	if d, ok := s.dispatches.Get(f.Dispatch); ok {
		s.dispatches.Edit(d).resolved = e.At
		s.roots.Edit(s.root).crises = f.Running
		s.crises.Drop(f.Dispatch)
		s.followCrises(e.At)
	}
}

// ResolveCrisis ends the crisis of a P0 dispatch.
//
// Refusals: crisis_resolved, dispatch_not_p0, dispatch_unknown.
func (ses *Session) ResolveCrisis(ctx context.Context, in ResolveCrisis) (CrisisReceipt, error) {
	if err := checkText("reason", in.Reason, 1, 400); err != nil {
		return CrisisReceipt{}, err
	}
	c := &resolveCrisis{in}
	r, err := run(ctx, ses, c, c, func(e *Entry) CrisisReceipt {
		f := e.Fact.(*CrisisResolved)
		return CrisisReceipt{DispatchID: f.Dispatch, Running: f.Running, Seq: e.Seq, At: e.At}
	})
	if errors.Is(err, ErrNotFound) {
		if d, unknown := ses.n.dispatchRow(ctx, in.DispatchID); unknown == nil {
			err = d.runs()
		}
	}
	return r, err
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
func (ses *Session) Crisis(ctx context.Context) (CrisisView, error) {
	now := ses.n.Now()
	var asOf AsOf
	var terms []CrisisTerm
	rows, err := view(ctx, ses.n, func(s *state) ([]dispatch, error) {
		asOf = s.asOf(now)
		terms = s.crisisTerms()
		return s.running(), nil
	})
	if err != nil {
		return CrisisView{}, err
	}
	items, err := ses.n.dispatchTexts(ctx, rows)
	return CrisisView{Running: items, Terms: terms, AsOf: asOf}, err
}

// running returns the unresolved P0 dispatches, newest first.
func (s *state) running() []dispatch {
	left := s.root.crises
	var rows []dispatch
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

// Where the constitution gives crises a term, a crisis ends by itself unless
// it is renewed: by the agent that was drawn for it among those who qualify as
// witness, or, where too few qualify, by an operator. A crisis that begins soon
// after another suppresses nothing before the drawn agent has renewed it; its
// dispatch is delivered at once all the same. Whoever began the earlier one does
// not matter, since an operator can add others.

// CrisisRules holds the numbers of crises (L3).
type CrisisRules struct {
	Hours     int `json:"hours" doc:"until a crisis ends unless it is renewed; default: never"`
	AgainDays int `json:"again_days" doc:"a crisis that begins within these of another suppresses commerce once the drawn agent renews it; default: at once"`

	// MarketTime is false in constitutions of before, whose deadlines go on while
	// nobody can read what they are about.
	MarketTime bool `json:"market_time,omitempty" doc:"clearing, verdicts and appeals of commercial contracts count in market time: real time without the crises that suppress commerce"`
}

// RenewCrisis asks that a crisis goes on for another term, or begins to
// suppress commerce.
type RenewCrisis struct {
	DispatchID uint64 `json:"dispatch_id"`
	Reason     string `json:"reason" doc:"1 to 280 characters, public" minLength:"1" maxLength:"280"`
}

// CrisisTerm says how long a crisis goes on, and who may renew it.
type CrisisTerm struct {
	DispatchID uint64 `json:"dispatch_id"`
	Suppresses bool   `json:"suppresses" doc:"false until the drawn agent renews a crisis that began soon after another"`
	EndsAt     Millis `json:"ends_at"`
	RenewBy    string `json:"renew_by,omitempty" doc:"the drawn agent; absent where an operator renews"`
}

// crisis is the row of a crisis with a term.
type crisis struct {
	id     uint64 // entry of the dispatch
	by     string // operator who began it
	until  Millis
	round  uint8  // how often it was renewed
	awaits uint64 // entry after which the agent is drawn, 0 once that is done
	drawn  string // agent that may renew it, "" is an operator
	held   bool   // it suppresses nothing yet
}

func (x *crisis) fields(c *wire.Codec) {
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
func (s *state) crisisTerm(operator string, at Millis) (until Millis, held bool) {
	r := &s.law.Crisis
	if r.Hours == 0 {
		return 0, false
	}
	soon := s.root.alarm != 0 && at < s.root.alarm+Millis(r.AgainDays)*day
	return at + Millis(r.Hours)*hour, soon && s.enoughWitnesses(at, stakes{revoker: operator})
}

// beginCrisis makes what a P0 dispatch brings.
func (s *state) beginCrisis(f *Published, e *Entry) {
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
func (s *state) crisisDue(it dueItem) Fact {
	x, ok := s.crises.Get(it.id)
	if !ok || x.until != it.at {
		return nil
	}
	return &CrisisResolved{Dispatch: x.id, Running: s.runningWithout(&x)}
}

// runningWithout is how many crises suppress commerce once x is over.
func (s *state) runningWithout(x *crisis) uint32 {
	if x.held {
		return s.root.crises
	}
	return s.root.crises - 1
}

type renewCrisis struct{ RenewCrisis }

func (*renewCrisis) route() string { return "crisis.renew" }

func (c *renewCrisis) decide(s *state, call *call) error {
	_, p, err := call.actor(s)
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
	case x.drawn != "" && x.drawn != p.slug:
		return forbidden("L3", code.CrisisOtherDrawn, "another agent was drawn to renew this crisis", "{getCrisis} names it")
	case x.drawn == "" && p.kind != OperatorParty:
		return forbidden("L3", code.OperatorsOnly, "too few agents qualify, so an operator renews this crisis", "ask an operator of this network")
	}
	f := &CrisisRenewed{Dispatch: x.id, Reason: c.Reason, Until: call.at + Millis(s.law.Crisis.Hours)*hour, Running: s.root.crises}
	if x.held {
		f.Running++
	}
	call.add(f)
	return nil
}

// CrisisRenewed records that a crisis goes on.
type CrisisRenewed struct {
	Dispatch uint64
	Reason   string
	Until    Millis
	Running  uint32 // crises that suppress commerce
}

func (*CrisisRenewed) kind() Kind { return KindCrisisRenewed }

func (f *CrisisRenewed) asked(*pastView) (command, error) {
	return &renewCrisis{RenewCrisis{f.Dispatch, f.Reason}}, nil
}

func (f *CrisisRenewed) fields(c *wire.Codec) {
	wire.Num(c, "dispatch", &f.Dispatch)
	wire.Str(c, "reason", &f.Reason)
	wire.Num(c, "until", &f.Until)
	wire.Num(c, "running", &f.Running)
}

func (f *CrisisRenewed) apply(s *state, e *Entry) {
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

// RenewCrisis has a crisis go on for another term. The agent that was drawn for
// it may, or an operator where too few agents qualify.
//
// Refusals: crisis_not_renewable, crisis_other_drawn, crisis_undrawn,
// dispatch_unknown, reason_missing.
func (ses *Session) RenewCrisis(ctx context.Context, in RenewCrisis) (CrisisReceipt, error) {
	r, err := run(ctx, ses, &renewCrisis{in}, nil, func(e *Entry) CrisisReceipt {
		f := e.Fact.(*CrisisRenewed)
		return CrisisReceipt{DispatchID: f.Dispatch, Running: f.Running, EndsAt: f.Until, Seq: e.Seq, At: e.At}
	})
	ses.n.followUp(ctx, err)
	return r, err
}

// crisisTerms lists the crises that have a term, the oldest first.
func (s *state) crisisTerms() (all []CrisisTerm) {
	for _, id := range sortedKeys(s.crises.M) {
		x, _ := s.crises.Get(id)
		all = append(all, CrisisTerm{DispatchID: id, Suppresses: !x.held, EndsAt: x.until, RenewBy: x.drawn})
	}
	return all
}

// crisisRows carries the crises with a term in a snapshot.
func crisisRows(c *wire.Codec, s *state) {
	var all []crisis
	if !c.Reading() {
		for _, id := range sortedKeys(s.crises.M) {
			all = append(all, s.crises.M[id])
		}
	}
	wire.List(c, "crisis_terms", &all, object[crisis])
	if c.Reading() {
		for _, x := range all {
			s.crises.Put(x.id, x)
		}
	}
}

// qualified lists those who qualify as witness of something, by row.
func (s *state) qualified(at Millis, x stakes) (rows []uint32) {
	for i, p := range s.parties.All() {
		if p.kind == AgentParty && p.status == Active && x.bar(p) == nil && s.seasoned(p, at) == nil {
			rows = append(rows, i)
		}
	}
	return rows
}

// drawWitnesses draws the agents whose word something waits for.
type drawWitnesses struct {
	lot
	For string // "crisis" or "constitution"
}

func (*drawWitnesses) route() string { return "draw" }

func (c *drawWitnesses) decide(s *state, call *call) error {
	if err := call.network(); err != nil {
		return err
	}
	w, by, want, ok := s.waiting(c.For, c.ID)
	if !ok || w.round != c.Round {
		return conflict(code.CaseNotDrawing, "nothing waits for this draw", "")
	}
	if err := c.check(s, c.For, w.awaits); err != nil {
		return err
	}
	f := &WitnessDrawn{For: c.For, lot: c.lot}
	fit := s.qualified(call.at, stakes{revoker: by})
	if len(fit) >= max(want, s.neededFor(c.For)) {
		f.Agents = s.slugsOf(drawnFrom(fit, c.seed(), want))
	}
	call.add(f)
	return nil
}

// neededFor is how many agents have to qualify so that any is drawn.
func (s *state) neededFor(what string) int {
	if what == "crisis" {
		return cmp.Or(s.law.Review.WitnessesNeeded, 1)
	}
	return 0
}

// waiting returns what waits for agents to be drawn, who has a stake in it, and
// how many are drawn.
func (s *state) waiting(what string, id uint64) (w pendingLot, by string, want int, ok bool) {
	switch what {
	case "crisis":
		x, found := s.crises.Get(id)
		return pendingLot{what, id, x.round, x.awaits}, x.by, 1, found && x.awaits != 0
	case "constitution":
		a := s.amendment
		return pendingLot{what, id, 0, a.awaits}, a.by, s.law.Amendment.Witnesses, a.id == id && a.awaits != 0
	}
	return w, "", 0, false
}

// WitnessDrawn records the agents whose word a crisis or an announced
// constitution waits for, and the value that they were drawn by; none where too
// few qualify.
type WitnessDrawn struct {
	For string
	lot
	Agents []string
}

func (*WitnessDrawn) kind() Kind { return KindWitnessDrawn }

func (f *WitnessDrawn) asked(*pastView) (command, error) {
	return &drawWitnesses{f.lot, f.For}, nil
}

func (f *WitnessDrawn) fields(c *wire.Codec) {
	wire.Str(c, "for", &f.For)
	wire.Num(c, "id", &f.ID)
	f.lot.fields(c)
	wire.Strs(c, "agents", &f.Agents)
}

func (*WitnessDrawn) cite(*state, *Entry, TreeHead, TreeHead) {}

func (f *WitnessDrawn) cited() TreeHead { return f.Tree }

func (f *WitnessDrawn) apply(s *state, e *Entry) {
	switch f.For {
	case "crisis":
		x, _ := s.crises.Get(f.ID)
		x.awaits = 0
		if len(f.Agents) > 0 {
			x.drawn = f.Agents[0]
		}
		s.crises.Put(f.ID, x)
	case "constitution":
		a := s.amendments.Edit(s.amendment)
		a.awaits, a.drawn = 0, f.Agents
	}
	for _, i := range s.rowsOf(f.Agents) {
		s.notify(i, e.Seq, noticeWitnessAsked)
	}
}

func (f *WitnessDrawn) notice(noticeKind, string) (uint64, string) {
	if f.For == "crisis" {
		return f.ID, fmt.Sprintf("You were drawn to say whether the crisis of dispatch %d goes on; it ends by itself if you do not renew it.", f.ID)
	}
	return f.ID, fmt.Sprintf("You were drawn to witness the constitution that entry %d announces.", f.ID)
}
