package rules

import (
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/undo"
)

// tier returns the tier of an agent at a moment.
func (s *State) tier(i uint32, at netkit.Millis) netkit.Tier {
	return s.law.Reached(&agentEvidence{s, i, at})
}

// agentEvidence is the evidence of agent i at a moment.
type agentEvidence struct {
	s  *State
	i  uint32
	at netkit.Millis
}

func (a *agentEvidence) WalletConfirmed() bool { return a.s.parties.At(a.i).Agent.Confirmed }

func (a *agentEvidence) TransactionCount() uint32 { return a.s.transactions(a.i, a.at) }

func (a *agentEvidence) ActiveBadges() netkit.BadgeSet { return a.s.parties.At(a.i).Badges }

func (a *agentEvidence) DiversityScore() netkit.Ratio { return a.s.Diversity(a.i, a.at) }

func (a *agentEvidence) ReputationScore() netkit.Percent { return a.s.Reputation(a.i, a.at) }

// Diversity computes the counterparty_diversity_score of an agent: see
// Economy in the package documentation, and package score for the formula.
func (s *State) Diversity(i uint32, at netkit.Millis) netkit.Ratio {
	d := score.Diversity{PayerShare: int64(s.law.Scores.PayerShare)}
	s.edges(i, at, func(j uint32, e *score.Edge) {
		if e.In > e.Out { // others weigh nothing
			s.weigh(j, e, at.Day())
			d.Add(*e)
		}
	})
	return netkit.Ratio(d.BasisPoints(s.law.Scores.DiversityShrink))
}

// edge is what flowed between an agent and one counterparty.
type edge struct {
	with uint32
	score.Edge
}

// edges calls use with what flowed between an agent and each counterparty
// within the look-back of diversity.
func (s *State) edges(i uint32, at netkit.Millis, use func(j uint32, e *score.Edge)) {
	cleared, rows := s.clearedUntil(i, at), s.parties.At(i).Agent.Evidence
	to := at.Day() + 1
	from := to - netkit.Day(s.law.Scores.DiversityDays)
	known, knownFrom, knownTo := s.past.of(i, from, to)
	var others score.Tally[uint32] // where they stand in all, from 1
	all := make([]edge, 0, known.Len()+8)
	known.Each(func(j uint32, f *inOut) { all = append(all, edge{j, score.Edge{In: int64(f.in), Out: int64(f.out)}}) })
	add := func(rows []Evidence, sign int64) {
		for k := range rows {
			ev := &rows[k]
			if ev.In == 0 && ev.Out == 0 || !ev.cleared(cleared) {
				continue
			}
			place := known.Place(ev.With)
			if place < 0 {
				at := others.Of(ev.With)
				if *at == 0 {
					all = append(all, edge{with: ev.With})
					*at = uint32(len(all))
				}
				place = int(*at) - 1
			}
			e := &all[place]
			e.In += sign * int64(ev.In)
			e.Out += sign * int64(ev.Out)
		}
	}
	add(dated(rows, knownFrom, from), -1)
	add(dated(rows, from, knownFrom), 1)
	add(dated(rows, to, knownTo), -1)
	add(dated(rows, knownTo, to), 1)
	for k := range all {
		if e := &all[k]; e.In != 0 || e.Out != 0 {
			use(e.with, &e.Edge)
		}
	}
}

// weigh fills in what the score asks of counterparty j besides what flowed.
func (s *State) weigh(j uint32, e *score.Edge, today netkit.Day) {
	e.Listed = s.parties.At(j).Status == netkit.Rogue
	e.Others = int64(s.PaidIn(j, today, s.law.Scores.DiversityDays)) - e.In
}

// dated returns the rows of the dates from one up to another, which is left
// out. Rows are sorted by day.
func dated(rows []Evidence, from, to netkit.Day) []Evidence {
	if from >= to {
		return nil
	}
	at := func(d netkit.Day) int { return sort.Search(len(rows), func(k int) bool { return rows[k].Day >= d }) }
	return rows[at(from):at(to)]
}

// The night sums up what an agent with many rows did on dates of which all has
// cleared, so that a score looks at the rows of the last days alone. The sums
// are no part of the state: they are gone after a start or a lost batch, or
// once one of their rows changes, until the next night that judges the agent.

// pastFrom is how many rows an agent has at least whose past is summed up.
const pastFrom = 48

