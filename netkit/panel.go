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

// verdictsBy is when a panel drawn at a moment has to be done.
func (s *state) verdictsBy(at Millis) Millis { return at + Millis(s.law.Review.VerdictHours)*hour }

// redrawn is the seed of a redraw, which happens without a caller: it follows
// from the first, so that nobody chooses it.
func redrawn(seed [32]byte) [32]byte { return sha256.Sum256(append([]byte("redraw"), seed[:]...)) }

// panelDue ends a panel whose time is over: it is drawn anew once, and then
// an operator decides.
func (s *state) panelDue(it dueItem, at Millis) Fact {
	_, cs, err := s.reviewCase(it.id)
	if err != nil || cs.state != CaseWithPanel || cs.ends != it.at {
		return nil
	}
	f := &panelDrawn{Case: cs.id}
	if cs.round%2 == 0 {
		seed := redrawn(cs.seed)
		past := slices.Concat(cs.past, cs.panel)
		if panel := s.drawPanel(s.eligible(cs.reporter, cs.reported, past), seed); panel != nil {
			f.Seed, f.Panel, f.Ends = seed, s.slugsOf(panel), s.verdictsBy(at)
		}
	}
	return f
}

// panelDrawn records that a panel let its time pass: another was drawn, or,
// with Panel empty, an operator decides.
type panelDrawn struct {
	Case  uint64
	Seed  [32]byte
	Panel []string
	Ends  Millis
}

func (*panelDrawn) kind() Kind { return "case.redrawn" }

func (*panelDrawn) asked(*hindsight) (command, error) { return nil, nil }

func (f *panelDrawn) fields(c *codec) {
	num(c, "case", &f.Case)
	c.hash("seed", &f.Seed)
	strs(c, "panel", &f.Panel)
	num(c, "ends", &f.Ends)
}

func (f *panelDrawn) apply(s *state, e *Entry) {
	if row, _, err := s.reviewCase(f.Case); err == nil {
		cs := s.cases.change(row)
		cs.round |= 1
		s.convene(cs, f.Panel, f.Seed, f.Ends, e)
	}
}

// convene hands a case to a panel, or to the operators if there is none.
func (s *state) convene(cs *reviewCase, panel []string, seed [32]byte, ends Millis, e *Entry) {
	cs.past = slices.Concat(cs.past, cs.panel)
	cs.panel, cs.seed, cs.drawn, cs.ends = s.rowsOf(panel), seed, e.At, ends
	cs.state = CaseWithOperator
	if len(panel) > 0 {
		cs.state = CaseWithPanel
		s.due.plan(panelEnds, ends, cs.id)
	}
	for _, i := range cs.panel {
		s.notify(i, e.Seq, noticePanelDrawn)
	}
}
