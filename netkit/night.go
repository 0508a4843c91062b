package netkit

import (
	"context"
	"fmt"
	"math"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// CloseNight asks to close UTC dates and issue what badges they earned.
type CloseNight struct {
	Date   *Day `json:"date,omitempty" doc:"the last date to close; default: yesterday"`
	DryRun bool `json:"dry_run,omitempty" doc:"judge, but record nothing"`
}

// NightReport says what a night did.
type NightReport struct {
	Closed      []Day        `json:"closed" doc:"dates closed; with dry_run those that would be"`
	Open        []Day        `json:"open" doc:"dates that are over and not closed yet"`
	Judged      uint64       `json:"judged" doc:"agents judged"`
	Issued      []BadgeIssue `json:"issued"`
	IssuedCount uint64       `json:"issued_count"`
	DryRun      bool         `json:"dry_run,omitempty"`
	AsOf        AsOf         `json:"as_of"`
}

// BadgeIssue is one badge earned.
type BadgeIssue struct {
	Agent string `json:"agent"`
	Badge Badge  `json:"badge"`
	Date  Day    `json:"date" doc:"the date that was closed"`
}

const (
	// nightAgents is how many agents one step judges at most.
	nightAgents = 256
	// nightRows is how many rows one step looks at for them at most.
	nightRows = 1 << 15
)

// night is where the issuer stands.
type night struct {
	closed  Day    // the last date that was closed; 0 before the first
	cursor  uint32 // row at which the next step of the next date begins
	judged  uint64 // by the steps of the next date so far
	issued  uint64
	adopted Day     // when the latest constitution was adopted, 0 is at the start
	last    tallied // of the last date
}

// tallied is what a date's steps did in all.
type tallied struct{ judged, issued uint64 }

func (t *night) fields(c *wire.Codec) {
	wire.Num(c, "night_closed", &t.closed)
	wire.Num(c, "night_cursor", &t.cursor)
	wire.Num(c, "night_judged", &t.judged)
	wire.Num(c, "night_issued", &t.issued)
	wire.Num(c, "law_adopted", &t.adopted)
	wire.Num(c, "last_judged", &t.last.judged)
	wire.Num(c, "last_issued", &t.last.issued)
}

// nextNight is the first date that is not closed yet. The founding day is the
// first there is.
func (s *state) nextNight() Day {
	if s.night.closed == 0 {
		return s.parties.At(0).since.Day()
	}
	return s.night.closed + 1
}

// openNights lists the dates before today that are not closed, up to a limit
// that only a network left alone for years can pass.
func (s *state) openNights(today Day) []Day {
	dates := []Day{}
	for d := s.nextNight(); d < today && len(dates) < 10_000; d++ {
		dates = append(dates, d)
	}
	return dates
}

// dueNight reports whether the night of a date has to judge a row: something
// that it rests on has changed, or changes weight with that date. All are
// judged again after a constitution was adopted.
func (s *state) dueNight(i uint32, date Day) bool {
	turn := s.agenda.At(i).judge
	return (turn != 0 && turn <= date || s.night.adopted >= date) && s.parties.At(i).kind == AgentParty
}

// nightStep closes a date a step at a time.
type nightStep struct{ date Day }

func (*nightStep) route() string { return "night" }

func (c *nightStep) decide(s *state, call *call) error {
	if err := nightWorker(s, call); err != nil {
		return err
	}
	switch next := s.nextNight(); {
	case c.date < next:
		return nil // someone else closed it meanwhile
	case c.date >= call.at.Day():
		return invalid("date", code.DateNotOver, "is not over yet", "close yesterday or earlier")
	case c.date > next:
		return conflict(code.DateNotNext, fmt.Sprintf("%s is to be closed first", next), "leave date out to close all that are missed")
	}
	step := &NightStepped{Date: c.date, From: s.night.cursor}
	due, to := s.walkNight(step.From, c.date)
	found := make([]judgement, len(due))
	s.spread(len(due), func(k int) {
		found[k] = s.judge(due[k], c.date)
		found[k].flag = s.flag(due[k], c.date)
	})
	step.To, step.Judged = to, uint32(len(due))
	for k := range found {
		step.Issued += uint32(len(found[k].issues))
		if found[k].waits {
			step.Again = append(step.Again, due[k])
		}
	}
	// The step's entry comes first, so that its receipt tells how many badges
	// follow; the date closes in the same command as its last step, so that no
	// restart can find all agents judged and the date still open.
	dropped, more := s.settledLong(c.date - settledDays)
	step.Dropped, step.Last = dropped, step.To == s.parties.Len() && !more
	call.add(step)
	for k := range found {
		for j := range found[k].issues {
			call.add(&found[k].issues[j])
		}
	}
	for k := range found {
		if found[k].flag != nil {
			call.add(found[k].flag)
		}
	}
	if step.Last {
		call.add(&NightClosed{Date: c.date, Judged: s.night.judged + uint64(step.Judged), Issued: s.night.issued + uint64(step.Issued)})
	}
	return nil
}

// nightWorker refuses whoever is neither an operator nor the network's own
// timer, which no token stands for.
func nightWorker(s *state, call *call) error {
	if call.by.Slug == NetworkActor {
		return nil
	}
	return call.operator(s)
}

// walkNight returns the agents that one step judges and where the step ends.
func (s *state) walkNight(from uint32, date Day) (due []uint32, to uint32) {
	for to = from; to < s.parties.Len() && len(due) < nightAgents && to-from < nightRows; to++ {
		if s.dueNight(to, date) {
			due = append(due, to)
		}
	}
	return due, to
}

// settledLong counts the requests, the oldest first, that were settled before
// a day, up to as many as one step drops, and whether there are more.
func (s *state) settledLong(before Day) (n uint32, more bool) {
	for _, id := range s.filed.ids {
		if r, _ := s.requests.Get(id); r.state == Pending || r.settled.Day() >= before {
			break
		}
		if n == nightAgents {
			return n, true
		}
		n++
	}
	return n, false
}

// judgement is what a night found of an agent.
type judgement struct {
	issues []BadgeIssued
	waits  bool
	flag   *AgentFlagged
}

// judge finds the badges that an agent has earned and does not hold. An agent
// waits if all that it lacks for one is diversity: this can come about without
// any row of its own, when what one of its payers paid others has moved.
func (s *state) judge(i uint32, date Day) (found judgement) {
	p, at := s.parties.At(i), lastMoment(date)
	for k := range s.law.Badges {
		r := &s.law.Badges[k]
		if p.badges.has(r.Name) {
			continue
		}
		switch lacks, ok := s.firstLack(i, r, at); {
		case ok:
			found.issues = append(found.issues, BadgeIssued{Agent: p.slug, Badge: r.Name, Date: date, Reputation: s.reputation(i, at), Diversity: s.diversity(i, at)})
		case lacks == diversityCheck && s.law.Scores.PayerShare != 0:
			found.waits = true
		}
	}
	return found
}

// NightStepped records that the agents of the rows [From, To) that were due
// were judged; the badges issued follow as entries of their own.
type NightStepped struct {
	Date   Day
	From   uint32
	To     uint32
	Judged uint32
	Issued uint32
	// Dropped is how many attention requests, the oldest first, were settled
	// so long ago that they are listed no more.
	Dropped uint32
	// Again lists the rows of agents that lack nothing but diversity: the next
	// night judges them whatever happens meanwhile.
	Again []uint32
	Last  bool
}

func (*NightStepped) kind() Kind { return KindNightStep }

func (f *NightStepped) asked(*pastView) (command, error) { return &nightStep{f.Date}, nil }

func (f *NightStepped) fields(c *wire.Codec) {
	wire.Num(c, "date", &f.Date)
	wire.Num(c, "from", &f.From)
	wire.Num(c, "to", &f.To)
	wire.Num(c, "judged", &f.Judged)
	wire.Num(c, "issued", &f.Issued)
	wire.Num(c, "dropped", &f.Dropped)
	wire.List(c, "again", &f.Again, wire.Number)
	c.Flag("last", &f.Last)
}

func (f *NightStepped) apply(s *state, e *Entry) {
	in := s.law.spans()
	for i := f.From; i < f.To; i++ {
		if s.dueNight(i, f.Date) {
			s.age(i, f.Date, &in, e.At)
		}
	}
	for _, i := range f.Again {
		s.touch(i, f.Date+1)
	}
	s.dropSettled(math.MaxInt32, int(f.Dropped))
	t := s.nights.Edit(s.night)
	t.cursor = f.To
	t.judged += uint64(f.Judged)
	t.issued += uint64(f.Issued)
}

// NightClosed records that a date is closed. A date is closed once.
type NightClosed struct {
	Date   Day
	Judged uint64
	Issued uint64
}

func (*NightClosed) kind() Kind { return KindNightClosed }

func (*NightClosed) asked(*pastView) (command, error) { return nil, nil }

func (f *NightClosed) fields(c *wire.Codec) {
	wire.Num(c, "date", &f.Date)
	wire.Num(c, "judged", &f.Judged)
	wire.Num(c, "issued", &f.Issued)
}

func (f *NightClosed) apply(s *state, _ *Entry) {
	t := s.nights.Edit(s.night)
	s.forgetAccepted(f.Date)
	s.dropRevocations(f.Date)
	*t = night{closed: f.Date, adopted: t.adopted, last: tallied{f.Judged, f.Issued}}
}

// CloseNight closes every date that is over and was not closed yet, up to
// in.Date if that is given, and issues the badges earned. It goes on where an
// earlier call stopped; other commands run between its steps. An operator
// calls it; a server's own timer acts as [NetworkActor].
//
// Refusals: date_closed, date_not_next, date_not_over.
func (ses *Session) CloseNight(ctx context.Context, in CloseNight) (NightReport, error) {
	ctx = WithKey(ctx, "") // a date is closed once, whatever is retried
	dates, err := ses.nightDates(ctx, in.Date)
	if err != nil {
		return NightReport{}, err
	}
	if in.DryRun {
		return ses.n.dryNight(ctx, dates)
	}
	out := NightReport{Closed: []Day{}, Issued: []BadgeIssue{}}
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
func (ses *Session) nightDates(ctx context.Context, until *Day) ([]Day, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *state) ([]Day, error) {
		if err := nightWorker(s, &call{by: ses.by}); err != nil {
			return nil, err
		}
		open := s.openNights(s.today(now))
		switch {
		case until == nil:
			return open, nil
		case *until < s.nextNight():
			return nil, conflict(code.DateClosed, "the date is closed already or before the network began", "a date is closed once")
		case *until >= s.today(now):
			return nil, invalid("date", code.DateNotOver, "is not over yet", "close yesterday or earlier")
		}
		return open[:min(len(open), int(*until-s.nextNight())+1)], nil
	})
}

