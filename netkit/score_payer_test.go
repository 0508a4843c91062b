package netkit

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// weighed is the law of today in what concerns a payer's weight.
func weighed(c *Constitution) { c.Scores.PayerShare = 500 }

// What a party paid is the sum of its rows, whatever was added or taken back on
// which date, lost with a batch or read from a snapshot.
func TestPaidIsTheSumOfItsDates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newState()
		s.law = Version1()
		s.enrol(party{slug: "operator", kind: OperatorParty})
		s.enrol(party{slug: "acme", kind: SponsorParty})
		s.commit()
		want, lost := map[Day]Credits{}, map[Day]Credits{}
		today := Day(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				today += Day(rapid.IntRange(0, 90).Draw(t, "days"))
			case 1:
				s.commit()
				lost = map[Day]Credits{}
			case 2:
				s.rollback()
				for d, sum := range lost {
					want[d] -= sum
				}
				lost = map[Day]Credits{}
			default:
				d := today + Day(rapid.IntRange(-3, 3).Draw(t, "on"))
				sum := Credits(rapid.IntRange(-500, 5000).Draw(t, "sum"))
				s.addPaid(1, 0, d, sum)
				want[d] += sum
				lost[d] += sum
			}
			date, days := today-Day(rapid.IntRange(0, 2).Draw(t, "ago")), rapid.IntRange(1, 200).Draw(t, "window")
			var sum Credits
			for d, paid := range want {
				if d <= date && int(date-d) < days {
					sum += paid
				}
			}
			if got := s.paidIn(1, date, days); got != sum {
				t.Fatalf("got %s in %d days up to %d, want %s", got, days, date, sum)
			}
		}
	})
}

// Rows that no night looks at any more are dropped when another comes.
func TestOldPaymentsAreDropped(t *testing.T) {
	s := newState()
	s.law = Version1()
	s.enrol(party{slug: "operator", kind: OperatorParty})
	for d := range Day(1000) {
		s.addPaid(0, 0, d, 100)
		s.commit()
		s.nights.Edit(s.night).closed = d
	}
	p := s.payers.At(s.agenda.At(0).payer)
	if len(p.rows) > 181 || s.paidIn(0, 999, 180) != 18_000 {
		t.Errorf("got %d rows with %s in the window, want at most 181 with 180.00", len(p.rows), s.paidIn(0, 999, 180))
	}
}

