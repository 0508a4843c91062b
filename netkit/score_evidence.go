package netkit

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// evidence is what one party did with one counterparty on one UTC day. Scores
// and badges are computed from these rows, newest last; rows beyond the
// longest look-back are dropped by the night.
type evidence struct {
	with     uint32 // row of the counterparty: a sponsor or an agent
	day      Day
	in       Credits // counted income from it, what diversity weighs
	out      Credits // gross paid to it
	stands   uint32  // executions for it that stand
	answered uint32  // backed requests of it that were answered
	expired  uint32  // backed requests of it that were left to expire, and count
	cheap    uint32  // backed requests of it that were answered for little

	// Of executions that clear later; see contract_clearing.go.
	clearTime         // from when the row counts
	pay       Credits // what the wallet has of them
	passed    Credits // backing that they bring
	share     Credits // of the treasury in them, which is no income yet
}

func (e *evidence) fields(c *wire.Codec) {
	wire.Num(c, "with", &e.with)
	wire.Num(c, "day", &e.day)
	wire.Amount(c, "in", &e.in)
	wire.Amount(c, "out", &e.out)
	wire.Num(c, "stands", &e.stands)
	wire.Num(c, "answered", &e.answered)
	wire.Num(c, "expired", &e.expired)
	wire.Num(c, "cheap", &e.cheap)
	e.clearTime.fields(c)
	wire.Amount(c, "pay", &e.pay)
	wire.Amount(c, "passed", &e.passed)
	wire.Amount(c, "share", &e.share)
}

// evidenceOf returns agent i's row for counterparty j on day d, made if it is
// not there, for writing. What it sums up counts at once.
func (s *state) evidenceOf(i, j uint32, d Day) *evidence {
	return s.evidenceRow(i, j, d, clearTime{})
}

// evidenceRow is evidenceOf for what clears at a moment. Only the newest days are
// ever written, so the search from the end is short.
func (s *state) evidenceRow(i, j uint32, d Day, clears clearTime) *evidence {
	s.touch(i, max(d, clears.clears.millis().Day()))
	s.past.forget(i, d)
	if row := s.findEvidence(i, j, d, clears); row != nil {
		return s.evidence.Edit(row)
	}
	p := s.parties.Change(i)
	rows := p.agent.evidence
	at := len(rows)
	for at > 0 && rows[at-1].day > d {
		at--
	}
	row := evidence{with: j, day: d, clearTime: clears}
	if at == len(rows) {
		p.agent.evidence = append(rows, row)
		return &p.agent.evidence[at]
	}
	// An older day is a new list: the old one stays as it was for a rollback.
	fresh := make([]evidence, 0, len(rows)+1)
	fresh = append(append(append(fresh, rows[:at]...), row), rows[at:]...)
	p.agent.evidence = fresh
	return &fresh[at]
}

// findEvidence returns the row for reading only, nil if there is none.
func (s *state) findEvidence(i, j uint32, d Day, clears clearTime) *evidence {
	rows := s.parties.At(i).agent.evidence
	for k := len(rows) - 1; k >= 0 && rows[k].day >= d; k-- {
		if r := &rows[k]; r.day == d && r.with == j && r.clearTime == clears {
			return r
		}
	}
	return nil
}

// countedOn sums up what payer j already adds to the diversity of agent i on a day,
// what waits to clear included.
func (s *state) countedOn(i, j uint32, d Day) (sum Credits) {
	rows := s.parties.At(i).agent.evidence
	for k := len(rows) - 1; k >= 0 && rows[k].day >= d; k-- {
		if r := &rows[k]; r.day == d && r.with == j {
			sum += r.in
		}
	}
	return sum
}

// payment is what a settlement adds to the scores: see Economy in the
// package documentation, and
// package score for the rule.
type payment struct {
	used    Credits // backing of the payer that it used up
	counted Credits // what the payee's diversity counts
	passed  Credits // backing that the payee gains
}

func (p *payment) fields(c *wire.Codec) {
	wire.Amount(c, "used", &p.used)
	wire.Amount(c, "counted", &p.counted)
	wire.Amount(c, "passed", &p.passed)
}

