package netkit

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Reviewers who are a party, did business with one, or were drawn before are
// never drawn; the same seed draws the same panel.
func TestPanelsAreDrawnFromTheEligible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newState()
		s.law = Version1()
		n := rapid.IntRange(3, 30).Draw(t, "agents")
		for range n {
			s.enrol(party{status: rapid.SampledFrom([]Status{Active, Active, Active, Suspended}).Draw(t, "status")})
		}
		for i := range uint32(n) {
			if rapid.Bool().Draw(t, "reviewer") {
				s.reviewers.put(i, struct{}{})
			}
			if rapid.IntRange(0, 3).Draw(t, "dealt") == 0 {
				s.evidenceOf(i, rapid.Uint32Range(0, uint32(n)-1).Draw(t, "with"), 1)
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
		fit := s.eligible(0, 1, past)
		if len(fit) != want {
			t.Fatalf("got %d eligible, want %d", len(fit), want)
		}
		panel := s.drawPanel(slices.Clone(fit), seed)
		if (panel != nil) != (want >= 3) {
			t.Fatalf("got %v of %d, want a panel of three or none", panel, want)
		}
		for k, i := range panel {
			if !fitByDefinition(s, i, past) || slices.Contains(panel[:k], i) {
				t.Fatalf("%d in %v is not eligible or twice there", i, panel)
			}
		}
		if again := s.drawPanel(slices.Clone(fit), seed); !slices.Equal(again, panel) {
			t.Fatalf("the same seed: got %v, want %v", again, panel)
		}
	})
}

func fitByDefinition(s *state, i uint32, past []uint32) bool {
	if _, ok := s.reviewers.get(i); !ok || i < 2 || s.parties.at(i).status != Active || slices.Contains(past, i) {
		return false
	}
	for a := range uint32(2) {
		for _, ev := range s.parties.at(a).agent.evidence {
			if ev.with == i {
				return false
			}
		}
		for _, ev := range s.parties.at(i).agent.evidence {
			if ev.with == a {
				return false
			}
		}
	}
	return true
}

// Every reviewer has the same chance.
func TestPanelsAreFair(t *testing.T) {
	s := newState()
	s.law = Version1()
	drawn := map[uint32]int{}
	for k := range 5000 {
		var seed [32]byte
		seed[0], seed[1] = byte(k), byte(k>>8)
		for _, i := range s.drawPanel([]uint32{0, 1, 2, 3, 4, 5}, seed) {
			drawn[i]++
		}
	}
	for i, n := range drawn {
		if n < 2350 || n > 2650 { // 2,500 expected, deviation 35
			t.Errorf("reviewer %d was drawn %d times of 5000, want about 2500", i, n)
		}
	}
}
