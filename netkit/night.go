package netkit

import (
	"fmt"
	"math"
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

func (t *night) fields(c *codec) {
	num(c, "night_closed", &t.closed)
	num(c, "night_cursor", &t.cursor)
	num(c, "night_judged", &t.judged)
	num(c, "night_issued", &t.issued)
	num(c, "law_adopted", &t.adopted)
	num(c, "last_judged", &t.last.judged)
	num(c, "last_issued", &t.last.issued)
}

// nextNight is the first date that is not closed yet. The founding day is the
// first there is.
func (s *state) nextNight() Day {
	if s.night.closed == 0 {
		return s.parties.at(0).since.Day()
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
	turn := s.agenda.at(i).judge
	return (turn != 0 && turn <= date || s.night.adopted >= date) && s.parties.at(i).kind == AgentParty
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
		return invalid("date", "date_not_over", "is not over yet", "close yesterday or earlier")
	case c.date > next:
		return conflict("date_not_next", fmt.Sprintf("%s is to be closed first", next), "leave date out to close all that are missed")
	}
	step := &nightStepped{Date: c.date, From: s.night.cursor}
	var issues []badgeIssued
	step.To, step.Judged = s.walkNight(step.From, c.date, func(i uint32, p *party) {
		issues = s.judge(i, p, c.date, issues)
	})
	// The step's entry comes first, so that its receipt tells how many badges
	// follow; the date closes in the same command as its last step, so that no
	// restart can find all agents judged and the date still open.
	dropped, more := s.settledLong(c.date - settledDays)
	step.Issued, step.Dropped, step.Last = uint32(len(issues)), dropped, step.To == s.parties.len() && !more
	call.add(step)
	for k := range issues {
		call.add(&issues[k])
	}
	if step.Last {
		call.add(&nightClosed{Date: c.date, Judged: s.night.judged + uint64(step.Judged), Issued: s.night.issued + uint64(step.Issued)})
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

// walkNight calls f for the agents that one step judges and returns where the
// step ends.
func (s *state) walkNight(from uint32, date Day, f func(uint32, *party)) (to, judged uint32) {
	for to = from; to < s.parties.len() && judged < nightAgents && to-from < nightRows; to++ {
		if s.dueNight(to, date) {
			f(to, s.parties.at(to))
			judged++
		}
	}
	return to, judged
}

// settledLong counts the requests, the oldest first, that were settled before
// a day, up to as many as one step drops, and whether there are more.
func (s *state) settledLong(before Day) (n uint32, more bool) {
	for _, id := range s.filed.ids {
		if r, _ := s.requests.get(id); r.state == Pending || r.settled.Day() >= before {
			break
		}
		if n == nightAgents {
			return n, true
		}
		n++
	}
	return n, false
}

// judge adds the badges that an agent has earned and does not hold.
func (s *state) judge(i uint32, p *party, date Day, issues []badgeIssued) []badgeIssued {
	for k := range s.law.Badges {
		if r := &s.law.Badges[k]; !p.holdsOneOf([]Badge{r.Name}) && s.earns(i, r, date) {
			issues = append(issues, badgeIssued{Agent: p.slug, Badge: r.Name, Date: date, Reputation: s.reputation(i, date), Diversity: s.diversity(i, date)})
		}
	}
	return issues
}

// nightStepped records that the agents of the rows [From, To) that were due
// were judged; the badges issued follow as entries of their own.
type nightStepped struct {
	Date   Day
	From   uint32
	To     uint32
	Judged uint32
	Issued uint32
	// Dropped is how many attention requests, the oldest first, were settled
	// so long ago that they are listed no more.
	Dropped uint32
	Last    bool
}

func (*nightStepped) kind() Kind { return "night.step" }

func (f *nightStepped) asked(*hindsight) (command, error) { return &nightStep{f.Date}, nil }

func (f *nightStepped) fields(c *codec) {
	num(c, "date", &f.Date)
	num(c, "from", &f.From)
	num(c, "to", &f.To)
	num(c, "judged", &f.Judged)
	num(c, "issued", &f.Issued)
	num(c, "dropped", &f.Dropped)
	c.flag("last", &f.Last)
}

func (f *nightStepped) apply(s *state, _ *Entry) {
	for i := f.From; i < f.To; i++ {
		if s.dueNight(i, f.Date) {
			s.age(i, f.Date)
		}
	}
	s.dropSettled(math.MaxInt32, int(f.Dropped))
	t := s.nights.edit(s.night)
	t.cursor = f.To
	t.judged += uint64(f.Judged)
	t.issued += uint64(f.Issued)
}

// nightClosed records that a date is closed. A date is closed once.
type nightClosed struct {
	Date   Day
	Judged uint64
	Issued uint64
}

func (*nightClosed) kind() Kind { return "night.closed" }

func (*nightClosed) asked(*hindsight) (command, error) { return nil, nil }

func (f *nightClosed) fields(c *codec) {
	num(c, "date", &f.Date)
	num(c, "judged", &f.Judged)
	num(c, "issued", &f.Issued)
}

func (f *nightClosed) apply(s *state, _ *Entry) {
	t := s.nights.edit(s.night)
	*t = night{closed: f.Date, adopted: t.adopted, last: tallied{f.Judged, f.Issued}}
}
