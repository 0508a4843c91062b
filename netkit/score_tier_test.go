package netkit

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/internal/score"
)

func TestTheLadder(t *testing.T) {
	type agent struct {
		transactions uint32
		confirmed    bool
		diversity    Ratio
		reputation   Percent
		badge        Badge
		revoked      bool
	}
	all := agent{transactions: 10, confirmed: true, diversity: 5000, reputation: 9500, badge: DisputeMaster}
	but := func(change func(*agent)) agent { a := all; change(&a); return a }
	for _, c := range []struct {
		name string
		a    agent
		want Tier
	}{
		{"all at their thresholds", all, Elite},
		{"the other badge", but(func(a *agent) { a.badge = SeniorCorrespondent }), Elite},
		{"nine transactions", but(func(a *agent) { a.transactions = 9 }), Unverified},
		{"unconfirmed wallet", but(func(a *agent) { a.confirmed = false }), Unverified},
		{"94.99", but(func(a *agent) { a.reputation = 9499 }), Badged},
		{"0.4999", but(func(a *agent) { a.diversity = 4999 }), Badged},
		{"0.30", but(func(a *agent) { a.diversity = 3000 }), Badged},
		{"0.2999", but(func(a *agent) { a.diversity = 2999 }), Verified},
		{"neither of the two badges", but(func(a *agent) { a.badge = FieldAgent }), Badged},
		{"no badge", but(func(a *agent) { a.badge = NoBadge }), Verified},
		{"revoked badge", but(func(a *agent) { a.revoked = true }), Verified},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := memory(t)
			f.agents("ada")
			f.scored("ada", c.a.diversity, c.a.reputation)
			f.inject("ada", func(a *agentRow) {
				a.transactions, a.confirmed = c.a.transactions, c.a.confirmed
			})
			if c.a.badge != NoBadge {
				h := held{badge: c.a.badge, issued: 1}
				if c.a.revoked {
					h.revoked = 1
				}
				f.wear("ada", h)
			}
			if got := must[Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified.Tier; got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// The payout of an execution is that of the tier at the moment it is decided.
func TestPayoutsOfTheTiers(t *testing.T) {
	for _, c := range []struct {
		tier                    Tier
		diversity               Ratio
		badge                   Badge
		payout, agent, treasury Credits
	}{
		{Unverified, 3000, NoBadge, 200, 170, 30},
		{Verified, 2999, FieldAgent, 500, 425, 75},
		{Badged, 3000, FieldAgent, 1000, 850, 150},
		{Elite, 5000, SeniorCorrespondent, 2000, 1700, 300},
	} {
		f := memory(t)
		f.agents("ada")
		f.scored("ada", c.diversity, 9500)
		f.inject("ada", func(a *agentRow) {
			if a.confirmed = true; c.tier > Unverified {
				a.transactions = 10
			}
		})
		if c.tier > Unverified {
			f.wear("ada", held{badge: c.badge, issued: 1})
		}
		f.admit("acme", 100*Credit)
		id := f.opens("acme", 100*Credit, 1)
		got := must[Execution](t)(f.As("ada").Execute(t.Context(), Execute{id, signal}))
		want := Execution{ExecutionID: got.Seq, CampaignID: id, Tier: c.tier, Payout: c.payout, AgentShare: c.agent,
			TreasuryShare: c.treasury, Balance: 50*Credit + c.agent, Seq: got.Seq, At: At(f.now)}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", c.tier, got, want)
		}
		f.has(ContractBudget(id), 100*Credit-c.payout)
	}
}

// One counterparty never passes, however busy; several do. All of it through
// the public methods.
func TestOneCounterpartyNeverPassesSeveralDo(t *testing.T) {
	f := memory(t)
	f.agents("one", "many")
	for _, sponsor := range []string{"acme", "bolt", "core", "dyne"} {
		f.admit(sponsor, 1000*Credit)
		id := f.opens(sponsor, 500*Credit, 100)
		for range 15 {
			f.executes("many", id)
		}
		if sponsor == "acme" {
			for range 100 {
				f.executes("one", id)
			}
		}
	}
	for range 10 { // more days, the same counterparty
		f.days(1)
		id := f.opens("acme", 20*Credit, 10)
		for range 10 {
			f.executes("one", id)
		}
	}
	score := func(slug string) Ratio {
		return must[Profile](t)(f.As("").Profile(t.Context(), slug)).BioVerified.CounterpartyDiversityScore
	}
	if got := score("one"); got != 0 {
		t.Errorf("one counterparty: got %s, want 0.00", got)
	}
	if got := score("many"); got < 3000 {
		t.Errorf("four counterparties: got %s, want at least 0.30", got)
	}
	ex := must[Explanation](t)(f.As("").Explain(t.Context(), "one", new(At(f.now).Day())))
	for _, b := range ex.Badges {
		for _, c := range b.Conditions {
			if c.Name == "counterparty_diversity_score" && (c.Met || c.Missing != "0.30" || c.Have != "0.00") {
				t.Errorf("%s: got %+v, want it missed by 0.30", b.Badge, c)
			}
		}
	}
	f.passes(24 * time.Hour)
	if got := f.night(); got.IssuedCount != 0 {
		t.Errorf("got %+v, want no badge", got.Issued)
	}
}

// What is known of an agent's past changes no score: whatever happened, what
// flowed is what a look at every row adds up to.
func TestFlowsAreTheSumOfAllRows(t *testing.T) {
	used := false
	rapid.Check(t, func(t *rapid.T) {
		const parties = 30
		s := newState()
		s.law = Version1()
		s.law.Scores.DiversityDays, s.law.Scores.FullDays, s.law.Scores.HalfDays = 12, 6, 12
		for k := range uint32(parties) {
			s.enrol(party{slug: fmt.Sprintf("party-%d", k), kind: []PartyKind{AgentParty, SponsorParty}[k%2]})
		}
		s.commit()
		today := Day(100)
		for range rapid.IntRange(20, 60).Draw(t, "steps") {
			today += lives(t, s, today, parties)
			at := Millis(today)*day + Millis(rapid.Int64Range(-int64(2*day), int64(day)).Draw(t, "moment"))
			got := map[uint32]score.Edge{}
			s.edges(0, at, func(j uint32, e *score.Edge) {
				s.weigh(j, e, at.Day())
				got[j] = *e
			})
			if diff := cmp.Diff(s.refEdges(0, at), got); diff != "" {
				t.Fatalf("%s: -all rows +known\n%s", at.Day(), diff)
			}
			_, from, to := s.past.of(0, today-11, today+1)
			used = used || from < to
		}
	})
	if !used {
		t.Error("nothing was ever known of an agent's past")
	}
}

// lives lets something happen that agent 0's scores rest on, and returns how
// many dates pass.
func lives(t *rapid.T, s *state, today Day, parties uint32) Day {
	j := rapid.Uint32Range(1, parties-1).Draw(t, "with")
	d := today - Day(rapid.IntRange(0, 3).Draw(t, "ago"))
	switch rapid.IntRange(0, 10).Draw(t, "happens") {
	case 0:
		s.commit()
	case 1:
		s.rollback()
	case 2:
		x := earned{day: today - Day(rapid.IntRange(0, 13).Draw(t, "overturned")), counted: Credit}
		if row := s.findEvidence(0, j, x.day, clearTime{}); row != nil && row.in > Credit {
			s.takeBack(0, j, &x)
		}
	case 3:
		s.stand(j, rapid.SampledFrom([]Status{Active, Rogue}).Draw(t, "standing"), 1, &Entry{At: Millis(today) * day})
	case 4:
		s.stand(0, rapid.SampledFrom([]Status{Active, Suspended}).Draw(t, "own"), 1, &Entry{At: Millis(today) * day})
	case 10: // the dark of a crisis that began at midnight
		s.clocks.Edit(s.clock).follow(Millis(today)*day, Millis(today)*day+Millis(rapid.IntRange(0, 90).Draw(t, "dark"))*hour)
	case 5:
		law := *s.law
		law.Scores.DiversityDays = rapid.IntRange(8, 12).Draw(t, "window")
		s.law = &law
	case 6, 7:
		(&NightStepped{Date: today, To: parties}).apply(s, &Entry{})
		rows := s.parties.At(0).agent.evidence
		if all, _ := mergeCleared(rows, 0, s.clearedUntil(0, lastMoment(today))); !slices.Equal(all, rows) {
			t.Fatalf("%s: %d rows of %d had cleared and were not summed up", today, len(rows)-len(all), len(rows))
		}
		return Day(rapid.IntRange(1, 2).Draw(t, "days"))
	default:
		for k := range rapid.Uint32Range(1, 40).Draw(t, "rows") {
			var clears clearTime
			if rapid.Bool().Draw(t, "waits") {
				clears.clears = quarterAt(Millis(d+3) * day)
				if rapid.Bool().Draw(t, "market") {
					clears.market = clears.clears.millis() - s.clock.suppressed(Millis(today)*day)
				}
			}
			ev := s.evidenceRow(0, 1+(j+k)%(parties-1), d, clears)
			ev.in += Credits(k+1) * Credit
			ev.out += Credits(k%3) * Credit
			s.addPaid(ev.with, 0, countsFrom(d, clears.clears), Credits(k+1)*Credit)
		}
	}
	return 0
}

// refEdges looks at every row.
func (s *state) refEdges(i uint32, at Millis) map[uint32]score.Edge {
	all := map[uint32]score.Edge{}
	for _, ev := range s.parties.At(i).agent.evidence {
		if score.InWindow(int64(at.Day()), int64(ev.day), int64(s.law.Scores.DiversityDays)) && ev.cleared(s.clearedUntil(i, at)) && (ev.in != 0 || ev.out != 0) {
			e := all[ev.with]
			e.In += int64(ev.in)
			e.Out += int64(ev.out)
			all[ev.with] = e
		}
	}
	for j, e := range all {
		e.Listed = s.parties.At(j).status == Rogue
		e.Others = int64(s.paidIn(j, at.Day(), s.law.Scores.DiversityDays)) - e.In
		all[j] = e
	}
	return all
}