// past holds these sums by the rows of agents.
type past map[uint32]*pastFlows

// pastFlows is what flowed on the dates from one up to another, which is left
// out, by counterparty.
type pastFlows struct {
	from, to netkit.Day
	flows    score.Tally[inOut]
	live     int // counterparties whose flow is not zero
}

type inOut struct{ in, out netkit.Credits }

func (past) Commit() {}

func (p past) Rollback() { clear(p) }

// Freeze does nothing: a snapshot has no sums.
func (past) Freeze(*undo.Freeze) {}

var nothing score.Tally[inOut]

// of returns what is known of an agent that is of use for a window, and of
// which dates.
func (p past) of(i uint32, from, to netkit.Day) (*score.Tally[inOut], netkit.Day, netkit.Day) {
	if known := p[i]; known != nil && from < known.to && known.from < to {
		return &known.flows, known.from, known.to
	}
	return &nothing, from, from
}

// forget drops what is known of an agent if a row of a date is about to change
// that is in it.
func (p past) forget(i uint32, d netkit.Day) {
	if known := p[i]; known != nil && d < known.to {
		delete(p, i)
	}
}

// open returns from which of an agent's rows on some may wait to clear.
func (p past) open(i uint32, rows []Evidence) int {
	known := p[i]
	if known == nil {
		return 0
	}
	return sort.Search(len(rows), func(k int) bool { return rows[k].Day >= known.to })
}

// sum makes the sums of agent i those that the day after a date needs. Was are
// its rows before those that count no more were dropped; the first open rows
// have cleared.
func (p past) sum(i uint32, was, rows []Evidence, open int, date netkit.Day, days int) {
	from, to := date+2-netkit.Day(days), date+1
	if k := slices.IndexFunc(rows[open:], func(ev Evidence) bool { return ev.clears != 0 }); k >= 0 {
		to = min(to, rows[open+k].Day)
	}
	if len(rows) < pastFrom || from >= to {
		delete(p, i)
		return
	}
	known := p[i]
	if known == nil || from < known.from || from >= known.to || to < known.to || known.flows.Len() > 2*known.live {
		known = &pastFlows{from: from, to: from}
		p[i] = known
	}
	known.add(dated(was, known.from, from), -1)
	known.add(dated(rows, known.to, to), 1)
	known.from, known.to = from, to
}

func (p *pastFlows) add(rows []Evidence, sign netkit.Credits) {
	for k := range rows {
		ev := &rows[k]
		if ev.In == 0 && ev.Out == 0 {
			continue
		}
		f := p.flows.Of(ev.With)
		if *f == (inOut{}) {
			p.live++
		}
		f.in += sign * ev.In
		f.out += sign * ev.Out
		if *f == (inOut{}) {
			p.live--
		}
	}
}

// Reputation computes the reputation_score of an agent: see Economy in the
// package documentation, and package score for the formula. Who is suspended or listed has none.
func (s *State) Reputation(i uint32, at netkit.Millis) netkit.Percent {
	p := s.parties.At(i)
	if p.Status != netkit.Active {
		return 0
	}
	rules, today, cleared := &s.law.Scores, at.Day(), s.instant(at)
	aged := func(amount int64, d netkit.Day) int64 {
		return score.Aged(amount, int64(today-d), int64(rules.FullDays), int64(rules.HalfDays))
	}
	var pairs score.Tally[score.Pair]
	for k := len(p.Agent.Evidence) - 1; k >= 0; k-- {
		ev := &p.Agent.Evidence[k]
		if int(today-ev.Day) >= rules.HalfDays {
			break // rows are sorted by day
		}
		positive, negative := int64(ev.Stands)*rules.Execution+int64(ev.Answered)*rules.Answered, int64(ev.Expired)*rules.Expired
		if (positive != 0 || negative != 0) && ev.cleared(cleared) {
			pair := pairs.Of(ev.With)
			pair.R += aged(positive, ev.Day)
			pair.S += aged(negative, ev.Day)
		}
	}
	var r score.Reputation
	pairs.Each(func(_ uint32, pair *score.Pair) { r.Add(*pair, rules.PairCap) })
	for _, x := range s.extra(p).Incidents {
		r.AddPenalty(aged(x.Weight, x.Day))
	}
	return netkit.Percent(r.BasisPoints(wilsonZ(rules)))
}
