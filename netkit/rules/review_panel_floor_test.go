package rules

import (
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// A sponsor that has paid most reviewers cannot choose who is left: its dealings
// keep reviewers off a panel only while half of them remain.
func TestSponsorsDealingsLeaveHalfOfTheReviewers(t *testing.T) {
	for _, c := range []struct {
		floor               netkit.Ratio
		bySponsor, byAgent  uint32 // reviewers of twelve with dealings
		suspended, eligible int
	}{
		{5000, 6, 0, 0, 6},
		{5000, 7, 0, 0, 12}, // five would remain
		{5000, 9, 0, 0, 12},
		{5000, 4, 3, 0, 9}, // five would remain, and agents' dealings count in any case
		{5000, 3, 3, 0, 6},
		{5000, 5, 0, 4, 8}, // three of the eight in good standing would remain
		{5000, 4, 0, 4, 4},
		{0, 9, 0, 0, 3}, // as before: a panel can be drawn
		{0, 10, 0, 0, 12},
	} {
		s := NewState()
		s.law = netkit.Version1()
		s.law.Review.PanelFloor = c.floor
		s.enrol(Party{Slug: "acme", Kind: netkit.SponsorParty})
		s.enrol(Party{Slug: "ada", Kind: netkit.AgentParty})
		for k := range uint32(12) {
			i := k + 2
			s.enrol(Party{Slug: fmt.Sprintf("reviewer-%d", k), Kind: netkit.AgentParty})
			s.reviewers.Put(i, struct{}{})
			switch {
			case k < c.bySponsor:
				s.EvidenceOf(i, 0, 1).In = 5 * netkit.Credit
			case k < c.bySponsor+c.byAgent:
				s.EvidenceOf(1, i, 1).Out = 5 * netkit.Credit
			case k >= 12-uint32(c.suspended):
				s.parties.At(i).Status = netkit.Suspended
			}
		}
		if got := len(s.Eligible([]uint32{0, 1}, nil)); got != c.eligible {
			t.Errorf("got %d eligible of %+v, want %d", got, c, c.eligible)
		}
	}
}
