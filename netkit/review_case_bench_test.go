package netkit

import (
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit/internal/fanout"
)

// million is a state of a million agents, most of which did nothing.
func million(b *testing.B, busy int) *state {
	b.Helper()
	s := newState()
	s.law = Version1()
	for k := range uint32(1_000_000) {
		s.enrol(party{slug: fmt.Sprintf("agent-%07d", k), since: day})
	}
	for k := range uint32(busy) {
		for d := range Day(20) {
			ev := s.evidenceOf(k*(1_000_000/uint32(busy)), 1+(k+uint32(d))%7, 20+d)
			ev.in, ev.stands = 5*Credit, 2
		}
	}
	s.commit()
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
			(&NightStepped{Date: 39, From: from, To: to}).apply(s, &Entry{})
			from, judged = to, judged+len(due)
		}
		s.rollback()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(steps), "µs/step")
	b.ReportMetric(float64(judged)/float64(b.N), "judged")
}

// BenchmarkWitnesses looks for three witnesses among a million agents of
// which the last three alone qualify.
func BenchmarkWitnesses(b *testing.B) {
	s := million(b, 1)
	for k := range uint32(3) {
		s.parties.At(999_997 + k).agent.confirmed = true
		s.prove(999_997 + k)
	}
	for b.Loop() {
		if !s.enoughWitnesses(30*day, stakes{}) {
			b.Fatal("got too few, want enough")
		}
	}
}

// BenchmarkTier computes the tier of an agent with a badge: what an execution
// at BADGED or ELITE costs on top.
func BenchmarkTier(b *testing.B) {
	s := million(b, 1)
	a := &s.parties.Change(0).agent
	a.confirmed, a.transactions = true, 40
	s.parties.Change(0).badges = 1 << DisputeMaster
	b.ReportAllocs()
	for b.Loop() {
		s.tier(0, lastMoment(39))
	}
}
