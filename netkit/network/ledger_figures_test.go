package network

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// figures counts what the journal records, entry by entry.
func (f *fixture) figures(t testing.TB) netkit.NetworkTotals {
	t.Helper()
	want := netkit.NetworkTotals{Network: inside(f.state, "root").Elem().FieldByName("NetID").String(), AsOf: f.state.AsOf(f.Now())}
	running := 0
	for seq := range f.state.Size() {
		e, _, err := f.entry(t.Context(), seq)
		if err != nil {
			t.Fatal(err)
		}
		want.Entries++
		switch e.Fact.(type) {
		case *rules.AgentSpawned:
			want.Agents++
		case *rules.SponsorAdmitted:
			want.Sponsors++
		case *rules.ContractOpened:
			want.Contracts++
		case *rules.Executed:
			want.Executions++
		case *rules.Published:
			want.Dispatches++
			running++
		case *rules.CrisisResolved:
			running--
		}
	}
	want.Blackout = running > 0
	return want
}

// Totals are kept as things happen; here they are counted from the journal
// at each stage, and once more after a restart.
func TestFigures(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	check := func(when string) {
		t.Helper()
		if diff := cmp.Diff(f.figures(t), must[netkit.NetworkTotals](t)(f.Totals(ctx))); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	check("at the beginning")
	f.agents("ada", "bob")
	f.admit("acme", 100*netkit.Credit)
	ct := f.opens("acme", 20*netkit.Credit, 9)
	for range 3 {
		f.executes("ada", ct)
	}
	check("after executions")
	if _, err := f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}); err == nil {
		t.Fatal("a slug was given twice")
	}
	check("after a refusal")
	p0 := f.publishes(netkit.P0, netkit.NichePolicy, "Flood")
	if got := must[netkit.NetworkTotals](t)(f.Totals(ctx)); !got.Blackout || got.Dispatches != 1 || got.Agents != 2 || got.Executions != 3 {
		t.Errorf("got %+v, want a blackout, one dispatch, two agents, three executions", got)
	}
	check("in a crisis")
	must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: p0, Reason: "over"}))
	check("after it")
	f.restarts(t)
	check("after a restart")
}
