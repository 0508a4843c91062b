package netkit

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestDatesAreClosedOnceAndInOrder(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	first := At(f.now).Day()
	if got := f.night(); len(got.Closed) != 0 {
		t.Errorf("on the first day: got %v closed, want none", got.Closed)
	}
	f.days(4)
	_, err := f.As("nobody").CloseNight(ctx, CloseNight{})
	refused(t, err, ErrUnauthenticated, "unauthenticated")
	f.agents("ada")
	_, err = f.As("ada").CloseNight(ctx, CloseNight{})
	refused(t, err, ErrForbidden, "operators_only")
	today := first + 4
	_, err = f.op().CloseNight(ctx, CloseNight{Date: &today})
	refused(t, err, ErrInvalid, "date_not_over")

	second := first + 1
	got := must[NightReport](t)(f.op().CloseNight(ctx, CloseNight{Date: &second}))
	if diff := cmp.Diff([]Day{first, second}, got.Closed); diff != "" {
		t.Errorf("closed: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]Day{first + 2, first + 3}, got.Open); diff != "" {
		t.Errorf("open: -want +got\n%s", diff)
	}
	_, err = f.op().CloseNight(ctx, CloseNight{Date: &second})
	refused(t, err, ErrConflict, "date_closed")
	if got := must[NightReport](t)(f.As(NetworkActor).CloseNight(ctx, CloseNight{})); len(got.Closed) != 2 {
		t.Errorf("the rest: got %v, want two dates", got.Closed)
	}
	type night struct {
		Date  Day
		Actor string
	}
	var closed []night
	for seq := range f.state.root.next {
		if e := must[*Entry](t)(f.Entry(ctx, seq)); e.Kind == "night.closed" {
			closed = append(closed, night{e.Fact.(*NightClosed).Date, e.Actor})
		}
	}
	want := []night{{first, "operator"}, {first + 1, "operator"}, {first + 2, NetworkActor}, {first + 3, NetworkActor}}
	if diff := cmp.Diff(want, closed); diff != "" {
		t.Errorf("entries: -want +got\n%s", diff)
	}
	if _, err := Audit(ctx, f.store); err != nil {
		t.Errorf("the audit of both kinds of night: %v", err)
	}
	if got := must[NightReport](t)(f.As("").LastNight(ctx)); len(got.Closed) != 1 || got.Closed[0] != first+3 || len(got.Open) != 0 {
		t.Errorf("last night: got %+v, want %s and nothing open", got, first+3)
	}
}

func TestDryRunRecordsNothing(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.fieldwork("ada", 3000)
	f.days(3)
	f.ticks()
	before := f.state.root.next
	dry := must[NightReport](t)(f.op().CloseNight(t.Context(), CloseNight{DryRun: true}))
	if f.state.root.next != before || f.row("ada").badges.len() != 0 {
		t.Error("a dry run recorded something")
	}
	wet := f.night()
	if diff := cmp.Diff(wet.Issued, dry.Issued); diff != "" || len(wet.Issued) != 1 {
		t.Errorf("-night +dry run\n%s", diff)
	}
	if diff := cmp.Diff(wet.Closed, dry.Closed); diff != "" {
		t.Errorf("-night +dry run\n%s", diff)
	}
}

// A night stopped between two steps goes on where it stopped, other commands
// run in between, and the badges are those of an undisturbed night.
func TestNightsGoOnWhereTheyStopped(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	const many = 2*nightAgents + 10
	for k := range many {
		f.agents(fmt.Sprintf("agent-%03d", k))
	}
	f.admit("acme", 10_000*Credit)
	id := f.opens("acme", 5000*Credit, 1)
	for k := range many {
		f.executes(fmt.Sprintf("agent-%03d", k), id)
	}
	date := At(f.now).Day()
	f.days(1)
	if _, err := run(ctx, f.op(), &nightStep{date}, nil, func(*Entry) struct{} { return struct{}{} }); err != nil {
		t.Fatal(err)
	}
	if f.state.night.cursor == 0 || f.state.night.closed != 0 {
		t.Fatalf("got %+v, want a night in its middle", *f.state.night)
	}
	f.executes("agent-000", f.opens("acme", 10*Credit, 1))
	if err := f.Close(ctx); err != nil {
		t.Fatal(err)
	}
	f.open()
	got := f.night()
	if want := uint64(many - nightAgents); got.Judged != want || !slices.Equal(got.Closed, []Day{date}) {
		t.Errorf("got %d judged for %v, want %d for %s", got.Judged, got.Closed, want, date)
	}
	if f.state.night.last.judged != many {
		t.Errorf("in all: got %d judged, want %d", f.state.night.last.judged, many)
	}
	f.replays(t, string(f.state.canonical()))
	f.days(1) // the one that executed meanwhile, and nobody else
	if got := f.night(); got.Judged != 1 {
		t.Errorf("the night after: got %d judged, want 1", got.Judged)
	}
	f.days(1)
	if got := f.night(); got.Judged != 0 {
		t.Errorf("a quiet night: got %d judged, want none", got.Judged)
	}
}

func TestTwoNightsAtOnce(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.fieldwork("ada", 3000)
	f.days(5)
	reports := make(chan NightReport, 2)
	for range 2 {
		go func() {
			r, err := f.op().CloseNight(context.Background(), CloseNight{})
			if err != nil {
				t.Error(err)
			}
			reports <- r
		}()
	}
	if a, b := <-reports, <-reports; a.IssuedCount+b.IssuedCount != 1 {
		t.Errorf("got %d and %d badges, want one in all", a.IssuedCount, b.IssuedCount)
	}
	f.closesOnce(t)
}

// closesOnce checks that every date has one closing entry.
func (f *fixture) closesOnce(t testing.TB) {
	t.Helper()
	closed := map[Day]int{}
	for seq := range f.state.root.next {
		if e := must[*Entry](t)(f.Entry(context.Background(), seq)); e.Kind == "night.closed" {
			closed[e.Fact.(*NightClosed).Date]++
		}
	}
	for date, n := range closed {
		if n != 1 {
			t.Errorf("%s was closed %d times", date, n)
		}
	}
}

// Rows that no rule looks at any more are dropped, and no sooner.
func TestNightsDropWhatIsOld(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea")
	f.admit("acme", 10*Credit)
	f.executes("ada", f.opens("acme", 10*Credit, 1))
	f.takes("ada", Credit)
	f.asks("bea", "ada")
	f.days(4)
	f.ticks()
	f.injectExtra("ada", func(x *extra) {
		x.verdicts = []verdictRow{{day: At(dawn).Day()}}
		x.incidents = []incident{{At(dawn).Day(), 5000, 1}}
	})
	at := func(days int) (evidence, verdicts, incidents, sent int) {
		f.now = dawn.AddDate(0, 0, days)
		f.night()
		x := f.extra("ada")
		return len(f.row("ada").agent.evidence), len(x.verdicts), len(x.incidents), len(f.extra("bea").sent)
	}
	// The night run on day n closes day n-1.
	for _, c := range []struct{ day, evidence, verdicts, incidents, sent int }{
		{35, 1, 1, 1, 1}, {36, 1, 1, 1, 0}, {180, 1, 1, 1, 0}, {181, 0, 1, 0, 0}, {365, 0, 1, 0, 0}, {366, 0, 0, 0, 0},
	} {
		e, v, i, s := at(c.day)
		if e != c.evidence || v != c.verdicts || i != c.incidents || s != c.sent {
			t.Errorf("day %d: got %d, %d, %d, %d; want %d, %d, %d, %d", c.day, e, v, i, s, c.evidence, c.verdicts, c.incidents, c.sent)
		}
	}
	if got := f.state.agenda.At(f.num("ada")).judge; got != 0 {
		t.Errorf("got %s as the next date, want none", got)
	}
}

// The nights that judge only whom they have to issue the same badges on the
// same dates as judging every agent every night would.
func TestNightsJudgeAllTheyHaveTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newState()
		law := Version1()
		// Small numbers, so that badges are won and windows end within a run.
		law.Scores.PayerShare = rapid.SampledFrom([]Ratio{0, 5000}).Draw(t, "share")
		law.Scores.DiversityDays, law.Scores.FullDays, law.Scores.HalfDays, law.Scores.ExpiredDays = 9, 5, 19, 4
		law.Badges = []BadgeRule{
			{Name: FieldAgent, Window: 13, Diversity: 3000, Events: 2, Counterparties: 1, LargestShare: 10_000, ActiveDays: 1, CleanDays: 7},
			{Name: SeniorCorrespondent, Window: 8, Diversity: 1000, Reputation: 100, Events: 2, Counterparties: 1, LargestShare: 10_000, ActiveWeeks: 1, FirstEventDays: 3, Wilson: 1000, MedianDeadline: 5000, CleanDays: 7},
			{Name: DisputeMaster, Window: 10, Diversity: 1000, Reputation: 2000, Events: 2, Counterparties: 1, Reported: 1, Wilson: 1000, MedianHours: 72, CleanDays: 7},
		}
		s.law = law
		const agents = 4
		for k := range uint32(agents) {
			s.enrol(party{slug: fmt.Sprintf("agent-%d", k), since: day})
		}
		for date := Day(10); date < 34; date++ {
			for range rapid.IntRange(-8, 4).Draw(t, "events") {
				happen(t, s, date, agents)
			}
			var want, got []BadgeIssued
			for i := range s.parties.Len() {
				want = append(want, s.judge(i, date).issues...)
			}
			var again []uint32
			due, _ := s.walkNight(0, date)
			for _, i := range due {
				found := s.judge(i, date)
				if got = append(got, found.issues...); found.waits {
					again = append(again, i)
				}
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(BadgeIssued{})); diff != "" {
				t.Fatalf("%s: -all +due\n%s", date, diff)
			}
			(&NightStepped{Date: date, To: agents, Again: again}).apply(s, &Entry{})
			for k := range got {
				got[k].apply(s, &Entry{Seq: uint64(date)})
			}
		}
	})
}

