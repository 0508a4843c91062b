package netkit

import (
	"iter"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit/internal/score"
)

// tier returns the tier of an agent at a moment.
func (s *state) tier(i uint32, at Millis) Tier {
	return s.law.reached(&agentEvidence{s, i, at})
}

// reached returns the highest rung whose conditions, and those of every rung
// below it, are met. Rungs are tried lowest first and conditions in order, so
// that scores are only computed for agents that got as far.
func (c *Constitution) reached(has tierEvidence) Tier {
	reached := Unverified
	for t := range c.Tiers {
		for k := range c.Tiers[t].conditions(has) {
			if !k.met() {
				return reached
			}
		}
		reached = Tier(t)
	}
	return reached
}

// tierEvidence answers what the conditions of tiers ask. Scores are computed when
// a condition asks for them.
type tierEvidence interface {
	walletConfirmed() bool
	transactionCount() uint32
	activeBadges() badgeSet
	diversityScore() Ratio
	reputationScore() Percent
}

// agentEvidence is the evidence of agent i at a moment.
type agentEvidence struct {
	s  *state
	i  uint32
	at Millis
}

func (a *agentEvidence) walletConfirmed() bool    { return a.s.parties.At(a.i).agent.confirmed }
func (a *agentEvidence) transactionCount() uint32 { return a.s.transactions(a.i, a.at) }
func (a *agentEvidence) activeBadges() badgeSet   { return a.s.parties.At(a.i).badges }
func (a *agentEvidence) diversityScore() Ratio    { return a.s.diversity(a.i, a.at) }
func (a *agentEvidence) reputationScore() Percent { return a.s.reputation(a.i, a.at) }

// profileEvidence is the evidence that a profile shows.
type profileEvidence struct{ of *BioVerified }

func (p profileEvidence) walletConfirmed() bool    { return p.of.WalletConfirmed }
func (p profileEvidence) transactionCount() uint32 { return p.of.Transactions }
func (p profileEvidence) diversityScore() Ratio    { return p.of.CounterpartyDiversityScore }
func (p profileEvidence) reputationScore() Percent { return p.of.ReputationScore }

func (p profileEvidence) activeBadges() (set badgeSet) {
	for _, b := range p.of.Badges {
		if b.Active {
			set |= 1 << b.Badge
		}
	}
	return set
}

// conditions yields what a rung asks for beyond the rung below. Every face
// that shows what a tier needs reads it from here. What is cheap to find out
// comes first.
func (r *TierRule) conditions(has tierEvidence) iter.Seq[check] {
	return func(yield func(check) bool) {
		badges := has.activeBadges()
		one := badges & setOf(r.OneOf)
		_ = (!r.WalletConfirmed || yield(check{name: "wallet_address", have: oneIf(has.walletConfirmed()), need: 1, unit: confirmations})) &&
			(r.Transactions == 0 || yield(check{name: "transactions", have: int64(has.transactionCount()), need: int64(r.Transactions)})) &&
			(r.ActiveBadges == 0 || yield(check{name: "active_badges", have: int64(badges.len()), need: int64(r.ActiveBadges)})) &&
			(len(r.OneOf) == 0 || yield(check{name: "badge", have: int64(one), need: 1, unit: badgeSets, of: r.OneOf})) &&
			(r.Diversity == 0 || yield(check{name: diversityCheck, have: int64(has.diversityScore()), need: int64(r.Diversity), unit: shares})) &&
			(r.Reputation == 0 || yield(check{name: "reputation_score", have: int64(has.reputationScore()), need: int64(r.Reputation), unit: points}))
	}
}

// Conditions lists what a tier asks for beyond the tier below, and how an
// agent's profile stands to each. It is empty where a tier asks for nothing.
func (r *TierRule) Conditions(of *BioVerified) []Condition {
	all := []Condition{}
	for k := range r.conditions(profileEvidence{of}) {
		all = append(all, k.condition())
	}
	return all
}

// diversity computes the counterparty_diversity_score of an agent: see
// Economy in the package documentation, and package score for the formula.
func (s *state) diversity(i uint32, at Millis) Ratio {
	d := score.Diversity{PayerShare: int64(s.law.Scores.PayerShare)}
	s.edges(i, at, func(j uint32, e *score.Edge) {
		if e.In > e.Out { // others weigh nothing
			s.weigh(j, e, at.Day())
			d.Add(*e)
		}
	})
	return Ratio(d.BasisPoints(s.law.Scores.DiversityShrink))
}

// edge is what flowed between an agent and one counterparty.
type edge struct {
	with uint32
	score.Edge
}

