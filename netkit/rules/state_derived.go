package rules

import "github.com/agentnet/netctl/netkit"

// The tables that follow from others, filled in after a snapshot was read.

func (s *State) deriveSlugs() {
	for i, p := range s.parties.All() {
		s.slugs.M[p.Slug] = i
		p.Badges = ActiveOn(s.extra(p).Wall)
	}
}

func (s *State) deriveSponsors() {
	for i, p := range s.parties.All() {
		if p.Kind == netkit.SponsorParty {
			s.sponsors.Add(i)
		}
	}
}

func (s *State) deriveConfirmed() {
	for _, p := range s.parties.All() {
		if p.Agent.Confirmed {
			s.confirmed.M[s.extra(p).Address]++
		}
	}
}

func (s *State) deriveProved() {
	for i, p := range s.parties.All() {
		if p.Agent.Confirmed {
			s.prove(i)
		}
	}
}

func (s *State) deriveReviewers() {
	for i, p := range s.parties.All() {
		if p.roles&netkit.Reviewer != 0 {
			s.reviewers.M[i] = struct{}{}
		}
	}
}

func (s *State) deriveJudged() {
	latest := map[judgedKey]uint64{} // entry of the report
	for _, cs := range s.cases.All() {
		for key, entry := range cs.keys() {
			if entry >= latest[key] {
				latest[key], s.judged.M[key] = entry, cs.id
			}
		}
	}
}

func (s *State) deriveComplaints() {
	for _, cs := range s.cases.All() {
		if key, ok := s.complaintOf(cs); ok {
			s.complaints.M[key] = max(s.complaints.M[key], cs.id)
		}
	}
}

func (s *State) deriveUndrawn() {
	for _, cs := range s.cases.All() {
		if cs.State == netkit.CaseDrawing {
			s.undrawn.M[cs.id] = cs.awaits
		}
	}
}

func (s *State) deriveSealed() {
	for _, cs := range s.cases.All() {
		if len(cs.sealedVotes(false)) > 0 && !cs.State.Decided() {
			s.sealed.M[cs.id] = struct{}{}
		}
	}
}
