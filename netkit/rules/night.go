package rules

import (
	"fmt"
	"math"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

const (
	// NightAgents is how many agents one step judges at most.
	NightAgents = 256
	// nightRows is how many rows one step looks at for them at most.
	nightRows = 1 << 15
)

// night is where the issuer stands.
type night struct {
	Closed  netkit.Day // the last date that was closed; 0 before the first
	Cursor  uint32     // row at which the next step of the next date begins
	judged  uint64     // by the steps of the next date so far
	issued  uint64
	adopted netkit.Day // when the latest constitution was adopted, 0 is at the start
	Last    tallied    // of the last date
}

// tallied is what a date's steps did in all.
type tallied struct{ Judged, issued uint64 }

func (t *night) Fields(c *wire.Codec) {
	wire.Num(c, "night_closed", &t.Closed)
	wire.Num(c, "night_cursor", &t.Cursor)
	wire.Num(c, "night_judged", &t.judged)
	wire.Num(c, "night_issued", &t.issued)
	wire.Num(c, "law_adopted", &t.adopted)
	wire.Num(c, "last_judged", &t.Last.Judged)
	wire.Num(c, "last_issued", &t.Last.issued)
}

// NextNight is the first date that is not closed yet. The founding day is the
// first there is.
func (s *State) NextNight() netkit.Day {
	if s.night.Closed == 0 {
		return s.parties.At(0).since.Day()
	}
	return s.night.Closed + 1
}

// openNights lists the dates before today that are not closed, up to a limit
// that only a network left alone for years can pass.
func (s *State) openNights(today netkit.Day) []netkit.Day {
	dates := []netkit.Day{}
	for d := s.NextNight(); d < today && len(dates) < 10_000; d++ {
		dates = append(dates, d)
	}
	return dates
}

// dueNight reports whether the night of a date has to judge a row: something
// that it rests on has changed, or changes weight with that date. All are
// judged again after a constitution was adopted.
func (s *State) dueNight(i uint32, date netkit.Day) bool {
	turn := s.agenda.At(i).Judge
	return (turn != 0 && turn <= date || s.night.adopted >= date) && s.parties.At(i).Kind == netkit.AgentParty
}

// NightStep closes a date a step at a time.
type NightStep struct {
	Date netkit.Day `json:"-"`
}

func (*NightStep) Route() string { return "night" }

func (c *NightStep) Decide(s *State, call *Call) error {
	if err := nightWorker(s, call); err != nil {
		return err
	}
	switch next := s.NextNight(); {
	case c.Date < next:
		return nil // someone else closed it meanwhile
	case c.Date >= call.At.Day():
		return netkit.Invalid("date", code.DateNotOver, "is not over yet", "close yesterday or earlier")
	case c.Date > next:
		return conflict(code.DateNotNext, fmt.Sprintf("%s is to be closed first", next), "leave date out to close all that are missed")
	}
	step := &NightStepped{Date: c.Date, From: s.night.Cursor}
	due, to := s.walkNight(step.From, c.Date)
	found := make([]judgement, len(due))
	s.spread(len(due), func(k int) {
		found[k] = s.judge(due[k], c.Date)
	})
	step.To, step.Judged = to, uint32(len(due))
	for k := range found {
		step.Issued += uint32(len(found[k].Issues))
		if found[k].waits {
			step.Again = append(step.Again, due[k])
		}
	}
	// The step's entry comes first, so that its receipt tells how many badges
	// follow; the date closes in the same command as its last step, so that no
	// restart can find all agents judged and the date still open.
	dropped, more := s.settledLong(c.Date - settledDays)
	step.Dropped, step.Last = dropped, step.To == s.parties.Len() && !more
	call.Add(step)
	for k := range found {
		for j := range found[k].Issues {
			call.Add(&found[k].Issues[j])
		}
	}
	for k := range found {
		if found[k].flag != nil {
			call.Add(found[k].flag)
		}
		if found[k].filed != nil {
			call.Add(found[k].filed)
		}
	}
	if step.Last {
		call.Add(&NightClosed{Date: c.Date, Judged: s.night.judged + uint64(step.Judged), Issued: s.night.issued + uint64(step.Issued)})
	}
	return nil
}

// NightReceipt is the receipt of a step. The badges that it issued are the entries
// behind its own.
type NightReceipt struct {
	Seq            uint64
	Judged, Issued uint32
	Last           bool // of its date
}

// Receipt returns the receipt of the step from its entry, nil where the date was
// closed already.
func (*NightStep) Receipt(e *Entry) NightReceipt {
	if e == nil {
		return NightReceipt{Last: true}
	}
	f := e.Fact.(*NightStepped)
	return NightReceipt{e.Seq, f.Judged, f.Issued, f.Last}
}

// nightWorker refuses a caller that is neither an operator nor the network's own
// timer, which no token stands for.
func nightWorker(s *State, call *Call) error {
	if call.By.Slug == netkit.NetworkActor {
		return nil
	}
	return call.operator(s)
}

// walkNight returns the agents that one step judges and where the step ends.
func (s *State) walkNight(from uint32, date netkit.Day) (due []uint32, to uint32) {
	for to = from; to < s.parties.Len() && len(due) < NightAgents && to-from < nightRows; to++ {
		if s.dueNight(to, date) {
			due = append(due, to)
		}
	}
	return due, to
}

// settledLong counts the requests, the oldest first, that were settled before
// a day, up to as many as one step drops, and whether there are more.
func (s *State) settledLong(before netkit.Day) (n uint32, more bool) {
	for _, id := range s.filed.Ids {
		if r, _ := s.requests.Get(id); r.State == netkit.Pending || r.settled.Day() >= before {
			break
		}
		if n == NightAgents {
			return n, true
		}
		n++
	}
	return n, false
}

// judgement is what a night found of an agent.
type judgement struct {
	Issues []BadgeIssued
	waits  bool
	flag   *AgentFlagged
	filed  *CirculationFiled
}

// judge finds the badges that an agent has earned and does not hold, unless a case
// that this night files holds them, and the findings of detectors. An agent
// waits if all that it lacks for one is diversity: this can come about without
// any row of its own, when what one of its payers paid others has moved.
func (s *State) judge(i uint32, date netkit.Day) (found judgement) {
	p, at := s.parties.At(i), LastMoment(date)
	for k := range s.law.Badges {
		r := &s.law.Badges[k]
		if p.Badges.Has(r.Name) {
			continue
		}
		switch lacks, ok := s.firstLack(i, r, at); {
		case ok:
			found.Issues = append(found.Issues, BadgeIssued{Agent: p.Slug, Badge: r.Name, Date: date, Reputation: s.Reputation(i, at), Diversity: s.Diversity(i, at)})
		case lacks == netkit.DiversityCheck && s.law.Scores.PayerShare != 0:
			found.waits = true
		}
	}
	detections := s.detect(i, date, len(found.Issues) > 0)
	found.flag = s.flag(i, date, detections)
	if found.filed = s.fileCirculation(i, date, detections); found.filed != nil {
		found.Issues = nil
	}
	return found
}

// NightStepped records that the agents of the rows [From, To) that were due
// were judged; the badges issued follow as entries of their own.
type NightStepped struct {
	Date   netkit.Day
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

func (*NightStepped) Kind() netkit.Kind { return netkit.KindNightStep }

func (f *NightStepped) CommandOf(*PastView) (Command, error) { return &NightStep{f.Date}, nil }

func (f *NightStepped) Fields(c *wire.Codec) {
	wire.Num(c, "date", &f.Date)
	wire.Num(c, "from", &f.From)
	wire.Num(c, "to", &f.To)
	wire.Num(c, "judged", &f.Judged)
	wire.Num(c, "issued", &f.Issued)
	wire.Num(c, "dropped", &f.Dropped)
	wire.List(c, "again", &f.Again, wire.Number)
	c.Flag("last", &f.Last)
}

func (f *NightStepped) Apply(s *State, e *Entry) {
	in := s.law.Spans()
	for i := f.From; i < f.To; i++ {
		if s.dueNight(i, f.Date) {
			s.age(i, f.Date, &in, e.At)
		}
	}
	s.addCirculation(f.From, f.To, LastMoment(f.Date))
	for _, i := range f.Again {
		s.Touch(i, f.Date+1)
	}
	s.DropSettled(math.MaxInt32, int(f.Dropped))
	t := s.nights.Edit(s.night)
	t.Cursor = f.To
	t.judged += uint64(f.Judged)
	t.issued += uint64(f.Issued)
}

// NightClosed records that a date is closed. A date is closed once.
type NightClosed struct {
	Date   netkit.Day
	Judged uint64
	Issued uint64
}

func (*NightClosed) Kind() netkit.Kind { return netkit.KindNightClosed }

func (*NightClosed) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *NightClosed) Fields(c *wire.Codec) {
	wire.Num(c, "date", &f.Date)
	wire.Num(c, "judged", &f.Judged)
	wire.Num(c, "issued", &f.Issued)
}

func (f *NightClosed) Apply(s *State, _ *Entry) {
	t := s.nights.Edit(s.night)
	s.forgetAccepted(f.Date)
	s.closeCirculation()
	s.dropRevocations(f.Date)
	*t = night{Closed: f.Date, adopted: t.adopted, Last: tallied{f.Judged, f.Issued}}
}

func (s *State) LastNight(now netkit.Millis) netkit.NightReport {
	out := netkit.NightReport{Closed: []netkit.Day{}, Open: s.openNights(s.today(now)), Issued: []netkit.BadgeIssue{},
		Judged: s.night.Last.Judged, IssuedCount: s.night.Last.issued, AsOf: s.AsOf(now)}
	if s.night.Closed != 0 {
		out.Closed = append(out.Closed, s.night.Closed)
	}
	return out
}