// A sponsor that pays one agent alone weighs nothing for it, and 5 % of what it
// pays others as soon as it does.
func TestASponsorWeighsAsFarAsItPaysOthers(t *testing.T) {
	f := memory(t, weighed)
	f.agents("ada", "bob", "cleo")
	var contracts []uint64
	for _, sponsor := range []string{"acme", "bolt", "core"} {
		f.admit(sponsor, 5000*Credit)
		contracts = append(contracts, f.opens(sponsor, 2000*Credit, 1000))
	}
	work := func(slug string, times int) {
		for _, id := range contracts {
			for range times {
				f.executes(slug, id)
			}
		}
	}
	diversity := func() Ratio {
		return must[Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified.CounterpartyDiversityScore
	}
	work("ada", 30) // 51.00 of each
	if got := diversity(); got != 0 {
		t.Errorf("sole payee: got %s, want 0.00", got)
	}
	work("bob", 100) // capped at 100.00 a day
	if want := Ratio(10_000 * (15*15 - 3*5*5) / (15 * (15 + 25))); diversity() != want {
		t.Errorf("its sponsors paid others 100.00 each: got %s, want %s of three times 5.00", diversity(), want)
	}
	f.days(1)
	work("cleo", 100)
	if want := Ratio(10_000 * (30*30 - 3*10*10) / (30 * (30 + 25))); diversity() != want {
		t.Errorf("its sponsors paid others 200.00 each: got %s, want %s of three times 10.00", diversity(), want)
	}
	f.replays(t, string(f.state.canonical()))
}

// An agent that lacks nothing but diversity earns its badge in the night after
// its sponsors paid others, though it did nothing that day.
func TestANightJudgesAgainWhoWaitsForItsPayers(t *testing.T) {
	f := memory(t, weighed)
	f.agents("ada", "bob", "cleo")
	sponsors := []string{"acme", "bolt", "core"}
	for _, sponsor := range sponsors {
		f.admit(sponsor, 50_000*Credit)
	}
	work := func(slug string, times uint32) {
		for _, sponsor := range sponsors {
			id := f.opens(sponsor, 300*Credit, times)
			for range times {
				f.executes(slug, id)
			}
		}
	}
	for range 10 {
		work("ada", 3)
		f.days(1)
		if got := f.night(); got.IssuedCount != 0 {
			t.Fatalf("got %+v, want no badge: the sponsors pay nobody else", got.Issued)
		}
	}
	f.days(3)
	if got := f.night(); got.IssuedCount != 0 || got.Judged != 3 {
		t.Errorf("got %+v, want no badge, and ada judged each night", got)
	}
	for range 3 {
		work("bob", 59)
		work("cleo", 59)
		f.days(1)
	}
	before := f.state.root.next
	got := f.night()
	if len(got.Issued) != 1 || got.Issued[0].Agent != "ada" || got.Issued[0].Badge != FieldAgent {
		t.Fatalf("got %+v, want FIELD_AGENT for ada alone", got.Issued)
	}
	if f.state.root.next == before {
		t.Error("got no entries of the night")
	}
	f.passes(24 * time.Hour)
	if got := f.night(); got.Judged != 0 {
		t.Errorf("got %d judged once nobody waits, want 0", got.Judged)
	}
	f.replays(t, string(f.state.canonical()))
}

// An overturned execution is not among what its sponsor paid, and is again when
// the judgement is reversed.
func TestAnOverturnedExecutionIsNotPaid(t *testing.T) {
	f := memory(t, weighed)
	f.agents("ada")
	f.admit("acme", 100*Credit)
	f.executes("ada", f.opens("acme", 50*Credit, 1))
	s, acme, today := f.state, f.num("acme"), At(f.now).Day()
	cs := &reviewCase{reported: f.num("ada"), sponsor: acme, earned: earned{day: today, counted: 170}}
	for _, c := range []struct {
		out  bool
		want Credits
	}{{true, 0}, {false, 170}} {
		if s.overturn(cs, c.out, today); s.paidIn(acme, today, 180) != c.want {
			t.Errorf("overturned %v: got %s, want %s", c.out, s.paidIn(acme, today, 180), c.want)
		}
	}
}

// An accepted execution counts from the acceptance on for its agent and among what
// its sponsor paid, so that the score is right at once and its explanation names
// no reason that is false.
func TestAcceptanceHasOneDate(t *testing.T) {
	for _, c := range []struct {
		counts bool
		want   [3]Ratio // at once, a day and four days later
	}{
		{false, [3]Ratio{0, 0, 6400}},
		{true, [3]Ratio{6400, 6400, 6400}},
	} {
		f := memory(t, weighed, clearing(72), func(l *Constitution) { l.Scores.AcceptedCounts = c.counts })
		f.agents("ada", "bob", "cleo", "dan", "eve", "fay")
		for k := range 5 {
			sponsor := fmt.Sprintf("sponsor-%d", k)
			f.admit(sponsor, 1000*Credit)
			id := f.opens(sponsor, 1000*Credit, 60)
			for _, agent := range []string{"bob", "cleo", "dan", "eve", "fay"} {
				for range 60 {
					f.executes(agent, id)
				}
			}
			for range 12 {
				f.executes("ada", id)
			}
			must[AcceptedReceipt](t)(f.As(sponsor).Accept(t.Context(), AcceptExecutions{CampaignID: id}))
		}
		for k, days := range []int{0, 1, 3} {
			f.days(days)
			x := must[AgentExplanation](t)(f.As("").ExplainAgent(t.Context(), "ada"))
			if x.Diversity != c.want[k] {
				t.Errorf("counts %v, +%d days: got %s, want %s", c.counts, days, x.Diversity, c.want[k])
			}
			if reasons := strings.Join(x.Raises, "; "); strings.Contains(reasons, "too little") != (c.want[k] == 0) {
				t.Errorf("counts %v, +%d days: got %q", c.counts, days, reasons)
			}
		}
		f.diversityIsItsDefinition(t)
		f.restarts(t)
	}
}

// flow is what one payment adds to the diversity of its payee.
type flow struct {
	payee, payer string
	day          Day
	clears       quarter
	in, gross    Credits
	gone         bool // overturned or returned
	accepted     bool
}

// flows reads from a journal's entries alone who paid whom.
func (f *fixture) flows() []*flow {
	f.t.Helper()
	var all []*flow
	executions, subjects := map[uint64]*flow{}, map[uint64]uint64{}
	for r, err := range f.store.Read(f.t.Context(), 0, f.state.root.next) {
		if err != nil {
			f.t.Fatal(err)
		}
		e := must[*Entry](f.t)(ReadEntry(r))
		switch x := e.Fact.(type) {
		case *Executed:
			executions[e.Seq] = &flow{payee: x.Agent, payer: x.Sponsor, day: e.At.Day(), clears: x.Clears, in: x.counted}
			all = append(all, executions[e.Seq])
		case *AttentionAnswered:
			all = append(all, &flow{payee: x.To, payer: x.From, day: e.At.Day(), in: x.counted, gross: x.Price})
		case *ExecutionsAccepted:
			for _, a := range x.Executions {
				executions[a.id].accepted = true
			}
		case *ExecutionReturnedFact:
			executions[x.id].gone = true
		case *ReportFiled:
			subjects[e.Seq] = x.Subject
		case *CaseDecided:
			if x.Overturn {
				executions[subjects[x.Case]].gone = x.Effect == caseTakesEffect
			}
		}
	}
	return all
}

// refDiversity is the definition over a journal's payments, pair by pair,
// with no sum kept.
func refDiversity(all []*flow, agent string, rogue func(string) bool, at Millis, r *ScoreRules) Ratio {
	today := at.Day()
	in := func(d Day) bool { return d <= today && int(today-d) < r.DiversityDays }
	counts := func(x *flow) bool { return !x.gone && in(x.day) && (x.accepted || x.clears.millis() <= at) }
	paid := func(x *flow) bool {
		from := max(x.day, x.clears.millis().Day())
		return !x.gone && (in(from) || r.AcceptedCounts && x.accepted && from > today)
	}
	payers := map[string]bool{}
	for _, x := range all {
		if x.payee == agent {
			payers[x.payer] = true
		}
	}
	var s1, s2 int64
	for j := range payers {
		var in, out, total Credits
		for _, x := range all {
			switch {
			case !counts(x):
			case x.payee == agent && x.payer == j:
				in += x.in
			case x.payee == j && x.payer == agent:
				out += x.gross
			}
			if paid(x) && x.payer == j {
				total += x.in
			}
		}
		if r.PayerShare > 0 {
			in = min(in, out+max(0, total-in)*Credits(r.PayerShare)/10_000)
		}
		if w := int64(in-out) / 100; in > out && !rogue(j) {
			s1, s2 = s1+w, s2+w*w
		}
	}
	if s1 == 0 {
		return 0
	}
	return Ratio(10_000 * (s1*s1 - s2) / (s1 * (s1 + r.DiversityShrink)))
}

// diversityIsItsDefinition compares the score of every agent with the
// reference, and what every party paid with the rows of those it paid. No row
// may be as old as a night drops.
func (f *fixture) diversityIsItsDefinition(t rapid.TB) {
	all, now := f.flows(), At(f.now)
	rogue := func(slug string) bool { return f.row(slug).status == Rogue }
	paid := map[uint32]Credits{}
	for i, p := range f.state.parties.All() {
		for k := range p.agent.evidence {
			paid[p.agent.evidence[k].with] += p.agent.evidence[k].in
		}
		if p.kind != AgentParty {
			continue
		}
		for _, at := range []Millis{now, lastMoment(now.Day() - 1)} {
			if got, want := f.state.diversity(i, at), refDiversity(all, p.slug, rogue, at, &f.state.law.Scores); got != want {
				t.Fatalf("%s at %d: got %s, want %s", p.slug, at, got, want)
			}
		}
	}
	for j, p := range f.state.parties.All() {
		if got := f.state.payers.At(f.state.agenda.At(j).payer).sum; got != paid[j] {
			t.Fatalf("%s: got %s paid in all, want %s as its payees' rows say", p.slug, got, paid[j])
		}
	}
}

// An explanation lists what of each payment does not count and why, and its
// parts add up.
func TestExplainAgentAddsUp(t *testing.T) {
	f := memory(t, weighed, func(c *Constitution) { c.Market.ClearingHours = 72 })
	f.agents("ada", "bob", "cleo")
	f.admit("acme", 5000*Credit)
	f.admit("bolt", 5000*Credit)
	f.takes("ada", 2*Credit)
	for _, sponsor := range []string{"acme", "bolt"} {
		id := f.opens(sponsor, 1000*Credit, 100)
		for range 70 {
			f.executes("ada", id)
		}
		for range 30 {
			f.executes("bob", id)
		}
	}
	must[AttentionReceipt](t)(f.As("ada").AnswerAttention(t.Context(), AnswerAttention{f.asks("cleo", "ada").ID, "yes"}))
	by := func() map[string]CounterpartyView {
		x := must[AgentExplanation](t)(f.As("").ExplainAgent(t.Context(), "ada"))
		if got := must[Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified.CounterpartyDiversityScore; x.Diversity != got || !x.Complete || len(x.Raises) == 0 {
			t.Errorf("got %+v, want diversity %s with what would raise it", x, got)
		}
		all := map[string]CounterpartyView{}
		for _, c := range x.Counterparties {
			if sum := c.Uncleared + c.Unbacked + c.Young + c.OverCap + c.Undone + c.Counted; sum != c.Paid {
				t.Errorf("%s: the parts are %s, want %s in %+v", c.Party, sum, c.Paid, c)
			}
			all[c.Party] = c
		}
		return all
	}
	if c := by()["acme"]; c.Paid != 11_900 || c.Uncleared != 10_000 || c.OverCap != 1900 || c.Weight != 0 {
		t.Errorf("at once: got %+v, want 119.00 of which 100.00 are uncleared and 19.00 over the cap of a day", c)
	}
	if c := by()["cleo"]; c.Paid != 200 || c.Unbacked != 200 || c.Counted != 0 {
		t.Errorf("got %+v, want 2.00 of a grant that nothing backs", c)
	}
	f.days(4)
	if c := by()["acme"]; c.Counted != 10_000 || c.Others != 5100 || c.Beyond != 10_000-255 || c.Weight != 2 {
		t.Errorf("cleared: got %+v, want 2.55 of 100.00: 5 %% of the 51.00 paid to bob", c)
	}
}
