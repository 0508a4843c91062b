package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
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
	return view(ctx, ses.n, func(s *rules.State) ([]netkit.Day, error) { return s.NightDates(ses.by, until, now) })
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
		ses.n.followUp(ctx, err) // cases that the step filed wait for panels
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
	if out.AsOf, err = view(ctx, n, func(s *rules.State) (netkit.AsOf, error) { return s.AsOf(s.Time()), nil }); err != nil {
		return out, err
	}
	seen := map[netkit.BadgeIssue]bool{} // without a date
	for _, date := range dates {
		for from, last := uint32(0), false; !last; {
			step, err := view(ctx, n, func(s *rules.State) (rules.DryStep, error) { return s.DryNight(from, date), nil })
			if err != nil {
				return out, err
			}
			from, last, out.AsOf = step.Next, step.Last, step.AsOf
			out.Judged += uint64(step.Judged)
			for _, b := range step.Issues {
				if key := (netkit.BadgeIssue{Agent: b.Agent, Badge: b.Badge}); !seen[key] {
					seen[key] = true
					out.Issued = append(out.Issued, b)
				}
			}
		}
	}
	out.IssuedCount = uint64(len(out.Issued))
	return out, nil
}
