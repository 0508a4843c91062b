package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Under DetectorRules.CirculationCaseDays the night itself files a case under L2
// against an agent around which money circulates, with the figures of the flag and
// no report: no bond is posted and no reward is paid, and the treasury pays the
// verdicts as in every case. While the case is undecided the agent is issued no
// badge. Its subject is the entry that made the agent, so that an agent has one such
// case at a time; after a judgement the next one waits for CirculationCaseDays. Under
// CirculationSides reviewers whom the sponsors of the flag paid do not judge it.

// circulationKey names the cases that nights file against an agent.
func (s *State) circulationKey(i uint32) judgedKey {
	return judgedKey{s.parties.At(i).Seq, netkit.Rogue}
}

// awaitsCirculationVerdict reports whether a case that a night filed against an agent
// is undecided.
func (s *State) awaitsCirculationVerdict(i uint32) bool {
	cs, ok := s.latestCase(s.circulationKey(i))
	return ok && !cs.State.Decided()
}

// fileCirculation returns the case that the night of a date files against an agent
// in which the detectors found something, nil for none.
func (s *State) fileCirculation(i uint32, date netkit.Day, found []Detection) *CirculationFiled {
	days, p := s.law.Detectors.CirculationCaseDays, s.parties.At(i)
	k := slices.IndexFunc(found, func(d Detection) bool { return d.Name == circulationCheck || d.Name == excessCheck })
	if days == 0 || k < 0 || p.Status != netkit.Active {
		return nil
	}
	if cs, ok := s.latestCase(s.circulationKey(i)); ok && (!cs.State.Decided() || int(date-cs.settle.Day()) < days) {
		return nil
	}
	f := &CirculationFiled{Subject: p.Seq, Reported: p.Slug, Date: date, Have: found[k].Have, Most: found[k].Most, Excess: found[k].Name == excessCheck}
	factor := s.circulationFactor()
	if f.Excess {
		factor = excessFactor
	}
	f.Ends = s.walkEnds(i, LastMoment(date), factor)
	return f
}

// CirculationFiled records a case that a night filed against an agent, with the
// findings of its walk; the panel is drawn later. All of it is public.
type CirculationFiled struct {
	Subject  uint64 // entry that made the agent
	Reported string
	Date     netkit.Day
	Have     int64     // part of the walk that ends on Ends, in basis points
	Most     int64     // that an agent may have without being flagged
	Ends     []walkEnd // sponsors reached too often
	Excess   bool      // Have is the part of the walk beyond the share of Ends of all spending
}

func (*CirculationFiled) Kind() netkit.Kind { return netkit.KindCirculationFiled }

func (*CirculationFiled) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *CirculationFiled) Fields(c *wire.Codec) {
	wire.Num(c, "subject", &f.Subject)
	wire.Str(c, "reported", &f.Reported)
	wire.Num(c, "date", &f.Date)
	wire.Num(c, "have", &f.Have)
	wire.Num(c, "most", &f.Most)
	wire.List(c, "ends", &f.Ends, object[walkEnd])
	c.Flag("excess", &f.Excess)
}

func (f *CirculationFiled) Apply(s *State, e *Entry) {
	j, ok := s.slugs.Get(f.Reported)
	if !ok {
		return
	}
	circle := make([]string, len(f.Ends))
	for k := range f.Ends {
		circle[k] = f.Ends[k].sponsor
	}
	cs := s.cases.Add(e.Seq, ReviewCase{id: e.Seq, subject: f.Subject, law: netkit.Rogue, byNight: true, circle: s.RowsOf(circle), Reported: j, filed: e.At})
	s.judged.Put(cs.key(), cs.id)
	s.convene(cs, &Draw{Waits: true}, e)
	s.notify(j, e.Seq, noticeReported)
}

func (f *CirculationFiled) notice(noticeKind, string) (uint64, string) {
	return 0, "A case under L2 was filed against you, since your income circulates among sponsors; no badge is issued to you until it is decided."
}

// Evidence returns the figures of the flag in words.
func (f *CirculationFiled) Evidence() string {
	var b strings.Builder
	ends := "ends on sponsors that it reaches far more often than their share of all spending"
	if f.Excess {
		ends = "ends on the same few sponsors beyond their share of all spending"
	}
	fmt.Fprintf(&b, "The night of %s followed the money from %s to its sponsors, to the agents that they pay and to the sponsors of these, three times. %s of it %s; an agent may have %s.",
		f.Date, f.Reported, netkit.Ratio(f.Have), ends, netkit.Ratio(f.Most))
	for _, x := range f.Ends {
		fmt.Fprintf(&b, " %s: %s of the walk, %s of all spending.", x.sponsor, netkit.Ratio(x.reached*score.One/walkUnit), netkit.Ratio(x.spent*score.One/walkUnit))
	}
	return b.String() + " Uphold the case if the agent and these sponsors have one owner or pay for no work."
}
