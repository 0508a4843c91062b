package rules

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Eligible lists the reviewers who may judge between sides: in good standing,
// no side, no counterparty of one, and not drawn for the case before. They
// stand in the order of their rows, since the draw goes by places in the list
// and an auditor has to draw the same, while a map has no order.
//
// A sponsor pays most reviewers sooner or later, and one that chooses whom it pays
// would choose its panel. Where its payments leave fewer than ReviewRules.PanelFloor
// of all reviewers, or too few for a panel, they keep none out.
func (s *State) Eligible(sides, past []uint32) []uint32 {
	fit := s.unrelated(sides, past, true)
	if s.law.Review.DealingsFloor > 0 && (len(fit) < s.law.Review.Panel || !s.leavesEnough(len(fit))) {
		fit = s.unrelated(sides, past, false)
	}
	return fit
}

// leavesEnough reports whether so many reviewers are PanelFloor of all those in
// good standing.
func (s *State) leavesEnough(eligible int) bool {
	floor := int64(s.law.Review.PanelFloor)
	if floor == 0 {
		return true
	}
	var all int64
	for i := range s.reviewers.M {
		if s.parties.At(i).Status == netkit.Active {
			all++
		}
	}
	return int64(eligible)*score.One >= floor*all
}

// sponsorsDealings completes a sentence about dealings that keep reviewers off.
func (s *State) sponsorsDealings() string {
	if s.law.Review.PanelFloor == 0 {
		return ""
	}
	return ", with a sponsor as long as " + s.law.Review.PanelFloor.String() + " of all reviewers remain"
}

// unrelated is eligible, with or without regard to what sponsors paid.
func (s *State) unrelated(sides, past []uint32, sponsors bool) (fit []uint32) {
	for i := range s.reviewers.M {
		if s.parties.At(i).Status != netkit.Active || slices.Contains(past, i) || slices.Contains(sides, i) {
			continue
		}
		if !slices.ContainsFunc(sides, func(side uint32) bool {
			return (sponsors || s.parties.At(side).Kind == netkit.AgentParty) && s.dealt(i, side)
		}) {
			fit = append(fit, i)
		}
	}
	slices.SortFunc(fit, byRow)
	return fit
}

// dealt reports whether a reviewer and a side did so much business that the
// reviewer is a party: any at all, or, where the constitution has a floor,
// that many credits within the look-back of the scores. What an agent paid
// stands in its own rows, what a sponsor paid in those of the agent.
func (s *State) dealt(reviewer, side uint32) bool {
	floor := s.law.Review.DealingsFloor
	var sum netkit.Credits
	for _, pair := range [2][2]uint32{{reviewer, side}, {side, reviewer}} {
		rows := s.parties.At(pair[0]).Agent.Evidence
		for k := range rows {
			if rows[k].With != pair[1] {
				continue
			}
			if floor == 0 {
				return true
			}
			sum += rows[k].Out
			if s.parties.At(pair[1]).Kind == netkit.SponsorParty {
				sum += rows[k].In
			}
		}
	}
	return floor > 0 && sum >= floor
}

// DrawPanel draws reviewers by a seed: a shuffle whose k-th number is the
// head of SHA-256(seed, k). It returns none when too few are eligible, and
// then an operator decides. Whoever has the journal can draw again.
func (s *State) DrawPanel(fit []uint32, seed [32]byte) []uint32 {
	size := s.panelSize(len(fit))
	if len(fit) < size {
		return nil
	}
	return drawnFrom(fit, seed, size)
}

// drawnFrom draws size of a list by a seed, see drawPanel.
func drawnFrom(fit []uint32, seed [32]byte, size int) []uint32 {
	for k := range size {
		sum := sha256.Sum256(append(seed[:], byte(k)))
		// 64 bits over a few thousand reviewers: the bias is beyond notice.
		j := k + int(binary.BigEndian.Uint64(sum[:])%uint64(len(fit)-k))
		fit[k], fit[j] = fit[j], fit[k]
	}
	return fit[:size]
}

// panelSize is how many are drawn of so many eligible reviewers. With two of
// twelve bought and the others right in 92 % of their verdicts, netkit/simulate
// finds 9 % of false reports upheld by panels of three, 2.5 % by panels of five.
func (s *State) panelSize(eligible int) int {
	size := s.law.Review.Panel
	for size+2 <= min(eligible, s.law.Review.LargestPanel) {
		size += 2
	}
	return size
}

// majority is how many of a case's panel decide.
func (s *State) majority(cs *ReviewCase) int {
	if s.law.Review.LargestPanel == 0 {
		return s.law.Review.Majority
	}
	return max(s.law.Review.Majority, len(cs.Panel)/2+1)
}

// PanelSeed is what a panel is drawn by: SHA-256("panel", root, case, round),
// the case in eight bytes and the round in one. There is no other randomness:
// a root that witnesses signed before is one that nobody can choose any more.
func PanelSeed(root netkit.Hash, id uint64, round uint8) [32]byte {
	b := append([]byte("panel"), root[:]...)
	b = binary.BigEndian.AppendUint64(b, id)
	return sha256.Sum256(append(b, round))
}