// closeDate takes the steps of one date.
func (ses *Session) closeDate(ctx context.Context, date Day, out *NightReport) error {
	for done := false; !done; {
		var first uint64
		step, err := run(ctx, ses, &nightStep{date}, nil, func(e *Entry) NightStepped {
			if e == nil {
				return NightStepped{Last: true}
			}
			first = e.Seq
			return *e.Fact.(*NightStepped)
		})
		if err != nil {
			return err
		}
		for k := range uint64(step.Issued) {
			e, err := ses.n.Entry(ctx, first+1+k)
			if err != nil {
				return err
			}
			f := e.Fact.(*BadgeIssued)
			out.Issued = append(out.Issued, BadgeIssue{f.Agent, f.Badge, f.Date})
		}
		out.Judged += uint64(step.Judged)
		out.IssuedCount += uint64(step.Issued)
		done = step.Last
	}
	return nil
}

// LastNight tells what the last night did and which dates are still open.
func (ses *Session) LastNight(ctx context.Context) (NightReport, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *state) (NightReport, error) { return s.lastNight(now), nil })
}

func (s *state) lastNight(now Millis) NightReport {
	out := NightReport{Closed: []Day{}, Open: s.openNights(s.today(now)), Issued: []BadgeIssue{},
		Judged: s.night.last.judged, IssuedCount: s.night.last.issued, AsOf: s.asOf(now)}
	if s.night.closed != 0 {
		out.Closed = append(out.Closed, s.night.closed)
	}
	return out
}