// settlement works out what a payment of payer j to payee i counts. Gross is
// what j pays, net what i gets, backing what of j's stands behind it.
func (s *state) settlement(i, j uint32, gross, net, backing Credits, at Millis) payment {
	rules := &s.law.Scores
	counted := s.countedOn(i, j, at.Day())
	payer := s.parties.At(j)
	young := payer.kind == AgentParty && at < payer.since+Millis(rules.YoungDays)*day
	r := score.Settle(score.Payment{Gross: int64(gross), Net: int64(net), Backing: int64(backing), Young: young, Counted: int64(counted)},
		int64(rules.PairDailyCap), int64(rules.BackingShare))
	return payment{used: Credits(r.Used), counted: Credits(r.Counted), passed: Credits(r.Passed)}
}

// verdictRow is a verdict of a drawn reviewer in a case that is final.
type verdictRow struct {
	day      Day    // when the case became final
	reporter uint32 // rows of the two sides
	reported uint32
	agreed   bool   // with the final result
	took     Millis // from the draw to the verdict
}

func (v *verdictRow) fields(c *wire.Codec) {
	wire.Num(c, "day", &v.day)
	wire.Num(c, "reporter", &v.reporter)
	wire.Num(c, "reported", &v.reported)
	c.Flag("agreed", &v.agreed)
	wire.Num(c, "took", &v.took)
}

// incident is what review costs an agent. One incident costs only its largest
// penalty, so a case has one row at most.
type incident struct {
	day    Day
	weight int64  // thousandths of evidence
	of     uint64 // the case, or the revocation that rests on none
}

func (x *incident) fields(c *wire.Codec) {
	wire.Num(c, "day", &x.day)
	wire.Num(c, "weight", &x.weight)
	wire.Num(c, "of", &x.of)
}

// penalize records a penalty, or raises that of the same incident to it. The
// list is made again, since the old one has to stay as it was for a rollback.
func (s *state) penalize(i uint32, of uint64, weight int64, d Day) {
	x := s.changeExtra(i)
	kept := make([]incident, 0, len(x.incidents)+1)
	for _, was := range x.incidents {
		if was.of == of {
			weight = max(weight, was.weight)
			continue
		}
		kept = append(kept, was)
	}
	x.incidents = append(kept, incident{d, weight, of})
	s.touch(i, atOnce)
}

// forgive drops the penalty of a case that was won in appeal.
func (s *state) forgive(i uint32, of uint64) {
	x := s.changeExtra(i)
	kept := make([]incident, 0, len(x.incidents))
	for _, was := range x.incidents {
		if was.of != of {
			kept = append(kept, was)
		}
	}
	x.incidents = kept
	s.touch(i, atOnce)
}

// atOnce touches for the next night, whatever date it closes: of what has no
// date, such as a standing, a night sees the latest.
const atOnce Day = 1

// touch notes that the night which closes date d, or the next one if that is
// past, has to judge an agent.
func (s *state) touch(i uint32, d Day) {
	if turn := s.agenda.At(i).judge; turn == 0 || d < turn {
		s.agenda.Change(i).judge = d
	}
}

// most returns the largest of whole numbers.
func most(t *score.Tally[int64]) int64 {
	var largest int64
	t.Each(func(_ uint32, n *int64) { largest = max(largest, *n) })
	return largest
}

// A payer weighs for an agent at most as far as it pays others: see package
// score, Edge.Others. What a party paid to all is kept as one sum and as one
// row a date, since it is asked for with every score.

// payer is what a party paid that counted for the diversity of those it paid.
type payer struct {
	sum    Credits // of all rows
	rows   []paidOn
	payees payees // whom a sponsor pays most; empty for agents
}

// paidOn is the part of a date.
type paidOn struct {
	day   Day
	sum   Credits
	early Credits // of sum, accepted before the date: it counts from the acceptance on
}

func (p *payer) fields(c *wire.Codec) {
	wire.Amount(c, "sum", &p.sum)
	wire.List(c, "days", &p.rows, object[paidOn])
	c.Member("payees", p.payees.fields)
}

// payees is whom a sponsor pays most.
type payees struct{ score.Payees }

