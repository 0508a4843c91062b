package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// CloseNight closes every date that is over and was not closed yet, up to
// in.Date if that is given, and issues the badges earned. It goes on where an
// earlier call stopped; other commands run between its steps. An operator
// calls it; a server's own timer acts as [NetworkActor].
//
// Refusals: date_closed, date_not_next, date_not_over.
func (ses *Session) CloseNight(ctx context.Context, in netkit.CloseNight) (netkit.NightReport, error) {
	ctx = netkit.WithKey(ctx, "") // a date is closed once, whatever is retried
	dates, err := ses.nightDates(ctx, in.Date)
	if err != nil {
		return netkit.NightReport{}, err
	}
	if in.DryRun {
		return ses.n.dryNight(ctx, dates)
	}
	out := netkit.NightReport{Closed: []netkit.Day{}, Issued: []netkit.BadgeIssue{}}
	for _, date := range dates {
		if err := ses.closeDate(ctx, date, &out); err != nil {
			return out, err
		}
		out.Closed = append(out.Closed, date)
	}
	last, err := ses.LastNight(ctx)
	out.Open, out.AsOf = last.Open, last.AsOf
	return out, err
}

// nightDates lists the dates to close.
func (ses *Session) nightDates(ctx context.Context, until *netkit.Day) ([]netkit.Day, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *rules.State) ([]netkit.Day, error) {
		if err := rules.NightWorker(s, &rules.Call{By: ses.by}); err != nil {
			return nil, err
		}
		open := s.OpenNights(s.Today(now))
		switch {
		case until == nil:
			return open, nil
		case *until < s.NextNight():
			return nil, rules.Conflict(code.DateClosed, "the date is closed already or before the network began", "a date is closed once")
		case *until >= s.Today(now):
			return nil, netkit.Invalid("date", code.DateNotOver, "is not over yet", "close yesterday or earlier")
		}
		return open[:min(len(open), int(*until-s.NextNight())+1)], nil
	})
}

// closeDate takes the steps of one date.
func (ses *Session) closeDate(ctx context.Context, date netkit.Day, out *netkit.NightReport) error {
	for done := false; !done; {
		step, err := run(ctx, ses, &rules.NightStep{Date: date}, nil)
		if err != nil {
			return err
		}
		for k := range uint64(step.Issued) {
			e, err := ses.n.Entry(ctx, step.Seq+1+k)
			if err != nil {
				return err
			}
			out.Issued = append(out.Issued, e.BadgeIssue())
		}
		out.Judged += uint64(step.Judged)
		out.IssuedCount += uint64(step.Issued)
		done = step.Last
	}
	return nil
}

// LastNight tells what the last night did and which dates are still open.
func (ses *Session) LastNight(ctx context.Context) (netkit.NightReport, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *rules.State) (netkit.NightReport, error) { return s.LastNight(now), nil })
}

// dryNight judges as a night would and records nothing. It looks at a few
// agents at a time, so that commands go on.
func (n *Network) dryNight(ctx context.Context, dates []netkit.Day) (netkit.NightReport, error) {
	out := netkit.NightReport{Closed: dates, Open: dates, Issued: []netkit.BadgeIssue{}, DryRun: true}
	var err error
	if out.AsOf, err = view(ctx, n, func(s *rules.State) (netkit.AsOf, error) { return s.AsOf(s.Root.At), nil }); err != nil {
		return out, err
	}
	seen := map[netkit.BadgeIssue]bool{} // without a date
	for _, date := range dates {
		for from, end := uint32(0), false; !end; {
			var to uint32
			var due []uint32
			issues, err := view(ctx, n, func(s *rules.State) (issues []rules.BadgeIssued, _ error) {
				due, to = s.WalkNight(from, date)
				for _, i := range due {
					issues = append(issues, s.Judge(i, date).Issues...)
				}
				end, out.AsOf = to == s.Parties.Len(), s.AsOf(s.Root.At)
				return issues, nil
			})
			if err != nil {
				return out, err
			}
			from, out.Judged = to, out.Judged+uint64(len(due))
			for _, f := range issues {
				if key := (netkit.BadgeIssue{Agent: f.Agent, Badge: f.Badge}); !seen[key] {
					seen[key] = true
					out.Issued = append(out.Issued, netkit.BadgeIssue{Agent: f.Agent, Badge: f.Badge, Date: f.Date})
				}
			}
		}
	}
	out.IssuedCount = uint64(len(out.Issued))
	return out, nil
}
