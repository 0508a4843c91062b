package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
)

// reporters returns the rows of all whose reports the case judges.
func (r *ReviewCase) reporters() (all []uint32) {
	if r.byNight {
		return nil
	}
	all = append(all, r.reporter)
	for _, x := range r.joined {
		if !slices.Contains(all, x.reporter) {
			all = append(all, x.reporter)
		}
	}
	return all
}

// parties returns the rows of all sides.
func (r *ReviewCase) parties() []uint32 { return append(r.reporters(), r.Reported) }

// judgedSides returns the rows of the parties with whom reviewers of a case must have
// no dealings.
func (s *State) judgedSides(r *ReviewCase) []uint32 {
	if s.law.Detectors.CirculationSides {
		return append(r.parties(), r.circle...)
	}
	return r.parties()
}

// sides returns the slugs of reporter and reported.
func (s *State) sides(r *ReviewCase) [2]string {
	if r.byNight {
		return [2]string{netkit.NetworkActor, s.parties.At(r.Reported).Slug}
	}
	return [2]string{s.parties.At(r.reporter).Slug, s.parties.At(r.Reported).Slug}
}

// knows reports whether a party may read the texts of a case: the two sides,
// its reviewers and operators.
func (r *ReviewCase) knows(i uint32, p *Party) bool {
	return p.Kind == netkit.OperatorParty || r.concerns(i)
}

// reviews reports whether a party was drawn to judge something.
func (s *State) reviews(i uint32, subject uint64) bool {
	for _, law := range []netkit.Status{netkit.Suspended, netkit.Rogue} {
		if cs, ok := s.latestCase(judgedKey{subject, law}); ok {
			if slices.Contains(cs.Panel, i) || slices.Contains(cs.past, i) {
				return true
			}
		}
	}
	return false
}

func (r *ReviewCase) concerns(i uint32) bool {
	return slices.Contains(r.parties(), i) || slices.Contains(r.Panel, i) || slices.Contains(r.past, i)
}
