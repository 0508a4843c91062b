package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Evidence is what one party did with one counterparty on one UTC day. Scores
// and badges are computed from these rows, newest last; rows beyond the
// longest look-back are dropped by the night.
type Evidence struct {
	With     uint32 // row of the counterparty: a sponsor or an agent
	Day      netkit.Day
	In       netkit.Credits // counted income from it, what diversity weighs
	Out      netkit.Credits // gross paid to it
	Stands   uint32         // executions for it that stand
	Answered uint32         // backed requests of it that were answered
	Expired  uint32         // backed requests of it that were left to expire, and count
	cheap    uint32         // backed requests of it that were answered for little

	// Of executions that clear later; see contract_clearing.go.
	ClearTime                // from when the row counts
	pay       netkit.Credits // what the wallet has of them
	passed    netkit.Credits // backing that they bring
	share     netkit.Credits // of the treasury in them, which is no income yet
}

func (e *Evidence) Fields(c *wire.Codec) {
	wire.Num(c, "with", &e.With)
	wire.Num(c, "day", &e.Day)
	wire.Amount(c, "in", &e.In)
	wire.Amount(c, "out", &e.Out)
	wire.Num(c, "stands", &e.Stands)
	wire.Num(c, "answered", &e.Answered)
	wire.Num(c, "expired", &e.Expired)
	wire.Num(c, "cheap", &e.cheap)
	e.ClearTime.Fields(c)
	wire.Amount(c, "pay", &e.pay)
	wire.Amount(c, "passed", &e.passed)
	wire.Amount(c, "share", &e.share)
}

// EvidenceOf returns agent i's row for counterparty j on day d, made if it is
// not there, for writing. What it sums up counts at once.
func (s *State) EvidenceOf(i, j uint32, d netkit.Day) *Evidence {
	return s.evidenceRow(i, j, d, ClearTime{})
}

// evidenceRow is evidenceOf for what clears at a moment. Only the newest days are
// ever written, so the search from the end is short.
func (s *State) evidenceRow(i, j uint32, d netkit.Day, clears ClearTime) *Evidence {
	s.Touch(i, max(d, clears.clears.Millis().Day()))
	s.past.forget(i, d)
	if row := s.FindEvidence(i, j, d, clears); row != nil {
		return s.evidence.Edit(row)
	}
	p := s.parties.Change(i)
	rows := p.Agent.Evidence
	at := len(rows)
	for at > 0 && rows[at-1].Day > d {
		at--
	}
	row := Evidence{With: j, Day: d, ClearTime: clears}
	if at == len(rows) {
		if at == cap(rows) { // append would double it, and most of a network's memory is such rows
			rows = append(make([]Evidence, 0, at+1+at/4), rows...)
		}
		p.Agent.Evidence = append(rows, row)
		return &p.Agent.Evidence[at]
	}
	// An older day is a new list: the old one stays as it was for a rollback.
	fresh := make([]Evidence, 0, len(rows)+1)
	fresh = append(append(append(fresh, rows[:at]...), row), rows[at:]...)
	p.Agent.Evidence = fresh
	return &fresh[at]
}

// FindEvidence returns the row for reading only, nil if there is none.
func (s *State) FindEvidence(i, j uint32, d netkit.Day, clears ClearTime) *Evidence {
	rows := s.parties.At(i).Agent.Evidence
	for k := len(rows) - 1; k >= 0 && rows[k].Day >= d; k-- {
		if r := &rows[k]; r.Day == d && r.With == j && r.ClearTime == clears {
			return r
		}
	}
	return nil
}

// countedOn sums up what payer j already adds to the diversity of agent i on a day,
// what waits to clear included.
func (s *State) countedOn(i, j uint32, d netkit.Day) (sum netkit.Credits) {
	rows := s.parties.At(i).Agent.Evidence
	for k := len(rows) - 1; k >= 0 && rows[k].Day >= d; k-- {
		if r := &rows[k]; r.Day == d && r.With == j {
			sum += r.In
		}
	}
	return sum
}