// Draw is the outcome of drawing a panel, as the entries of reports, appeals
// and redraws record it. With Panel empty an operator decides, unless it Waits:
// then an entry of kind case.drawn follows.
type Draw struct {
	Waits bool
	Seed  [32]byte
	Panel []string
	Due
	Tree netkit.TreeHead // whose root made the seed; zero in a redraw without a witnessed one
}

func (d *Draw) Fields(c *wire.Codec) {
	c.Flag("waits", &d.Waits)
	c.Hash("seed", &d.Seed)
	wire.Strs(c, "panel", &d.Panel)
	d.Due.Fields(c)
	treeHeadFields(&d.Tree, c)
}

func (d *Draw) cited() netkit.TreeHead { return d.Tree }

// by draws from those who are fit by the seed that tree gives, for a case whose
// deadlines may count in market time.
func (d *Draw) by(s *State, tree netkit.TreeHead, seed [32]byte, fit []uint32, at netkit.Millis, marketTime bool) {
	d.Seed, d.Tree = seed, tree
	if panel := s.DrawPanel(fit, seed); panel != nil {
		d.Panel, d.Due = s.SlugsOf(panel), s.verdictsBy(at, marketTime)
	}
}

// Due is when the verdicts of a panel are due, as entries record it. Where
// EndsMarket is not 0 it applies, and Ends is when that comes if crises that run
// end at their term.
type Due struct {
	Ends       netkit.Millis
	EndsMarket netkit.Millis
}

func (d *Due) Fields(c *wire.Codec) {
	wire.Num(c, "ends", &d.Ends)
	wire.Num(c, "ends_market", &d.EndsMarket)
}

// verdictsBy is when a panel drawn at a moment has to be done.
func (s *State) verdictsBy(at netkit.Millis, marketTime bool) (d Due) {
	on, ends := s.deadlineIn(netkit.Millis(s.law.Review.VerdictHours)*netkit.Hour, at, marketTime)
	return Due{ends, on.market}
}

// Redrawn is the seed of a redraw where no checkpoint has been witnessed yet:
// it follows from the one before, so that nobody chooses it.
func Redrawn(seed [32]byte) [32]byte { return sha256.Sum256(append([]byte("redraw"), seed[:]...)) }

// panelDue ends a panel whose time is over: it is drawn again as often as the
// constitution says, and then an operator decides.
func (s *State) panelDue(id uint64, on deadline) Fact {
	cs, err := s.reviewCase(id)
	if err != nil || cs.State != netkit.CaseWithPanel || cs.ends != on {
		return nil
	}
	f := &PanelDrawn{Case: cs.id}
	if s.law.Review.Redraws > 0 {
		f.Round = cs.round
		if s.redrawsLeft(cs) {
			f.Round++
			f.Waits = s.law.Review.DrawAfterFiling
		}
	}
	return f
}

// redrawsLeft reports whether the panel of a case may be drawn again in the
// judgement under way.
func (s *State) redrawsLeft(cs *ReviewCase) bool {
	return int(cs.round-cs.first) < cmp.Or(s.law.Review.Redraws, 1)
}

// PanelDrawn records that a panel let its time pass: another was drawn or
// will be, or, with Panel empty, an operator decides.
type PanelDrawn struct {
	Case  uint64
	Round uint8 // from now on; 0 is the second of the judgement
	Draw
}

func (*PanelDrawn) Kind() netkit.Kind { return netkit.KindCaseRedrawn }

func (*PanelDrawn) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *PanelDrawn) Fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Num(c, "round", &f.Round)
	f.Draw.Fields(c)
}

// Cite draws again where the panel need not wait for a value.
func (f *PanelDrawn) Cite(s *State, e *Entry, _, tree netkit.TreeHead) {
	cs, err := s.reviewCase(f.Case)
	if err != nil || f.Waits || !s.redrawsLeft(cs) {
		return
	}
	seed := PanelSeed(tree.Root, cs.id, cs.round+1)
	if tree == (netkit.TreeHead{}) {
		seed = Redrawn(cs.seed)
	}
	f.by(s, tree, seed, s.Eligible(s.judgedSides(cs), slices.Concat(cs.past, cs.Panel)), e.At, cs.marketTime)
}

func (f *PanelDrawn) Apply(s *State, e *Entry) {
	if cs, err := s.reviewCase(f.Case); err == nil {
		s.cases.Edit(cs)
		if cs.round |= 1; f.Round != 0 {
			cs.round = f.Round
		}
		s.convene(cs, &f.Draw, e)
	}
}

// convene hands a case to a panel, or to the operators if there is none, or
// has it wait for the draw.
func (s *State) convene(cs *ReviewCase, d *Draw, e *Entry) {
	cs.past = slices.Concat(cs.past, cs.Panel)
	cs.Panel, cs.seed, cs.drawn, cs.ends = s.RowsOf(d.Panel), d.Seed, e.At, either(d.Ends, d.EndsMarket)
	cs.State = d.state()
	switch cs.State {
	case netkit.CaseDrawing:
		cs.awaits = e.Seq
		s.undrawn.Put(cs.id, e.Seq)
	case netkit.CaseWithPanel:
		s.deadlines.planDeadline(panelEnds, cs.ends, cs.id)
	}
	for _, i := range cs.Panel {
		s.notify(i, e.Seq, noticePanelDrawn)
	}
}
