package netkit

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Detectors look for income that an agent may have arranged for itself. The
// night runs them for the agents that it judges, on public evidence alone, and
// an entry says what they found. None of them changes a score, a tier or a
// badge: a flag asks people to look.

// DetectorRules holds the bounds of the detectors; a bound of 0 turns its
// detector off.
type DetectorRules struct {
	MinDiversity  Ratio   `json:"min_diversity,omitempty" doc:"captive income is looked for from this diversity up, payer_share left aside"`
	CaptiveFrom   Credits `json:"captive_from,omitempty" doc:"and from this counted income up: the first payers of a young network have paid few yet"`
	CaptiveShare  Ratio   `json:"captive_share,omitempty" doc:"of income from payers that pay mostly this agent, at most"`
	Senders       int     `json:"senders,omitempty" doc:"from this many senders up it is looked for whom they pay"`
	SendersMostly Ratio   `json:"senders_mostly,omitempty" doc:"of senders that pay mostly this agent, at most"`
	SponsorsFrom  int     `json:"sponsors_from,omitempty" doc:"from this many sponsors of the network up it is looked for whom else the sponsors of an agent pay"`
	SponsorsAlike Ratio   `json:"sponsors_alike,omitempty" doc:"chance that two credits of its income come from one payer or from sponsors that pay the same others, at most"`
	CheapPrice    Credits `json:"cheap_price,omitempty" doc:"a backed answer below this price is a cheap one"`
	CheapAnswers  int     `json:"cheap_answers,omitempty" doc:"cheap answers, fewer than"`
	BurstFrom     int     `json:"burst_from,omitempty" doc:"from this many executions up bursts are looked for"`
	BurstShare    Ratio   `json:"burst_share,omitempty" doc:"of executions on one date, at most"`
	Reciprocity   Ratio   `json:"reciprocity,omitempty" doc:"of income that went back to those it came from, at most"`
}

// AgentFlag is an agent that detectors found, with their numbers.
type AgentFlag struct {
	Agent      string      `json:"agent"`
	Detections []Condition `json:"detections" doc:"each detector whose bound is passed"`
	Date       Day         `json:"date" doc:"that the night closed which found it"`
	Seq        uint64      `json:"seq,omitempty" doc:"entry of that night"`
	With       []string    `json:"with,omitempty" doc:"other agents that acted from its address since the server started; shown to operators alone, and neither the address nor this is stored"`
}

// machineAccounts is how many agents may act from one address before operators are
// told: a household or a small team.
const machineAccounts = 5

// onOneMachine lists groups of agents that acted from one address, one flag
// for each of the largest groups.
func (n *Network) onOneMachine(today Day) (flags []AgentFlag) {
	groups := n.machines.Shared(machineAccounts)
	for _, g := range groups[:min(len(groups), 20)] {
		k := check{name: "accounts_on_one_machine", have: int64(len(g)), need: machineAccounts, atMost: true}
		flags = append(flags, AgentFlag{Agent: g[0], With: g[1:], Date: today, Detections: []Condition{k.condition()}})
	}
	return flags
}

// Detection is what one detector found, in whole numbers or basis points.
type Detection struct {
	Name string
	Have int64
	Most int64 // that an agent may have without being flagged
	unit unit
}

func (d *Detection) fields(c *wire.Codec) {
	wire.Str(c, "detector", &d.Name)
	wire.Num(c, "have", &d.Have)
	wire.Num(c, "most", &d.Most)
	wire.Num(c, "unit", &d.unit)
}

func (d *Detection) condition() Condition {
	k := check{name: d.Name, have: d.Have, need: d.Most, unit: d.unit, atMost: true}
	return k.condition()
}

// detectors yields what is looked at of an agent, as checks that an honest agent
// meets.
func (s *state) detectors(i uint32, at Millis) iter.Seq[check] {
	return func(yield func(check) bool) {
		r := &s.law.Detectors
		var t traffic
		s.edges(i, at, func(j uint32, e *score.Edge) {
			if e.In > 0 {
				s.weigh(j, e, at.Day())
				t.add(j, e, s.payeesOf(j))
			}
		})
		rows, diverse := s.activity(i, at), t.income >= int64(r.CaptiveFrom) && t.plain.BasisPoints(s.law.Scores.DiversityShrink) >= int64(r.MinDiversity)
		_ = (r.CaptiveShare == 0 || !diverse ||
			yield(check{name: "income_from_captive_payers", have: shareOf(t.captive, t.income), need: int64(r.CaptiveShare), unit: shares, atMost: true})) &&
			(r.SendersMostly == 0 || t.senders < int64(r.Senders) ||
				yield(check{name: "senders_that_pay_mostly_this_agent", have: shareOf(t.mostly, t.senders), need: int64(r.SendersMostly), unit: shares, atMost: true})) &&
			(r.SponsorsAlike == 0 || !diverse || int(s.sponsors.Len()) < r.SponsorsFrom ||
				yield(check{name: "sponsors_that_pay_alike", have: t.payers.Likeness(i, int64(r.SponsorsAlike)), need: int64(r.SponsorsAlike), unit: shares, atMost: true})) &&
			(r.CheapAnswers == 0 ||
				yield(check{name: "cheap_answers", have: rows.cheap, need: int64(r.CheapAnswers) - 1, atMost: true})) &&
			(r.BurstShare == 0 || rows.stands < int64(r.BurstFrom) ||
				yield(check{name: "executions_on_one_date", have: shareOf(rows.busiest, rows.stands), need: int64(r.BurstShare), unit: shares, atMost: true})) &&
			(r.Reciprocity == 0 ||
				yield(check{name: "income_sent_back", have: shareOf(t.returned, t.income), need: int64(r.Reciprocity), unit: shares, atMost: true}))
	}
}

