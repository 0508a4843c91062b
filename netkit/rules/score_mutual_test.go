package rules

import (
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// In a large club each pair exchanges few answers, one of the two mostly more. The even
// part of them shows the club, and an agent that asks others than those which ask
// it has none.
func TestEvenAnswersShowALargeClub(t *testing.T) {
	s := NewState()
	s.law = netkit.Version1()
	at := LastMoment(100)
	for k := range 61 {
		s.enrol(Party{Slug: fmt.Sprintf("agent-%02d", k), Kind: netkit.AgentParty})
	}
	answers := func(by, to uint32, n int) {
		s.EvidenceOf(by, to, 90).Answered += uint32(n)
		s.EvidenceOf(to, by, 90).Out += netkit.Credits(n) * netkit.Credit
	}
	// Agent 0 gives each of 30 members 2 answers, and gets 1 back.
	for k := uint32(1); k <= 30; k++ {
		answers(0, k, 2)
		answers(k, 0, 1)
	}
	// Agent 31 answers 60 and asks one of them, once.
	for k := uint32(32); k <= 60; k++ {
		answers(31, k, 2)
	}
	answers(40, 31, 1)
	for _, c := range []struct {
		agent        uint32
		mutual, even int64
		found        bool
	}{{0, 0, 30, true}, {31, 0, 1, false}} {
		if mutual, even := s.mutualAnswers(c.agent, at), s.evenAnswers(c.agent, at); mutual != c.mutual || even != c.even {
			t.Errorf("agent %d: got %d mutual and %d even answers, want %d and %d", c.agent, mutual, even, c.mutual, c.even)
		}
		found := false
		for _, d := range s.detect(c.agent, 100, false) {
			found = found || d.Name == "even_answers"
		}
		if found != c.found {
			t.Errorf("agent %d: got found %v, want %v", c.agent, found, c.found)
		}
	}
}
