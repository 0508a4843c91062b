package rules

import (
	"cmp"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// qualified lists those who qualify as witness of something, by row.
func (s *State) qualified(at netkit.Millis, x stakes) (rows []uint32) {
	for i, p := range s.parties.All() {
		if p.Kind == netkit.AgentParty && p.Status == netkit.Active && x.bar(p) == nil && s.seasoned(p, at) == nil {
			rows = append(rows, i)
		}
	}
	return rows
}

// DrawWitnesses draws the agents whose word something waits for.
type DrawWitnesses struct {
	Lot
	For string // "crisis" or "constitution"
}

func (*DrawWitnesses) Route() string { return "draw" }

func (c *DrawWitnesses) Decide(s *State, call *Call) error {
	if err := call.network(); err != nil {
		return err
	}
	w, by, want, ok := s.waiting(c.For, c.ID)
	if !ok || w.round != c.Round {
		return conflict(code.CaseNotDrawing, "nothing waits for this draw", "")
	}
	if err := c.check(s, c.For, w.Awaits); err != nil {
		return err
	}
	f := &WitnessDrawn{For: c.For, Lot: c.Lot}
	fit := s.qualified(call.At, stakes{revoker: by})
	if len(fit) >= max(want, s.neededFor(c.For)) {
		f.Agents = s.SlugsOf(drawnFrom(fit, c.seed(), want))
	}
	call.Add(f)
	return nil
}

// neededFor is how many agents have to qualify so that any is drawn.
func (s *State) neededFor(what string) int {
	if what == "crisis" {
		return cmp.Or(s.law.Review.WitnessesNeeded, 1)
	}
	return 0
}

// waiting returns what waits for agents to be drawn, who has a stake in it, and
// how many are drawn.
func (s *State) waiting(what string, id uint64) (w PendingLot, by string, want int, ok bool) {
	switch what {
	case "crisis":
		x, found := s.crises.Get(id)
		return s.pendingLot(what, id, x.round, x.awaits), x.by, 1, found && x.awaits != 0
	case "constitution":
		a := s.amendment
		return s.pendingLot(what, id, 0, a.awaits), a.by, s.law.Amendment.Witnesses, a.id == id && a.awaits != 0
	}
	return w, "", 0, false
}

// WitnessDrawn records the agents whose word a crisis or an announced
// constitution waits for, and the value that they were drawn by; none where too
// few qualify.
type WitnessDrawn struct {
	For string
	Lot
	Agents []string
}

func (*WitnessDrawn) Kind() netkit.Kind { return netkit.KindWitnessDrawn }

func (f *WitnessDrawn) CommandOf(*PastView) (Command, error) {
	return &DrawWitnesses{f.Lot, f.For}, nil
}

func (f *WitnessDrawn) Fields(c *wire.Codec) {
	wire.Str(c, "for", &f.For)
	wire.Num(c, "id", &f.ID)
	f.Lot.Fields(c)
	wire.Strs(c, "agents", &f.Agents)
}

func (*WitnessDrawn) Cite(*State, *Entry, netkit.TreeHead, netkit.TreeHead) {}

func (f *WitnessDrawn) cited() netkit.TreeHead { return f.Tree }

func (f *WitnessDrawn) Apply(s *State, e *Entry) {
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
	for _, i := range s.RowsOf(f.Agents) {
		s.notify(i, e.Seq, noticeWitnessAsked)
	}
}

func (f *WitnessDrawn) notice(noticeKind, string) (uint64, string) {
	if f.For == "crisis" {
		return f.ID, fmt.Sprintf("You were drawn to say whether the crisis of dispatch %d goes on; it ends by itself if you do not renew it.", f.ID)
	}
	return f.ID, fmt.Sprintf("You were drawn to witness the constitution that entry %d announces.", f.ID)
}