func (p *payees) fields(c *wire.Codec) {
	wire.Num(c, "period", &p.Period)
	wire.List(c, "rows", &p.Rows, func(c *wire.Codec, r *score.Payee) {
		c.Begin()
		wire.Num(c, "payee", &r.Row)
		wire.Amount(c, "sum", &r.Sum)
		c.End()
	})
}

func (r *paidOn) fields(c *wire.Codec) {
	wire.Num(c, "day", &r.day)
	wire.Amount(c, "sum", &r.sum)
	wire.Amount(c, "early", &r.early)
}

// addPaid adds a counted payment of party j to agent i, or takes one back, on the
// date from which it counts.
func (s *state) addPaid(j, i uint32, d Day, counted Credits) {
	s.addPaidRow(j, i, paidOn{day: d, sum: counted})
}

// addPaidRow is addPaid for one that may count before its date.
func (s *state) addPaidRow(j, i uint32, row paidOn) {
	d, counted := row.day, row.sum
	if counted == 0 {
		return
	}
	if s.agenda.At(j).payer == 0 {
		s.agenda.Change(j).payer = s.payers.Add(payer{})
	}
	p := s.payers.Change(s.agenda.At(j).payer)
	if s.parties.At(j).kind == SponsorParty {
		s.addPayee(p, i, d, counted)
	}
	p.sum += counted
	k := len(p.rows)
	for k > 0 && p.rows[k-1].day > d {
		k--
	}
	if k > 0 && p.rows[k-1].day == d {
		was := s.paidOn.Edit(&p.rows[k-1])
		was.sum, was.early = was.sum+row.sum, was.early+row.early
		return
	}
	p.insert(k, row, s.nextNight()-Day(s.law.Scores.DiversityDays))
}

// addPayee adds a payment to the list of whom a sponsor pays most. A period is
// half the look-back of diversity, so that a payment fades with its evidence.
func (s *state) addPayee(p *payer, i uint32, d Day, counted Credits) {
	period := int64(d) / int64(max(1, s.law.Scores.DiversityDays/2))
	p.payees.Paid(i, int64(counted), period, s.payeeRows.Edit)
}

// payeesOf returns whom a sponsor pays most, nil for an agent.
func (s *state) payeesOf(j uint32) *score.Payees {
	if s.parties.At(j).kind != SponsorParty {
		return nil
	}
	return &s.payers.At(s.agenda.At(j).payer).payees.Payees
}

// insert puts a row at k into a new list, since the old one has to stay as it
// was for a rollback, without the rows up to the date gone: no night looks at
// these any more.
func (p *payer) insert(k int, row paidOn, gone Day) {
	rows := make([]paidOn, 0, len(p.rows)+1)
	for i, r := range slices.Insert(slices.Clip(p.rows), k, row) {
		if r.day <= gone && i != k {
			p.sum -= r.sum
			continue
		}
		rows = append(rows, r)
	}
	p.rows = rows
}

// paidIn returns what party j paid that counts in the window of so many days
// that ends with a date. The sum has it but for a few rows at either end.
func (s *state) paidIn(j uint32, date Day, days int) Credits {
	p := s.payers.At(s.agenda.At(j).payer)
	sum, rows := p.sum, p.rows
	for ; len(rows) > 0 && int(date-rows[0].day) >= days; rows = rows[1:] {
		sum -= rows[0].sum
	}
	for k := len(rows) - 1; k >= 0 && rows[k].day > date; k-- {
		sum -= rows[k].sum
		if s.law.Scores.AcceptedCounts {
			sum += rows[k].early
		}
	}
	return sum
}

// Which agents a night judges. A judgement rests on rows that each have a day,
// and on nothing else that time alone can change. A row enters a window on its
// own day and changes its weight, or counts for something more, a known number
// of days later. So whenever an agent was judged, the first later day on which
// any of its rows does so is known, and until then, unless something is added,
// it would be judged the same. That one number an agent is all that the night
// keeps: it is exact, and what a night costs grows with the agents whose
// judgement may have changed.

