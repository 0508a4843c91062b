package rules

import (
	"iter"
	"slices"

	"github.com/agentnet/netctl/netkit"
)

// Under ReviewRules.OneCasePerAgent a case is about all executions of one agent
// that one sponsor reports under one law until its panel is drawn. Reports that
// come later are the next case; its panel is drawn after the first was decided, so
// that a sponsor occupies one panel for an agent at a time. The verdict names the
// executions that it upholds; the others are paid.

// complaint identifies the reports of one case: they share its fields.
type complaint struct {
	sponsor, agent uint32
	law            netkit.Status
	marketTime     bool
}

// complaintOf returns the complaint of a case that a sponsor began.
func (s *State) complaintOf(cs *ReviewCase) (complaint, bool) {
	return complaint{cs.reporter, cs.Reported, cs.law, cs.marketTime},
		cs.execution && s.parties.At(cs.reporter).Kind == netkit.SponsorParty
}

// caseFor returns the case that collects the reports of a complaint, nil if a
// report begins one, and the case that is decided before that, 0 if there is none.
func (s *State) caseFor(key complaint) (collects *ReviewCase, after uint64) {
	if !s.law.Review.OneCasePerAgent || s.parties.At(key.sponsor).Kind != netkit.SponsorParty {
		return nil, 0
	}
	id, _ := s.complaints.Get(key)
	switch cs, ok := s.cases.Get(id); {
	case !ok:
		return nil, 0
	case cs.State == netkit.CaseDrawing && cs.round == 0 && cs.appeal == 0:
		return cs, 0
	case cs.settle == 0:
		return nil, cs.id
	}
	return nil, 0
}

// waitsForOther reports whether the first panel of a case is drawn after another
// case was decided, which it is not yet.
func (s *State) waitsForOther(cs *ReviewCase) bool {
	first, ok := s.cases.Get(cs.after)
	return cs.after != 0 && ok && first.settle == 0
}

// keys yields the subjects of a case, each with the entry that brought it in.
func (r *ReviewCase) keys() iter.Seq2[judgedKey, uint64] {
	return func(yield func(judgedKey, uint64) bool) {
		if !yield(r.key(), r.id) {
			return
		}
		for k := range r.joined {
			if x := &r.joined[k]; x.earned.Id != 0 && !yield(judgedKey{x.subject, r.law}, x.entry) {
				return
			}
		}
	}
}

// reports lists the reports of a case, the first one first, each with its subject.
func (r *ReviewCase) reports() []joinedReport {
	if r.byNight {
		return nil
	}
	all := append([]joinedReport{{entry: r.id, reporter: r.reporter, bond: r.bond, subject: r.subject, follows: r.follows}}, r.joined...)
	for k := range all {
		if all[k].subject == 0 {
			all[k].subject = r.subject
		}
	}
	return all
}

// executions lists the earnings of the executions that a case is about.
func (r *ReviewCase) executions() (all []*Earned) {
	if r.execution {
		all = append(all, &r.Earned)
	}
	for k := range r.joined {
		if x := &r.joined[k].earned; x.Id != 0 {
			all = append(all, x)
		}
	}
	return all
}

// judges lists the executions that the present panel judges: all, or in the appeal
// of an upheld case those that it upheld.
func (r *ReviewCase) judges() (all []uint64) {
	for _, x := range r.executions() {
		if !r.weighs || !slices.Contains(r.spared, x.Id) {
			all = append(all, x.Id)
		}
	}
	return all
}

// upholds reports whether the latest judgement of a case upholds a report about a
// subject.
func (r *ReviewCase) upholds(subject uint64) bool {
	return r.State == netkit.CaseUpheld && !slices.Contains(r.spared, subject)
}

// sparedBy lists the executions that a judgement does not uphold which upholds some:
// upheld counts the verdicts for one.
func (r *ReviewCase) sparedBy(upheld func(execution uint64) bool) (spared []uint64, any bool) {
	judged := r.judges()
	for _, x := range r.executions() {
		if slices.Contains(judged, x.Id) && upheld(x.Id) {
			any = true
		} else {
			spared = append(spared, x.Id)
		}
	}
	return spared, any
}

// named reports whether a list of executions that a verdict or an operator upholds
// has one; an empty list has all.
func named(list []uint64, execution uint64) bool {
	return len(list) == 0 || slices.Contains(list, execution)
}