// traffic sums up an agent's counterparties.
type traffic struct {
	plain           score.Diversity // without a payer's share
	income, captive int64
	returned        int64
	senders, mostly int64 // agents that paid it; those that paid it more than all others
	payers          score.Sources
}

// add adds counterparty j, which paid the agent, with whom it pays if it is a
// sponsor.
func (t *traffic) add(j uint32, e *score.Edge, toWhom *score.Payees) {
	t.plain.Add(*e)
	t.income += e.In
	t.returned += min(e.In, e.Out)
	mostly := e.In > e.Others
	if mostly {
		t.captive += e.In
	}
	t.payers.Add(score.Source{Payer: j, In: e.In, Payees: toWhom})
	if toWhom == nil {
		t.senders++
		if mostly {
			t.mostly++
		}
	}
}

// activity is how an agent's evidence within the look-back of diversity spreads
// over dates.
type activity struct{ stands, busiest, cheap int64 }

func (s *state) activity(i uint32, at Millis) (sum activity) {
	today, last, onDate, cleared := at.Day(), Day(-1), int64(0), s.clearedUntil(i, at)
	rows := s.parties.At(i).agent.evidence
	for k := range rows {
		ev := &rows[k]
		if !score.InWindow(int64(today), int64(ev.day), int64(s.law.Scores.DiversityDays)) || !ev.cleared(cleared) {
			continue
		}
		if ev.day != last {
			last, onDate = ev.day, 0
		}
		onDate += int64(ev.stands)
		sum.busiest = max(sum.busiest, onDate)
		sum.stands += int64(ev.stands)
		sum.cheap += int64(ev.cheap)
	}
	return sum
}

// flag returns what the night of a date has to record of an agent: nothing
// unless other detectors than before find it.
func (s *state) flag(i uint32, date Day) *AgentFlagged {
	if s.law.Detectors == (DetectorRules{}) {
		return nil
	}
	f := &AgentFlagged{Agent: s.parties.At(i).slug, Date: date}
	for k := range s.detectors(i, lastMoment(date)) {
		if !k.met() {
			f.Detections = append(f.Detections, Detection{k.name, k.have, k.need, k.unit})
		}
	}
	was, _ := s.flags.Get(i)
	same := func(a, b Detection) bool { return a.Name == b.Name }
	if slices.EqualFunc(was.detections, f.Detections, same) {
		return nil
	}
	return f
}

// AgentFlagged records which detectors found an agent in a night; none is that
// those of an earlier night find it no more.
type AgentFlagged struct {
	Agent      string
	Date       Day
	Detections []Detection
}

func (*AgentFlagged) kind() Kind { return KindAgentFlagged }

func (*AgentFlagged) asked(*pastView) (command, error) { return nil, nil }

func (f *AgentFlagged) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Num(c, "date", &f.Date)
	wire.List(c, "detections", &f.Detections, object[Detection])
}

func (f *AgentFlagged) apply(s *state, e *Entry) {
	i, ok := s.slugs.Get(f.Agent)
	switch {
	case !ok:
	case len(f.Detections) == 0:
		s.flags.Drop(i)
	default:
		s.flags.Put(i, flagged{e.Seq, f.Date, f.Detections})
	}
}

// flagged is what the latest night found of an agent.
type flagged struct {
	seq        uint64
	date       Day
	detections []Detection
}

func (f *flagged) fields(c *wire.Codec) {
	wire.Num(c, "seq", &f.seq)
	wire.Num(c, "date", &f.date)
	wire.List(c, "detections", &f.detections, object[Detection])
}

// Flags lists the agents that detectors found, latest first, to anyone with a
// token. A flag changes no score. The first page begins, for operators, with
// agents that share an address.
func (ses *Session) Flags(ctx context.Context, page Page) (List[AgentFlag], error) {
	size, before, err := page.window()
	if err != nil {
		return List[AgentFlag]{}, err
	}
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *state) (List[AgentFlag], error) {
		out := List[AgentFlag]{Items: []AgentFlag{}, AsOf: s.asOf(now)}
		_, p, err := s.reader(ses.by)
		if err != nil {
			return out, err
		}
		for i, r := range s.flags.M {
			if r.seq < before {
				out.Items = append(out.Items, s.agentFlag(i, r))
			}
		}
		slices.SortFunc(out.Items, func(a, b AgentFlag) int { return cmp.Compare(b.Seq, a.Seq) })
		if len(out.Items) > size {
			out.Items, out.NextCursor = out.Items[:size], cursorBelow(out.Items[size-1].Seq)
		}
		if p.kind == OperatorParty && page.Cursor == "" {
			out.Items = slices.Insert(out.Items, 0, ses.n.onOneMachine(now.Day())...) // never nil: a list without items is []
		}
		return out, nil
	})
}

func (s *state) agentFlag(i uint32, r flagged) AgentFlag {
	f := AgentFlag{Agent: s.parties.At(i).slug, Date: r.date, Seq: r.seq}
	for k := range r.detections {
		f.Detections = append(f.Detections, r.detections[k].condition())
	}
	return f
}