// edges calls use with what flowed between an agent and each counterparty
// within the look-back of diversity.
func (s *state) edges(i uint32, at Millis, use func(j uint32, e *score.Edge)) {
	cleared, rows := s.clearedUntil(i, at), s.parties.At(i).agent.evidence
	to := at.Day() + 1
	from := to - Day(s.law.Scores.DiversityDays)
	known, knownFrom, knownTo := s.past.of(i, from, to)
	var others score.Tally[uint32] // where they stand in all, from 1
	all := make([]edge, 0, known.Len()+8)
	known.Each(func(j uint32, f *inOut) { all = append(all, edge{j, score.Edge{In: int64(f.in), Out: int64(f.out)}}) })
	add := func(rows []evidence, sign int64) {
		for k := range rows {
			ev := &rows[k]
			if ev.in == 0 && ev.out == 0 || !ev.cleared(cleared) {
				continue
			}
			place := known.Place(ev.with)
			if place < 0 {
				at := others.Of(ev.with)
				if *at == 0 {
					all = append(all, edge{with: ev.with})
					*at = uint32(len(all))
				}
				place = int(*at) - 1
			}
			e := &all[place]
			e.In += sign * int64(ev.in)
			e.Out += sign * int64(ev.out)
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
func (s *state) weigh(j uint32, e *score.Edge, today Day) {
	e.Listed = s.parties.At(j).status == Rogue
	e.Others = int64(s.paidIn(j, today, s.law.Scores.DiversityDays)) - e.In
}

// dated returns the rows of the dates from one up to another, which is left
// out. Rows are sorted by day.
func dated(rows []evidence, from, to Day) []evidence {
	if from >= to {
		return nil
	}
	at := func(d Day) int { return sort.Search(len(rows), func(k int) bool { return rows[k].day >= d }) }
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
	from, to Day
	flows    score.Tally[inOut]
	live     int // counterparties whose flow is not zero
}

type inOut struct{ in, out Credits }

func (past) Commit()     {}
func (p past) Rollback() { clear(p) }

var nothing score.Tally[inOut]

// of returns what is known of an agent that is of use for a window, and of
// which dates.
func (p past) of(i uint32, from, to Day) (*score.Tally[inOut], Day, Day) {
	if known := p[i]; known != nil && from < known.to && known.from < to {
		return &known.flows, known.from, known.to
	}
	return &nothing, from, from
}

// forget drops what is known of an agent if a row of a date is about to change
// that is in it.
func (p past) forget(i uint32, d Day) {
	if known := p[i]; known != nil && d < known.to {
		delete(p, i)
	}
}

// open returns from which of an agent's rows on some may wait to clear.
func (p past) open(i uint32, rows []evidence) int {
	known := p[i]
	if known == nil {
		return 0
	}
	return sort.Search(len(rows), func(k int) bool { return rows[k].day >= known.to })
}

// sum makes the sums of agent i those that the day after a date needs. Was are
// its rows before those that count no more were dropped; the first open rows
// have cleared.
func (p past) sum(i uint32, was, rows []evidence, open int, date Day, days int) {
	from, to := date+2-Day(days), date+1
	if k := slices.IndexFunc(rows[open:], func(ev evidence) bool { return ev.clears != 0 }); k >= 0 {
		to = min(to, rows[open+k].day)
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

func (p *pastFlows) add(rows []evidence, sign Credits) {
	for k := range rows {
		ev := &rows[k]
		if ev.in == 0 && ev.out == 0 {
			continue
		}
		f := p.flows.Of(ev.with)
		if *f == (inOut{}) {
			p.live++
		}
		f.in += sign * ev.in
		f.out += sign * ev.out
		if *f == (inOut{}) {
			p.live--
		}
	}
}

// reputation computes the reputation_score of an agent: see Economy in the
// package documentation, and package score for the formula. Who is suspended or listed has none.
func (s *state) reputation(i uint32, at Millis) Percent {
	p := s.parties.At(i)
	if p.status != Active {
		return 0
	}
	rules, today, cleared := &s.law.Scores, at.Day(), s.instant(at)
	aged := func(amount int64, d Day) int64 {
		return score.Aged(amount, int64(today-d), int64(rules.FullDays), int64(rules.HalfDays))
	}
	var pairs score.Tally[score.Pair]
	for k := len(p.agent.evidence) - 1; k >= 0; k-- {
		ev := &p.agent.evidence[k]
		if int(today-ev.day) >= rules.HalfDays {
			break // rows are sorted by day
		}
		positive, negative := int64(ev.stands)*rules.Execution+int64(ev.answered)*rules.Answered, int64(ev.expired)*rules.Expired
		if (positive != 0 || negative != 0) && ev.cleared(cleared) {
			pair := pairs.Of(ev.with)
			pair.R += aged(positive, ev.day)
			pair.S += aged(negative, ev.day)
		}
	}
	var r score.Reputation
	pairs.Each(func(_ uint32, pair *score.Pair) { r.Add(*pair, rules.PairCap) })
	for _, x := range s.extra(p).incidents {
		r.AddPenalty(aged(x.weight, x.day))
	}
	return Percent(r.BasisPoints(rules.z()))
}
