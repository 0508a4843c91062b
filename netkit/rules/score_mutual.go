package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
)

// mutualAnswers counts the backed answers of an agent within the look-back of
// diversity that it gave to senders which answered it as often. Members of a club
// that ask each other pay nothing in sum, and all of them look sought after.
func (s *State) mutualAnswers(i uint32, at netkit.Millis) (mutual int64) {
	s.exchanges(i, at, func(given, got int64) {
		if got >= given {
			mutual += given
		}
	})
	return mutual
}

// evenAnswers counts the backed answers of an agent for which the same sender gave it
// one back. In a large club each pair exchanges few, and one of the two mostly gave
// more: of these mutualAnswers counts nothing.
func (s *State) evenAnswers(i uint32, at netkit.Millis) (even int64) {
	s.exchanges(i, at, func(given, got int64) { even += min(given, got) })
	return even
}

// exchanges calls do for each sender of an agent that gave it an answer too, with the
// backed answers that the agent gave to the sender and got of it.
func (s *State) exchanges(i uint32, at netkit.Millis, do func(given, got int64)) {
	var by score.Tally[answersOf]
	rows := s.parties.At(i).Agent.Evidence
	for k := range rows {
		if ev := &rows[k]; (ev.Answered > 0 || ev.Out > 0) && s.inDiversityWindow(at, ev.Day) {
			x := by.Of(ev.With)
			x.given += int64(ev.Answered)
			x.paid = x.paid || ev.Out > 0
		}
	}
	by.Each(func(j uint32, x *answersOf) {
		if x.given > 0 && x.paid {
			do(x.given, s.answersTo(j, i, at))
		}
	})
}

// answersOf counts the answers between an agent and a sender.
type answersOf struct {
	given int64 // answers to the sender
	paid  bool  // the agent paid the sender, which it did if that answered it
}

// answersTo counts the backed answers of agent j to agent i.
func (s *State) answersTo(j, i uint32, at netkit.Millis) (n int64) {
	rows := s.parties.At(j).Agent.Evidence
	for k := range rows {
		if ev := &rows[k]; ev.With == i && s.inDiversityWindow(at, ev.Day) {
			n += int64(ev.Answered)
		}
	}
	return n
}

// inDiversityWindow reports whether a day lies in the look-back of diversity.
func (s *State) inDiversityWindow(at netkit.Millis, d netkit.Day) bool {
	return score.InWindow(int64(at.Day()), int64(d), int64(s.law.Scores.DiversityDays))
}
