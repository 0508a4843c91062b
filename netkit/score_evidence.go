package netkit

import (
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
	clears quarter // from when the row counts; 0 is at once
	pay    Credits // what the wallet has of them
	passed Credits // backing that they bring
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
	wire.Num(c, "clears", &e.clears)
	wire.Amount(c, "pay", &e.pay)
	wire.Amount(c, "passed", &e.passed)
}

// evidenceOf returns agent i's row for counterparty j on day d, made if it is
// not there, for writing. What it sums up counts at once.
func (s *state) evidenceOf(i, j uint32, d Day) *evidence { return s.evidenceRow(i, j, d, 0) }

// evidenceRow is evidenceOf for what clears at a moment. Only the newest days are
// ever written, so the search from the end is short.
func (s *state) evidenceRow(i, j uint32, d Day, clears quarter) *evidence {
	s.touch(i, max(d, clears.millis().Day()))
	if row := s.findEvidence(i, j, d, clears); row != nil {
		return s.evidence.Edit(row)
	}
	p := s.parties.Change(i)
	rows := p.agent.evidence
	at := len(rows)
	for at > 0 && rows[at-1].day > d {
		at--
	}
	row := evidence{with: j, day: d, clears: clears}
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
func (s *state) findEvidence(i, j uint32, d Day, clears quarter) *evidence {
	rows := s.parties.At(i).agent.evidence
	for k := len(rows) - 1; k >= 0 && rows[k].day >= d; k-- {
		if r := &rows[k]; r.day == d && r.with == j && r.clears == clears {
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
		int64(rules.PairDailyCap))
	passed, _ := score.Split(r.Counted, int64(rules.BackingShare))
	return payment{used: Credits(r.Used), counted: Credits(r.Counted), passed: Credits(passed)}
}