// dryNight judges as a night would and records nothing. It looks at a few
// agents at a time, so that commands go on.
func (n *Network) dryNight(ctx context.Context, dates []Day) (NightReport, error) {
	out := NightReport{Closed: dates, Open: dates, Issued: []BadgeIssue{}, DryRun: true}
	var err error
	if out.AsOf, err = view(ctx, n, func(s *state) (AsOf, error) { return s.asOf(s.root.at), nil }); err != nil {
		return out, err
	}
	seen := map[BadgeIssue]bool{} // without a date
	for _, date := range dates {
		for from, end := uint32(0), false; !end; {
			var to uint32
			var due []uint32
			issues, err := view(ctx, n, func(s *state) (issues []BadgeIssued, _ error) {
				due, to = s.walkNight(from, date)
				for _, i := range due {
					issues = append(issues, s.judge(i, date).issues...)
				}
				end, out.AsOf = to == s.parties.Len(), s.asOf(s.root.at)
				return issues, nil
			})
			if err != nil {
				return out, err
			}
			from, out.Judged = to, out.Judged+uint64(len(due))
			for _, f := range issues {
				if key := (BadgeIssue{Agent: f.Agent, Badge: f.Badge}); !seen[key] {
					seen[key] = true
					out.Issued = append(out.Issued, BadgeIssue{f.Agent, f.Badge, f.Date})
				}
			}
		}
	}
	out.IssuedCount = uint64(len(out.Issued))
	return out, nil
}
