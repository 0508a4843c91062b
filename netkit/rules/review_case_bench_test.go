package rules

import (
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/fanout"
)

// million is a state of a million agents, most of which did nothing.
func million(b *testing.B, busy int) *State {
	b.Helper()
	s := NewState()
	s.law = netkit.Version1()
	for k := range uint32(1_000_000) {
		s.enrol(Party{Slug: fmt.Sprintf("agent-%07d", k), since: netkit.FullDay})
	}
	for k := range uint32(busy) {
		for d := range netkit.Day(20) {
			ev := s.EvidenceOf(k*(1_000_000/uint32(busy)), 1+(k+uint32(d))%7, 20+d)
			ev.In, ev.Stands = 5*netkit.Credit, 2
		}
	}
	s.Commit()
	return s
}

// BenchmarkNight closes one date over a million agents, ten thousand of which
// did something.
func BenchmarkNight(b *testing.B) {
	s := million(b, 10_000)
	var judged, steps int
	for b.Loop() {
		for from := uint32(0); from < s.parties.Len(); steps++ {
			due, to := s.walkNight(from, 39)
			fanout.Each(len(due), func(k int) { s.judge(due[k], 39) })
			(&NightStepped{Date: 39, From: from, To: to}).Apply(s, &Entry{})
			from, judged = to, judged+len(due)
		}
		s.Rollback()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(steps), "µs/step")
	b.ReportMetric(float64(judged)/float64(b.N), "judged")
}

// BenchmarkWitnesses looks for three witnesses among a million agents of
// which the last three alone qualify.
func BenchmarkWitnesses(b *testing.B) {
	s := million(b, 1)
	for k := range uint32(3) {
		s.parties.At(999_997 + k).Agent.Confirmed = true
		s.prove(999_997 + k)
	}
	for b.Loop() {
		if !s.enoughWitnesses(30*netkit.FullDay, stakes{}) {
			b.Fatal("got too few, want enough")
		}
	}
}

// BenchmarkTier computes the tier of an agent with a badge: what an execution
// at BADGED or ELITE costs on top.
func BenchmarkTier(b *testing.B) {
	s := million(b, 1)
	a := &s.parties.Change(0).Agent
	a.Confirmed, a.Transactions = true, 40
	s.parties.Change(0).Badges = 1 << netkit.DisputeMaster
	b.ReportAllocs()
	for b.Loop() {
		s.tier(0, LastMoment(39))
	}
}
