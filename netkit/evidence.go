package netkit

import "github.com/agentnet/netctl/netkit/internal/score"

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
}

func (e *evidence) fields(c *codec) {
	num(c, "with", &e.with)
	num(c, "day", &e.day)
	c.amount("in", &e.in)
	c.amount("out", &e.out)
	num(c, "stands", &e.stands)
	num(c, "answered", &e.answered)
	num(c, "expired", &e.expired)
}

// evidenceOf returns agent i's row for counterparty j on day d, made if it is
// not there, for writing. Only the newest days are ever written, so the
// search from the end is short.
func (s *state) evidenceOf(i, j uint32, d Day) *evidence {
	s.touch(i, d)
	if row := s.findEvidence(i, j, d); row != nil {
		return s.evidence.edit(row)
	}
	p := s.parties.change(i)
	rows := p.agent.evidence
	at := len(rows)
	for at > 0 && rows[at-1].day > d {
		at--
	}
	if at == len(rows) {
		p.agent.evidence = append(rows, evidence{with: j, day: d})
		return &p.agent.evidence[at]
	}
	// An older day is a new list: the old one stays as it was for a rollback.
	fresh := make([]evidence, 0, len(rows)+1)
	fresh = append(append(append(fresh, rows[:at]...), evidence{with: j, day: d}), rows[at:]...)
	p.agent.evidence = fresh
	return &fresh[at]
}

// findEvidence returns the row for reading only, nil if there is none.
func (s *state) findEvidence(i, j uint32, d Day) *evidence {
	rows := s.parties.at(i).agent.evidence
	for k := len(rows) - 1; k >= 0 && rows[k].day >= d; k-- {
		if rows[k].day == d && rows[k].with == j {
			return &rows[k]
		}
	}
	return nil
}

// payment is what a settlement adds to the scores: see DESIGN, section 4, and
// package score for the rule.
type payment struct {
	used    Credits // backing of the payer that it used up
	counted Credits // what the payee's diversity counts
	passed  Credits // backing that the payee gains
}

func (p *payment) fields(c *codec) {
	c.amount("used", &p.used)
	c.amount("counted", &p.counted)
	c.amount("passed", &p.passed)
}

// settlement works out what a payment of payer j to payee i counts. Gross is
// what j pays, net what i gets, backing what of j's stands behind it.
func (s *state) settlement(i, j uint32, gross, net, backing Credits, at Millis) payment {
	rules := &s.law.Scores
	var counted Credits
	if row := s.findEvidence(i, j, at.Day()); row != nil {
		counted = row.in
	}
	payer := s.parties.at(j)
	young := payer.kind == AgentParty && at < payer.since+Millis(rules.YoungDays)*day
	r := score.Settle(score.Payment{Gross: int64(gross), Net: int64(net), Backing: int64(backing), Young: young, Counted: int64(counted)},
		int64(rules.PairDailyCap))
	passed, _ := score.Split(r.Counted, int64(rules.BackingShare))
	return payment{used: Credits(r.Used), counted: Credits(r.Counted), passed: Credits(passed)}
}