// age drops the rows of an agent that no rule looks at any more after date,
// and notes the next date on which the agent has to be judged. What has cleared
// of the treasury's shares is its income from at on.
func (s *state) age(i uint32, date Day, in *spans, at Millis) {
	a := &s.parties.Change(i).agent
	was := a.evidence
	rows := fresh(was, evidenceDay, date, in.evidence)
	open := s.past.open(i, rows)
	rows, shares := mergeCleared(rows, open, s.clearedUntil(i, lastMoment(date)))
	s.earnShare(shares, at.Day())
	s.past.sum(i, was, rows, open, date, s.law.Scores.DiversityDays)
	a.evidence = rows
	next := min(turn(rows, evidenceDay, date, in.evidence), s.nextClearing(rows[open:], date, at))
	if s.parties.At(i).extra != 0 {
		x := s.changeExtra(i)
		x.answers = fresh(x.answers, answerDay, date, in.answers)
		x.verdicts = fresh(x.verdicts, verdictDay, date, in.verdicts)
		x.incidents = slices.DeleteFunc(slices.Clone(x.incidents), func(was incident) bool { return int(date-was.day) >= slices.Max(in.incidents) })
		next = min(next, turn(x.answers, answerDay, date, in.answers), turn(x.verdicts, verdictDay, date, in.verdicts))
		for _, was := range x.incidents {
			next = min(next, turn([]incident{was}, incidentDay, date, in.incidents))
		}
	}
	if next == math.MaxInt32 {
		next = 0
	}
	s.agenda.Change(i).judge = next
}

func evidenceDay(e *evidence) Day  { return e.day }
func answerDay(a *answer) Day      { return a.day }
func verdictDay(v *verdictRow) Day { return v.day }
func incidentDay(x *incident) Day  { return x.day }

// spans lists after how many days a row of each sort counts differently. The
// longest is how far back anything looks.
type spans struct{ evidence, answers, verdicts, incidents []int }

func (c *Constitution) spans() (in spans) {
	sc := &c.Scores
	in.evidence = []int{0, sc.DiversityDays, sc.FullDays, sc.HalfDays, sc.ExpiredDays}
	in.answers, in.verdicts = []int{0}, []int{0}
	in.incidents = []int{0, sc.FullDays, sc.HalfDays}
	for i := range c.Badges {
		r := &c.Badges[i]
		in.incidents = append(in.incidents, r.CleanDays)
		switch r.Name {
		case FieldAgent:
			in.evidence = append(in.evidence, r.Window)
		case SeniorCorrespondent:
			in.evidence = append(in.evidence, r.Window)
			in.answers = append(in.answers, r.Window, r.FirstEventDays)
		case DisputeMaster:
			in.verdicts = append(in.verdicts, r.Window)
		}
	}
	return in
}

// fresh returns the rows that still count after date. Rows are sorted by day. What
// is left is copied each time that it falls below a power of two, so that the
// rest can be collected.
func fresh[T any](rows []T, dayOf func(*T) Day, date Day, spans []int) []T {
	oldest := date - Day(slices.Max(spans)) // counts no more
	k := sort.Search(len(rows), func(k int) bool { return dayOf(&rows[k]) > oldest })
	if rows = rows[k:]; bits.Len(uint(len(rows))) == bits.Len(uint(len(rows)+k)) {
		return rows
	}
	return slices.Clone(rows)
}

// nextClearing returns the first day after date on which one of the rows can clear,
// as known at a moment: a crisis that runs then may be resolved before its term.
func (s *state) nextClearing(rows []evidence, date Day, at Millis) Day {
	next, over := Day(math.MaxInt32), s.instant(lastMoment(date))
	for k := range rows {
		t := rows[k].deadline()
		if t.reached(over) {
			continue
		}
		if t.market != 0 {
			t.real = s.clock.earliest(t.market, at)
		}
		next = min(next, max(date+1, t.real.Day()))
	}
	return next
}

// turn returns the first day after date on which a row counts differently.
func turn[T any](rows []T, dayOf func(*T) Day, date Day, spans []int) Day {
	next := Day(math.MaxInt32)
	for _, span := range spans {
		k := sort.Search(len(rows), func(k int) bool { return dayOf(&rows[k])+Day(span) > date })
		if k < len(rows) {
			next = min(next, dayOf(&rows[k])+Day(span))
		}
	}
	return next
}
