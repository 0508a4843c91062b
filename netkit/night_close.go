package netkit

import "context"

// CloseNight closes every date that is over and was not closed yet, up to
// in.Date if that is given, and issues the badges earned. It goes on where an
// earlier call stopped; other commands run between its steps. An operator
// calls it; a server's own timer acts as [NetworkActor].
func (n *Network) CloseNight(ctx context.Context, by Caller, in CloseNight) (NightReport, error) {
	by.Key = "" // a date is closed once, whatever is retried
	dates, err := n.nightDates(ctx, by, in.Date)
	if err != nil {
		return NightReport{}, err
	}
	if in.DryRun {
		return n.dryNight(ctx, dates)
	}
	out := NightReport{Closed: []Day{}, Issued: []BadgeIssue{}}
	for _, date := range dates {
		if err := n.closeDate(ctx, by, date, &out); err != nil {
			return out, err
		}
		out.Closed = append(out.Closed, date)
	}
	last, err := n.LastNight(ctx)
	out.Open, out.AsOf = last.Open, last.AsOf
	return out, err
}

// nightDates lists the dates to close.
func (n *Network) nightDates(ctx context.Context, by Caller, until *Day) ([]Day, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) ([]Day, error) {
		if err := nightWorker(s, &call{by: by}); err != nil {
			return nil, err
		}
		open := s.openNights(s.today(now))
		switch {
		case until == nil:
			return open, nil
		case *until < s.nextNight():
			return nil, conflict("date_closed", "the date is closed already or before the network began", "a date is closed once")
		case *until >= s.today(now):
			return nil, invalid("date", "date_not_over", "is not over yet", "close yesterday or earlier")
		}
		return open[:min(len(open), int(*until-s.nextNight())+1)], nil
	})
}

// closeDate takes the steps of one date.
func (n *Network) closeDate(ctx context.Context, by Caller, date Day, out *NightReport) error {
	for done := false; !done; {
		var first uint64
		step, err := run(ctx, n, by, &nightStep{date}, nil, func(e *Entry) nightStepped {
			if e == nil {
				return nightStepped{Last: true}
			}
			first = e.Seq
			return *e.Fact.(*nightStepped)
		})
		if err != nil {
			return err
		}
		for k := range uint64(step.Issued) {
			e, err := n.Entry(ctx, first+1+k)
			if err != nil {
				return err
			}
			f := e.Fact.(*badgeIssued)
			out.Issued = append(out.Issued, BadgeIssue{f.Agent, f.Badge, f.Date})
		}
		out.Judged += uint64(step.Judged)
		out.IssuedCount += uint64(step.Issued)
		done = step.Last
	}
	return nil
}

// LastNight tells what the last night did and which dates are still open.
func (n *Network) LastNight(ctx context.Context) (NightReport, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) (NightReport, error) { return s.lastNight(now), nil })
}

func (s *state) lastNight(now Millis) NightReport {
	out := NightReport{Closed: []Day{}, Open: s.openNights(s.today(now)), Issued: []BadgeIssue{},
		Judged: s.night.last.judged, IssuedCount: s.night.last.issued, AsOf: s.asOf(now)}
	if s.night.closed != 0 {
		out.Closed = append(out.Closed, s.night.closed)
	}
	return out
}