// Payment is what a settlement adds to the scores: see Economy in the
// package documentation, and
// package score for the rule.
type Payment struct {
	Used    netkit.Credits // backing of the payer that it used up
	Counted netkit.Credits // what the payee's diversity counts
	Passed  netkit.Credits // backing that the payee gains
}

func (p *Payment) Fields(c *wire.Codec) {
	wire.Amount(c, "used", &p.Used)
	wire.Amount(c, "counted", &p.Counted)
	wire.Amount(c, "passed", &p.Passed)
}

// settlement works out what a payment of payer j to payee i counts. Gross is
// what j pays, net what i gets, backing what of j's stands behind it.
func (s *State) settlement(i, j uint32, gross, net, backing netkit.Credits, at netkit.Millis) Payment {
	rules := &s.law.Scores
	counted := s.countedOn(i, j, at.Day())
	payer := s.parties.At(j)
	young := payer.Kind == netkit.AgentParty && at < payer.since+netkit.Millis(rules.YoungDays)*netkit.FullDay
	r := score.Settle(score.Payment{Gross: int64(gross), Net: int64(net), Backing: int64(backing), Young: young, Counted: int64(counted)},
		int64(rules.PairDailyCap), int64(rules.BackingShare))
	return Payment{Used: netkit.Credits(r.Used), Counted: netkit.Credits(r.Counted), Passed: netkit.Credits(r.Passed)}
}

// VerdictRow is a verdict of a drawn reviewer in a case that is final.
type VerdictRow struct {
	Day      netkit.Day // when the case became final
	Reporter uint32     // rows of the two sides
	Reported uint32
	Agreed   bool          // with the final result
	Took     netkit.Millis // from the draw to the verdict
}

func (v *VerdictRow) Fields(c *wire.Codec) {
	wire.Num(c, "day", &v.Day)
	wire.Num(c, "reporter", &v.Reporter)
	wire.Num(c, "reported", &v.Reported)
	c.Flag("agreed", &v.Agreed)
	wire.Num(c, "took", &v.Took)
}

// Incident is what review costs an agent. One incident costs only its largest
// penalty, so a case has one row at most.
type Incident struct {
	Day    netkit.Day
	Weight int64  // thousandths of evidence
	Of     uint64 // the case, or the revocation that rests on none
}

func (x *Incident) Fields(c *wire.Codec) {
	wire.Num(c, "day", &x.Day)
	wire.Num(c, "weight", &x.Weight)
	wire.Num(c, "of", &x.Of)
}

// penalize records a penalty, or raises that of the same incident to it. The
// list is made again, since the old one has to stay as it was for a rollback.
func (s *State) penalize(i uint32, of uint64, weight int64, d netkit.Day) {
	x := s.changeExtra(i)
	kept := make([]Incident, 0, len(x.Incidents)+1)
	for _, was := range x.Incidents {
		if was.Of == of {
			weight = max(weight, was.Weight)
			continue
		}
		kept = append(kept, was)
	}
	x.Incidents = append(kept, Incident{d, weight, of})
	s.Touch(i, AtOnce)
}

// forgive drops the penalty of a case that was won in appeal.
func (s *State) forgive(i uint32, of uint64) {
	x := s.changeExtra(i)
	kept := make([]Incident, 0, len(x.Incidents))
	for _, was := range x.Incidents {
		if was.Of != of {
			kept = append(kept, was)
		}
	}
	x.Incidents = kept
	s.Touch(i, AtOnce)
}

// AtOnce touches for the next night, whatever date it closes: of what has no
// date, such as a standing, a night sees the latest.
const AtOnce netkit.Day = 1

// Touch notes that the night which closes date d, or the next one if that is
// past, has to judge an agent.
func (s *State) Touch(i uint32, d netkit.Day) {
	if turn := s.agenda.At(i).Judge; turn == 0 || d < turn {
		s.agenda.Change(i).Judge = d
	}
}

// most returns the largest of whole numbers.
func most(t *score.Tally[int64]) int64 {
	var largest int64
	t.Each(func(_ uint32, n *int64) { largest = max(largest, *n) })
	return largest
}