// happen lets something befall an agent, today or just after midnight.
func happen(t *rapid.T, s *state, date Day, agents uint32) {
	e := &Entry{At: Millis(date+Day(rapid.IntRange(0, 1).Draw(t, "late"))) * day}
	i := rapid.Uint32Range(0, agents-1).Draw(t, "agent")
	j := rapid.Uint32Range(0, agents-1).Draw(t, "with")
	d := e.At.Day()
	switch rapid.IntRange(0, 7).Draw(t, "kind") {
	case 0, 1, 2:
		ev := s.evidenceOf(i, j, d)
		ev.stands++
		in := Credits(rapid.IntRange(1, 40).Draw(t, "in")) * Credit
		ev.in += in
		s.addPaid(j, i, d, in)
		s.addPaid(rapid.Uint32Range(0, agents-1).Draw(t, "payer"), i, d, Credits(rapid.IntRange(0, 40).Draw(t, "others"))*Credit)
		s.evidenceOf(j, i, d).out += Credits(rapid.IntRange(0, 9).Draw(t, "out")) * Credit
	case 3:
		s.evidenceOf(i, j, d).answered++
		x := s.changeExtra(i)
		x.answers = append(x.answers, answer{d, j, hour, 2 * hour})
		slices.SortStableFunc(x.answers, func(a, b answer) int { return int(a.day - b.day) })
	case 4:
		s.evidenceOf(i, j, d).expired++
	case 5:
		x := s.changeExtra(i)
		x.verdicts = append(x.verdicts, verdictRow{d, j, i, true, hour})
		slices.SortStableFunc(x.verdicts, func(a, b verdictRow) int { return int(a.day - b.day) })
		s.touch(i, d)
	case 6:
		s.penalize(i, uint64(d), 5000, d)
	case 7:
		s.stand(i, rapid.SampledFrom([]Status{Active, Suspended, Rogue}).Draw(t, "standing"), 1, e)
	}
}

// A constitution that asks for less has everybody judged again.
func TestNightsAfterANewConstitution(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.fieldwork("ada", 3000)
	f.inject("ada", func(a *agentRow) { a.evidence[3].stands-- })
	f.days(1)
	if got := f.night(); got.IssuedCount != 0 {
		t.Errorf("24 executions: got %+v, want no badge", got)
	}
	law := earlierLaw()
	law.Version = "1.1.0"
	law.Badges[0].Events = 24
	f.passes(time.Hour)
	must[AcceptReceipt](t)(f.op().AdoptConstitution(t.Context(), AdoptConstitution{Document: law}))
	f.days(1)
	if got := f.night(); got.IssuedCount != 1 {
		t.Errorf("got %+v, want one badge", got)
	}
}
