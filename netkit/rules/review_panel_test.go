package rules

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/rulestest"
)

// Reviewers who are a party, did business with one, or were drawn before are
// never drawn; the same seed draws the same panel.
func TestPanelsAreDrawnFromTheEligible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewState()
		s.law = rulestest.EarlierLaw()
		n := rapid.IntRange(3, 30).Draw(t, "agents")
		for range n {
			s.enrol(Party{Status: rapid.SampledFrom([]netkit.Status{netkit.Active, netkit.Active, netkit.Active, netkit.Suspended}).Draw(t, "status")})
		}
		for i := range uint32(n) {
			if rapid.Bool().Draw(t, "reviewer") {
				s.reviewers.Put(i, struct{}{})
			}
			if rapid.IntRange(0, 3).Draw(t, "dealt") == 0 {
				s.EvidenceOf(i, rapid.Uint32Range(0, uint32(n)-1).Draw(t, "with"), 1)
			}
		}
		past := []uint32{rapid.Uint32Range(0, uint32(n)-1).Draw(t, "past")}
		var seed [32]byte
		seed[0] = rapid.Byte().Draw(t, "seed")
		var want int
		for i := range uint32(n) {
			if fitByDefinition(s, i, past) {
				want++
			}
		}
		fit := s.Eligible([]uint32{0, 1}, past)
		if len(fit) != want {
			t.Fatalf("got %d eligible, want %d", len(fit), want)
		}
		panel := s.DrawPanel(slices.Clone(fit), seed)
		if (panel != nil) != (want >= 3) {
			t.Fatalf("got %v of %d, want a panel of three or none", panel, want)
		}
		for k, i := range panel {
			if !fitByDefinition(s, i, past) || slices.Contains(panel[:k], i) {
				t.Fatalf("%d in %v is not eligible or twice there", i, panel)
			}
		}
		if again := s.DrawPanel(slices.Clone(fit), seed); !slices.Equal(again, panel) {
			t.Fatalf("the same seed: got %v, want %v", again, panel)
		}
	})
}

func fitByDefinition(s *State, i uint32, past []uint32) bool {
	if _, ok := s.reviewers.Get(i); !ok || i < 2 || s.parties.At(i).Status != netkit.Active || slices.Contains(past, i) {
		return false
	}
	for a := range uint32(2) {
		for _, ev := range s.parties.At(a).Agent.Evidence {
			if ev.With == i {
				return false
			}
		}
		for _, ev := range s.parties.At(i).Agent.Evidence {
			if ev.With == a {
				return false
			}
		}
	}
	return true
}

// Every reviewer has the same chance.
func TestPanelsAreFair(t *testing.T) {
	s := NewState()
	s.law = rulestest.EarlierLaw()
	drawn := map[uint32]int{}
	for k := range 5000 {
		var seed [32]byte
		seed[0], seed[1] = byte(k), byte(k>>8)
		for _, i := range s.DrawPanel([]uint32{0, 1, 2, 3, 4, 5}, seed) {
			drawn[i]++
		}
	}
	for i, n := range drawn {
		if n < 2350 || n > 2650 { // 2,500 expected, deviation 35
			t.Errorf("reviewer %d was drawn %d times of 5000, want about 2500", i, n)
		}
	}
}

func TestPanelOfFewReviewers(t *testing.T) {
	for _, c := range []struct{ eligible, want int }{{2, 3}, {3, 3}, {4, 3}, {5, 5}, {6, 5}, {40, 5}} {
		s := NewState()
		s.law = netkit.Version1()
		if got := s.panelSize(c.eligible); got != c.want {
			t.Errorf("got a panel of %d of %d eligible, want %d", got, c.eligible, c.want)
		}
		s.law.Review.LargestPanel = 0
		if got := s.panelSize(c.eligible); got != 3 {
			t.Errorf("got a panel of %d of %d under the old rule, want 3", got, c.eligible)
		}
	}
}
