package network

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/rulestest"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

func TestDatesAreClosedOnceAndInOrder(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	first := netkit.At(f.now).Day()
	if got := f.night(); len(got.Closed) != 0 {
		t.Errorf("on the first day: got %v closed, want none", got.Closed)
	}
	f.days(4)
	_, err := f.As("nobody").CloseNight(ctx, netkit.CloseNight{})
	refused(t, err, netkit.ErrUnauthenticated, "unauthenticated")
	f.agents("ada")
	_, err = f.As("ada").CloseNight(ctx, netkit.CloseNight{})
	refused(t, err, netkit.ErrForbidden, "operators_only")
	today := first + 4
	_, err = f.op().CloseNight(ctx, netkit.CloseNight{Date: &today})
	refused(t, err, netkit.ErrInvalid, "date_not_over")

	second := first + 1
	got := must[netkit.NightReport](t)(f.op().CloseNight(ctx, netkit.CloseNight{Date: &second}))
	if diff := cmp.Diff([]netkit.Day{first, second}, got.Closed); diff != "" {
		t.Errorf("closed: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]netkit.Day{first + 2, first + 3}, got.Open); diff != "" {
		t.Errorf("open: -want +got\n%s", diff)
	}
	_, err = f.op().CloseNight(ctx, netkit.CloseNight{Date: &second})
	refused(t, err, netkit.ErrConflict, "date_closed")
	if got := must[netkit.NightReport](t)(f.As(netkit.NetworkActor).CloseNight(ctx, netkit.CloseNight{})); len(got.Closed) != 2 {
		t.Errorf("the rest: got %v, want two dates", got.Closed)
	}
	type night struct {
		Date  netkit.Day
		Actor string
	}
	var closed []night
	for seq := range f.state.Size() {
		if e := must[*rules.Entry](t)(f.Entry(ctx, seq)); e.Kind == "night.closed" {
			closed = append(closed, night{e.Fact.(*rules.NightClosed).Date, e.Actor})
		}
	}
	want := []night{{first, "operator"}, {first + 1, "operator"}, {first + 2, netkit.NetworkActor}, {first + 3, netkit.NetworkActor}}
	if diff := cmp.Diff(want, closed); diff != "" {
		t.Errorf("entries: -want +got\n%s", diff)
	}
	if _, err := Audit(ctx, f.store); err != nil {
		t.Errorf("the audit of both kinds of night: %v", err)
	}
	if got := must[netkit.NightReport](t)(f.As("").LastNight(ctx)); len(got.Closed) != 1 || got.Closed[0] != first+3 || len(got.Open) != 0 {
		t.Errorf("last night: got %+v, want %s and nothing open", got, first+3)
	}
}

func TestDryRunRecordsNothing(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.fieldwork("ada", 3000)
	f.days(3)
	f.ticks()
	before := f.state.Size()
	dry := must[netkit.NightReport](t)(f.op().CloseNight(t.Context(), netkit.CloseNight{DryRun: true}))
	if f.state.Size() != before || f.row("ada").Badges.Len() != 0 {
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
	const many = 2*rules.NightAgents + 10
	for k := range many {
		f.agents(fmt.Sprintf("agent-%03d", k))
	}
	f.admit("acme", 10_000*netkit.Credit)
	id := f.opens("acme", 5000*netkit.Credit, 1)
	for k := range many {
		f.executes(fmt.Sprintf("agent-%03d", k), id)
	}
	date := netkit.At(f.now).Day()
	f.days(1)
	if err := do(ctx, f.op(), &rules.NightStep{Date: date}); err != nil {
		t.Fatal(err)
	}
	if inside(f.state, "night").Elem().FieldByName("Cursor").Uint() == 0 || inside(f.state, "night").Elem().FieldByName("Closed").Int() != 0 {
		t.Fatalf("got %+v, want a night in its middle", inside(f.state, "night").Elem())
	}
	f.executes("agent-000", f.opens("acme", 10*netkit.Credit, 1))
	if err := f.Close(ctx); err != nil {
		t.Fatal(err)
	}
	f.open()
	got := f.night()
	if want := uint64(many - rules.NightAgents); got.Judged != want || !slices.Equal(got.Closed, []netkit.Day{date}) {
		t.Errorf("got %d judged for %v, want %d for %s", got.Judged, got.Closed, want, date)
	}
	if inside(f.state, "night").Elem().FieldByName("Last").FieldByName("Judged").Uint() != many {
		t.Errorf("in all: got %d judged, want %d", inside(f.state, "night").Elem().FieldByName("Last").FieldByName("Judged").Uint(), many)
	}
	f.replays(t, string(f.state.Canonical()))
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
	reports := make(chan netkit.NightReport, 2)
	for range 2 {
		go func() {
			r, err := f.op().CloseNight(context.Background(), netkit.CloseNight{})
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
	closed := map[netkit.Day]int{}
	for seq := range f.state.Size() {
		if e := must[*rules.Entry](t)(f.Entry(context.Background(), seq)); e.Kind == "night.closed" {
			closed[e.Fact.(*rules.NightClosed).Date]++
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
	f.admit("acme", 10*netkit.Credit)
	f.executes("ada", f.opens("acme", 10*netkit.Credit, 1))
	f.takes("ada", netkit.Credit)
	f.asks("bea", "ada")
	f.days(4)
	f.ticks()
	f.injectExtra("ada", func(x *rules.Extra) {
		x.Verdicts = []rules.VerdictRow{{Day: netkit.At(dawn).Day()}}
		x.Incidents = []rules.Incident{{Day: netkit.At(dawn).Day(), Weight: 5000, Of: 1}}
	})
	at := func(days int) (evidence, verdicts, incidents, sent int) {
		f.now = dawn.AddDate(0, 0, days)
		f.night()
		x := f.extra("ada")
		return len(f.row("ada").Agent.Evidence), len(x.Verdicts), len(x.Incidents), len(f.extra("bea").Sent)
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
	if got := netkit.Day(rowIn(f.state, "agenda", f.num("ada")).FieldByName("Judge").Int()); got != 0 {
		t.Errorf("got %s as the next date, want none", got)
	}
}

// A constitution that asks for less has everybody judged again.
func TestNightsAfterANewConstitution(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.fieldwork("ada", 3000)
	f.inject("ada", func(a *rules.AgentRow) { a.Evidence[3].Stands-- })
	f.days(1)
	if got := f.night(); got.IssuedCount != 0 {
		t.Errorf("24 executions: got %+v, want no badge", got)
	}
	law := rulestest.EarlierLaw()
	law.Version = "1.1.0"
	law.Badges[0].Events = 24
	f.passes(time.Hour)
	must[netkit.AcceptReceipt](t)(f.op().AdoptConstitution(t.Context(), netkit.AdoptConstitution{Document: law}))
	f.days(1)
	if got := f.night(); got.IssuedCount != 1 {
		t.Errorf("got %+v, want one badge", got)
	}
}
