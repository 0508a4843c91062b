package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// NightDates lists the dates that are over and not closed, up to one if that is
// given. It refuses callers that may not close them.
func (s *State) NightDates(by netkit.Caller, until *netkit.Day, now netkit.Millis) ([]netkit.Day, error) {
	if err := nightWorker(s, &Call{By: by}); err != nil {
		return nil, err
	}
	open := s.openNights(s.today(now))
	switch {
	case until == nil:
		return open, nil
	case *until < s.NextNight():
		return nil, conflict(code.DateClosed, "the date is closed already or before the network began", "a date is closed once")
	case *until >= s.today(now):
		return nil, netkit.Invalid("date", code.DateNotOver, "is not over yet", "close yesterday or earlier")
	}
	return open[:min(len(open), int(*until-s.NextNight())+1)], nil
}

// DryStep is the result of judging a few agents without recording anything.
type DryStep struct {
	Issues []netkit.BadgeIssue
	Judged int
	Next   uint32 // row to continue from
	Last   bool   // no row is left
	AsOf   netkit.AsOf
}

// DryNight judges the agents that a step of the night of a date would, from a row
// on.
func (s *State) DryNight(from uint32, date netkit.Day) DryStep {
	due, to := s.walkNight(from, date)
	out := DryStep{Judged: len(due), Next: to, Last: to == s.parties.Len(), AsOf: s.AsOf(s.root.At)}
	for _, i := range due {
		for _, f := range s.judge(i, date).Issues {
			out.Issues = append(out.Issues, f.issue())
		}
	}
	return out
}
