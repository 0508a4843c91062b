package rules

import (
	"cmp"
	"iter"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Detection is what one detector found, in whole numbers or basis points.
type Detection struct {
	Name string
	Have int64
	Most int64 // that an agent may have without being flagged
	Unit netkit.Unit
}

func (d *Detection) Fields(c *wire.Codec) {
	wire.Str(c, "detector", &d.Name)
	wire.Num(c, "have", &d.Have)
	wire.Num(c, "most", &d.Most)
	wire.Num(c, "unit", &d.Unit)
}

func (d *Detection) condition() netkit.Condition {
	k := netkit.Check{Name: d.Name, Have: d.Have, Need: d.Most, Unit: d.Unit, AtMost: true}
	return k.Condition()
}

// detectors yields what is looked at of an agent, as checks that an honest agent
// meets. One that is due for a badge is looked at more closely.
func (s *State) detectors(i uint32, at netkit.Millis, badge bool) iter.Seq[netkit.Check] {
	return func(yield func(netkit.Check) bool) {
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
			yield(netkit.Check{Name: "income_from_captive_payers", Have: shareOf(t.captive, t.income), Need: int64(r.CaptiveShare), Unit: netkit.Shares, AtMost: true})) &&
			(r.SendersMostly == 0 || t.senders < int64(r.Senders) ||
				yield(netkit.Check{Name: "senders_that_pay_mostly_this_agent", Have: shareOf(t.mostly, t.senders), Need: int64(r.SendersMostly), Unit: netkit.Shares, AtMost: true})) &&
			(r.SponsorsAlike == 0 || !diverse || int(s.sponsors.Len()) < r.SponsorsFrom ||
				yield(netkit.Check{Name: "sponsors_that_pay_alike", Have: t.payers.Likeness(i, int64(r.SponsorsAlike)), Need: int64(r.SponsorsAlike), Unit: netkit.Shares, AtMost: true})) &&
			(r.CheapAnswers == 0 ||
				yield(netkit.Check{Name: "cheap_answers", Have: rows.cheap, Need: int64(r.CheapAnswers) - 1, AtMost: true})) &&
			(r.BurstShare == 0 || rows.stands < int64(r.BurstFrom) ||
				yield(netkit.Check{Name: "executions_on_one_date", Have: shareOf(rows.busiest, rows.stands), Need: int64(r.BurstShare), Unit: netkit.Shares, AtMost: true})) &&
			(!s.walksCirculation(i, badge) ||
				yield(netkit.Check{Name: circulationCheck, Have: s.circulates(i, at), Need: int64(r.CirculationShare) - 1, Unit: netkit.Shares, AtMost: true})) &&
			(!s.walksExcess(i, badge) ||
				yield(netkit.Check{Name: excessCheck, Have: s.exceeds(i, at), Need: int64(r.CirculationExcess), Unit: netkit.Shares, AtMost: true})) &&
			(r.EvenShare == 0 || rows.answered < int64(r.EvenFrom) ||
				yield(netkit.Check{Name: "even_answers", Have: shareOf(s.evenAnswers(i, at), rows.answered), Need: int64(r.EvenShare), Unit: netkit.Shares, AtMost: true})) &&
			(r.MutualShare == 0 || rows.answered < int64(r.MutualFrom) ||
				yield(netkit.Check{Name: "mutual_answers", Have: shareOf(s.mutualAnswers(i, at), rows.answered), Need: int64(r.MutualShare), Unit: netkit.Shares, AtMost: true})) &&
			(r.Reciprocity == 0 ||
				yield(netkit.Check{Name: "income_sent_back", Have: shareOf(t.returned, t.income), Need: int64(r.Reciprocity), Unit: netkit.Shares, AtMost: true}))
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
type activity struct{ stands, busiest, cheap, answered int64 }

func (s *State) activity(i uint32, at netkit.Millis) (sum activity) {
	today, last, onDate, cleared := at.Day(), netkit.Day(-1), int64(0), s.clearedUntil(i, at)
	rows := s.parties.At(i).Agent.Evidence
	for k := range rows {
		ev := &rows[k]
		if !score.InWindow(int64(today), int64(ev.Day), int64(s.law.Scores.DiversityDays)) || !ev.cleared(cleared) {
			continue
		}
		if ev.Day != last {
			last, onDate = ev.Day, 0
		}
		onDate += int64(ev.Stands)
		sum.busiest = max(sum.busiest, onDate)
		sum.stands += int64(ev.Stands)
		sum.cheap += int64(ev.cheap)
		sum.answered += int64(ev.Answered)
	}
	return sum
}

// detect lists the detectors that find an agent in the night of a date.
func (s *State) detect(i uint32, date netkit.Day, badge bool) (found []Detection) {
	if s.law.Detectors == (netkit.DetectorRules{}) {
		return nil
	}
	for k := range s.detectors(i, LastMoment(date), badge) {
		if !k.Met() {
			found = append(found, Detection{k.Name, k.Have, k.Need, k.Unit})
		}
	}
	return found
}

// flag returns the flag that the night of a date records of an agent: nil
// unless other detectors than before find it.
func (s *State) flag(i uint32, date netkit.Day, found []Detection) *AgentFlagged {
	was, _ := s.flags.Get(i)
	same := func(a, b Detection) bool { return a.Name == b.Name }
	if s.law.Detectors == (netkit.DetectorRules{}) || slices.EqualFunc(was.detections, found, same) {
		return nil
	}
	return &AgentFlagged{Agent: s.parties.At(i).Slug, Date: date, Detections: found}
}

// AgentFlagged records which detectors found an agent in a night; none is that
// those of an earlier night find it no more.
type AgentFlagged struct {
	Agent      string
	Date       netkit.Day
	Detections []Detection
}

func (*AgentFlagged) Kind() netkit.Kind { return netkit.KindAgentFlagged }

func (*AgentFlagged) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *AgentFlagged) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Num(c, "date", &f.Date)
	wire.List(c, "detections", &f.Detections, object[Detection])
}

func (f *AgentFlagged) Apply(s *State, e *Entry) {
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
	Seq        uint64
	date       netkit.Day
	detections []Detection
}

func (f *flagged) Fields(c *wire.Codec) {
	wire.Num(c, "seq", &f.Seq)
	wire.Num(c, "date", &f.date)
	wire.List(c, "detections", &f.detections, object[Detection])
}

func (s *State) agentFlag(i uint32, r flagged) netkit.AgentFlag {
	f := netkit.AgentFlag{Agent: s.parties.At(i).Slug, Date: r.date, Seq: r.Seq}
	for k := range r.detections {
		f.Detections = append(f.Detections, r.detections[k].condition())
	}
	return f
}

// FlagsFor returns a page of the agents that detectors found, latest first, and
// whether the caller is an operator.
func (s *State) FlagsFor(by netkit.Caller, before uint64, size int) (all []netkit.AgentFlag, next string, operator bool, err error) {
	all = []netkit.AgentFlag{}
	_, p, err := s.reader(by)
	if err != nil {
		return all, "", false, err
	}
	for i, r := range s.flags.M {
		if r.Seq < before {
			all = append(all, s.agentFlag(i, r))
		}
	}
	slices.SortFunc(all, func(a, b netkit.AgentFlag) int { return cmp.Compare(b.Seq, a.Seq) })
	if len(all) > size {
		all, next = all[:size], netkit.CursorBelow(all[size-1].Seq)
	}
	return all, next, p.Kind == netkit.OperatorParty, nil
}
