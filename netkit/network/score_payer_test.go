package network

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// weighed is the law of today in what concerns a payer's weight.
func weighed(c *netkit.Constitution) { c.Scores.PayerShare = 500 }

// A sponsor that pays one agent alone weighs nothing for it, and 5 % of what it
// pays others as soon as it does.
func TestASponsorWeighsAsFarAsItPaysOthers(t *testing.T) {
	f := memory(t, weighed)
	f.agents("ada", "bob", "cleo")
	var contracts []uint64
	for _, sponsor := range []string{"acme", "bolt", "core"} {
		f.admit(sponsor, 5000*netkit.Credit)
		contracts = append(contracts, f.opens(sponsor, 2000*netkit.Credit, 1000))
	}
	work := func(slug string, times int) {
		for _, id := range contracts {
			for range times {
				f.executes(slug, id)
			}
		}
	}
	diversity := func() netkit.Ratio {
		return must[netkit.Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified.CounterpartyDiversityScore
	}
	work("ada", 30) // 51.00 of each
	if got := diversity(); got != 0 {
		t.Errorf("sole payee: got %s, want 0.00", got)
	}
	work("bob", 100) // capped at 100.00 a day
	if want := netkit.Ratio(10_000 * (15*15 - 3*5*5) / (15 * (15 + 25))); diversity() != want {
		t.Errorf("its sponsors paid others 100.00 each: got %s, want %s of three times 5.00", diversity(), want)
	}
	f.days(1)
	work("cleo", 100)
	if want := netkit.Ratio(10_000 * (30*30 - 3*10*10) / (30 * (30 + 25))); diversity() != want {
		t.Errorf("its sponsors paid others 200.00 each: got %s, want %s of three times 10.00", diversity(), want)
	}
	f.replays(t, string(f.state.Canonical()))
}

// An agent that lacks nothing but diversity earns its badge in the night after
// its sponsors paid others, though it did nothing that day.
func TestANightJudgesAgainWhoWaitsForItsPayers(t *testing.T) {
	f := memory(t, weighed)
	f.agents("ada", "bob", "cleo")
	sponsors := []string{"acme", "bolt", "core"}
	for _, sponsor := range sponsors {
		f.admit(sponsor, 50_000*netkit.Credit)
	}
	work := func(slug string, times uint32) {
		for _, sponsor := range sponsors {
			id := f.opens(sponsor, 300*netkit.Credit, times)
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
	before := f.state.Size()
	got := f.night()
	if len(got.Issued) != 1 || got.Issued[0].Agent != "ada" || got.Issued[0].Badge != netkit.FieldAgent {
		t.Fatalf("got %+v, want FIELD_AGENT for ada alone", got.Issued)
	}
	if f.state.Size() == before {
		t.Error("got no entries of the night")
	}
	f.passes(24 * time.Hour)
	if got := f.night(); got.Judged != 0 {
		t.Errorf("got %d judged once nobody waits, want 0", got.Judged)
	}
	f.replays(t, string(f.state.Canonical()))
}

// An overturned execution is not among what its sponsor paid, and is again when
// the judgement is reversed.
func TestAnOverturnedExecutionIsNotPaid(t *testing.T) {
	f := memory(t, weighed)
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	f.executes("ada", f.opens("acme", 50*netkit.Credit, 1))
	s, acme, today := f.state, f.num("acme"), netkit.At(f.now).Day()
	cs := &rules.ReviewCase{Reported: f.num("ada"), Sponsor: acme, Earned: rules.Earned{Day: today, Counted: 170}}
	for _, c := range []struct {
		out  bool
		want netkit.Credits
	}{{true, 0}, {false, 170}} {
		if s.Overturn(cs, &cs.Earned, c.out, today); s.PaidIn(acme, today, 180) != c.want {
			t.Errorf("overturned %v: got %s, want %s", c.out, s.PaidIn(acme, today, 180), c.want)
		}
	}
}

// An accepted execution counts from the acceptance on for its agent and among what
// its sponsor paid, so that the score is right at once and its explanation names
// no reason that is false.
func TestAcceptanceHasOneDate(t *testing.T) {
	for _, c := range []struct {
		counts bool
		want   [3]netkit.Ratio // at once, a day and four days later
	}{
		{false, [3]netkit.Ratio{0, 0, 6400}},
		{true, [3]netkit.Ratio{6400, 6400, 6400}},
	} {
		f := memory(t, weighed, clearing(72), func(l *netkit.Constitution) { l.Scores.AcceptedCounts = c.counts })
		f.agents("ada", "bob", "cleo", "dan", "eve", "fay")
		for k := range 5 {
			sponsor := fmt.Sprintf("sponsor-%d", k)
			f.admit(sponsor, 1000*netkit.Credit)
			id := f.opens(sponsor, 1000*netkit.Credit, 60)
			for _, agent := range []string{"bob", "cleo", "dan", "eve", "fay"} {
				for range 60 {
					f.executes(agent, id)
				}
			}
			for range 12 {
				f.executes("ada", id)
			}
			must[netkit.AcceptedReceipt](t)(f.As(sponsor).Accept(t.Context(), netkit.AcceptExecutions{CampaignID: id}))
		}
		for k, days := range []int{0, 1, 3} {
			f.days(days)
			x := must[netkit.AgentExplanation](t)(f.As("").ExplainAgent(t.Context(), "ada"))
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
	day          netkit.Day
	clears       rules.Quarter
	in, gross    netkit.Credits
	gone         bool // overturned or returned
	accepted     bool
}

// flows reads from a journal's entries alone who paid whom.
func (f *fixture) flows() []*flow {
	f.t.Helper()
	var all []*flow
	executions, subjects := map[uint64]*flow{}, map[uint64]uint64{}
	for r, err := range f.store.Read(f.t.Context(), 0, f.state.Size()) {
		if err != nil {
			f.t.Fatal(err)
		}
		e := must[*rules.Entry](f.t)(rules.ReadEntry(r))
		switch x := e.Fact.(type) {
		case *rules.Executed:
			executions[e.Seq] = &flow{payee: x.Agent, payer: x.Sponsor, day: e.At.Day(), clears: x.Clears, in: x.Counted}
			all = append(all, executions[e.Seq])
		case *rules.AttentionAnswered:
			all = append(all, &flow{payee: x.To, payer: x.From, day: e.At.Day(), in: x.Counted, gross: x.Price})
		case *rules.ExecutionsAccepted:
			for _, a := range x.Executions {
				executions[a.Id].accepted = true
			}
		case *rules.ExecutionReturnedFact:
			executions[x.Id].gone = true
		case *rules.ReportFiled:
			subjects[e.Seq] = x.Subject
		case *rules.CaseDecided:
			if x.Overturn {
				executions[subjects[x.Case]].gone = x.Effect == rules.CaseTakesEffect
			}
		}
	}
	return all
}

// refDiversity is the definition over a journal's payments, pair by pair,
// with no sum kept.
func refDiversity(all []*flow, agent string, rogue func(string) bool, at netkit.Millis, r *netkit.ScoreRules) netkit.Ratio {
	today := at.Day()
	in := func(d netkit.Day) bool { return d <= today && int(today-d) < r.DiversityDays }
	counts := func(x *flow) bool { return !x.gone && in(x.day) && (x.accepted || x.clears.Millis() <= at) }
	paid := func(x *flow) bool {
		from := max(x.day, x.clears.Millis().Day())
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
		var in, out, total netkit.Credits
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
			in = min(in, out+max(0, total-in)*netkit.Credits(r.PayerShare)/10_000)
		}
		if w := int64(in-out) / 100; in > out && !rogue(j) {
			s1, s2 = s1+w, s2+w*w
		}
	}
	if s1 == 0 {
		return 0
	}
	return netkit.Ratio(10_000 * (s1*s1 - s2) / (s1 * (s1 + r.DiversityShrink)))
}

// diversityIsItsDefinition compares the score of every agent with the
// reference, and what every party paid with the rows of those it paid. No row
// may be as old as a night drops.
func (f *fixture) diversityIsItsDefinition(t rapid.TB) {
	all, now := f.flows(), netkit.At(f.now)
	rogue := func(slug string) bool { return f.row(slug).Status == netkit.Rogue }
	paid := map[uint32]netkit.Credits{}
	for i, p := range tablesOf(f.state).Parties.All() {
		for k := range p.Agent.Evidence {
			paid[p.Agent.Evidence[k].With] += p.Agent.Evidence[k].In
		}
		if p.Kind != netkit.AgentParty {
			continue
		}
		for _, at := range []netkit.Millis{now, rules.LastMoment(now.Day() - 1)} {
			if got, want := f.state.Diversity(i, at), refDiversity(all, p.Slug, rogue, at, &(*lawOf(f.state)).Scores); got != want {
				t.Fatalf("%s at %d: got %s, want %s", p.Slug, at, got, want)
			}
		}
	}
	for j, p := range tablesOf(f.state).Parties.All() {
		if got := netkit.Credits(rowIn(f.state, "payers", uint32(rowIn(f.state, "agenda", j).FieldByName("Payer").Uint())).FieldByName("Sum").Int()); got != paid[j] {
			t.Fatalf("%s: got %s paid in all, want %s as its payees' rows say", p.Slug, got, paid[j])
		}
	}
}

// An explanation lists what of each payment does not count and why, and its
// parts add up.
func TestExplainAgentAddsUp(t *testing.T) {
	f := memory(t, weighed, func(c *netkit.Constitution) { c.Market.ClearingHours = 72 })
	f.agents("ada", "bob", "cleo")
	f.admit("acme", 5000*netkit.Credit)
	f.admit("bolt", 5000*netkit.Credit)
	f.takes("ada", 2*netkit.Credit)
	for _, sponsor := range []string{"acme", "bolt"} {
		id := f.opens(sponsor, 1000*netkit.Credit, 100)
		for range 70 {
			f.executes("ada", id)
		}
		for range 30 {
			f.executes("bob", id)
		}
	}
	must[netkit.AttentionReceipt](t)(f.As("ada").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: f.asks("cleo", "ada").ID, Body: "yes"}))
	by := func() map[string]netkit.CounterpartyView {
		x := must[netkit.AgentExplanation](t)(f.As("").ExplainAgent(t.Context(), "ada"))
		if got := must[netkit.Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified.CounterpartyDiversityScore; x.Diversity != got || !x.Complete || len(x.Raises) == 0 {
			t.Errorf("got %+v, want diversity %s with what would raise it", x, got)
		}
		all := map[string]netkit.CounterpartyView{}
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
