package netkit

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// eligible lists the reviewers who may judge a case: in good standing, no
// party, no counterparty of one, and not drawn for it before. They stand in the
// order of their rows, since the draw goes by places in the list and an auditor
// has to draw the same, while a map has no order.
func (s *state) eligible(reporter, reported uint32, past []uint32) []uint32 {
	near := map[uint32]bool{reporter: true, reported: true}
	for _, side := range [2]uint32{reporter, reported} {
		for k := range s.parties.at(side).agent.evidence {
			near[s.parties.at(side).agent.evidence[k].with] = true
		}
	}
	// What a reviewer paid without backing stands in its own rows alone.
	dealt := func(e evidence) bool { return e.with == reporter || e.with == reported }
	var fit []uint32
	for i := range s.reviewers.m {
		p := s.parties.at(i)
		if !near[i] && p.status == Active && !slices.Contains(past, i) && !slices.ContainsFunc(p.agent.evidence, dealt) {
			fit = append(fit, i)
		}
	}
	slices.SortFunc(fit, byRow)
	return fit
}

// drawPanel draws reviewers by a seed: a shuffle whose k-th number is the
// head of SHA-256(seed, k). It returns none when too few are eligible, and
// then an operator decides. Whoever has the journal can draw again.
func (s *state) drawPanel(fit []uint32, seed [32]byte) []uint32 {
	size := s.law.Review.Panel
	if len(fit) < size {
		return nil
	}
	for k := range size {
		sum := sha256.Sum256(append(seed[:], byte(k)))
		// 64 bits over a few thousand reviewers: the bias is beyond notice.
		j := k + int(binary.BigEndian.Uint64(sum[:])%uint64(len(fit)-k))
		fit[k], fit[j] = fit[j], fit[k]
	}
	return fit[:size]
}

// panelSeed is what a panel is drawn by: SHA-256("panel", root, case, round),
// the case in eight bytes and the round in one. There is no other randomness:
// a root that witnesses signed before is one that nobody can choose any more.
func panelSeed(root Hash, id uint64, round uint8) [32]byte {
	b := append([]byte("panel"), root[:]...)
	b = binary.BigEndian.AppendUint64(b, id)
	return sha256.Sum256(append(b, round))
}

// draw is the outcome of drawing a panel, as the entries of reports, appeals
// and redraws record it. With Panel empty an operator decides.
type draw struct {
	Seed  [32]byte
	Panel []string
	Ends  Millis
	Tree  TreeHead // whose root made the seed; zero in a redraw without a witnessed one
}

func (d *draw) fields(c *codec) {
	c.hash("seed", &d.Seed)
	strs(c, "panel", &d.Panel)
	num(c, "ends", &d.Ends)
	d.Tree.fields(c)
}

func (d *draw) cited() TreeHead { return d.Tree }

// by draws from those who are fit by the seed that tree gives.
func (d *draw) by(s *state, tree TreeHead, seed [32]byte, fit []uint32, at Millis) {
	d.Seed, d.Tree = seed, tree
	if panel := s.drawPanel(fit, seed); panel != nil {
		d.Panel, d.Ends = s.slugsOf(panel), s.verdictsBy(at)
	}
}

// verdictsBy is when a panel drawn at a moment has to be done.
func (s *state) verdictsBy(at Millis) Millis { return at + Millis(s.law.Review.VerdictHours)*hour }

// redrawn is the seed of a redraw where no checkpoint has been witnessed yet:
// it follows from the one before, so that nobody chooses it.
func redrawn(seed [32]byte) [32]byte { return sha256.Sum256(append([]byte("redraw"), seed[:]...)) }

// panelDue ends a panel whose time is over: it is drawn anew once, and then
// an operator decides.
func (s *state) panelDue(it dueItem) Fact {
	_, cs, err := s.reviewCase(it.id)
	if err != nil || cs.state != CaseWithPanel || cs.ends != it.at {
		return nil
	}
	return &panelDrawn{Case: cs.id}
}

// panelDrawn records that a panel let its time pass: another was drawn, or,
// with Panel empty, an operator decides.
type panelDrawn struct {
	Case uint64
	draw
}

func (*panelDrawn) kind() Kind { return "case.redrawn" }

func (*panelDrawn) asked(*hindsight) (command, error) { return nil, nil }

func (f *panelDrawn) fields(c *codec) {
	num(c, "case", &f.Case)
	f.draw.fields(c)
}

// cite draws anew once in each of the two judgements that a case may have.
func (f *panelDrawn) cite(s *state, e *Entry, _, tree TreeHead) {
	_, cs, err := s.reviewCase(f.Case)
	if err != nil || cs.round%2 != 0 {
		return
	}
	seed := panelSeed(tree.Root, cs.id, cs.round|1)
	if tree == (TreeHead{}) {
		seed = redrawn(cs.seed)
	}
	f.by(s, tree, seed, s.eligible(cs.reporter, cs.reported, slices.Concat(cs.past, cs.panel)), e.At)
}

func (f *panelDrawn) apply(s *state, e *Entry) {
	if row, _, err := s.reviewCase(f.Case); err == nil {
		cs := s.cases.change(row)
		cs.round |= 1
		s.convene(cs, &f.draw, e)
	}
}

// convene hands a case to a panel, or to the operators if there is none.
func (s *state) convene(cs *reviewCase, d *draw, e *Entry) {
	cs.past = slices.Concat(cs.past, cs.panel)
	cs.panel, cs.seed, cs.drawn, cs.ends = s.rowsOf(d.Panel), d.Seed, e.At, d.Ends
	cs.state = CaseWithOperator
	if len(d.Panel) > 0 {
		cs.state = CaseWithPanel
		s.due.plan(panelEnds, d.Ends, cs.id)
	}
	for _, i := range cs.panel {
		s.notify(i, e.Seq, noticePanelDrawn)
	}
}
