package network

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

// settlesAll has a sponsor settle executions and returns the code of each outcome, ""
// for one that was settled.
func (f *fixture) settlesAll(by string, acts ...netkit.BulkSettle) (codes []string, got []netkit.Settlement) {
	for _, o := range f.As(by).SettleBulk(f.t.Context(), acts) {
		got = append(got, o.Receipt)
		if o.Err == nil {
			codes = append(codes, "")
			continue
		}
		codes = append(codes, netkit.ProblemOf(o.Err).Code)
	}
	return codes, got
}

// actsOn are the same act on each execution.
func actsOn(action string, ids ...uint64) (acts []netkit.BulkSettle) {
	for _, id := range ids {
		act := netkit.Settle{ExecutionID: id, Action: action}
		if action == netkit.SettleReport {
			act.Law, act.Evidence = "L1", "the source does not say so"
		}
		acts = append(acts, netkit.BulkSettle{Settle: act})
	}
	return acts
}

// A preview names the executions that an act would settle and the credits that it
// would move; settling exactly these does so, and leaves out what came later.
func TestSettlementDoesAsItsPreview(t *testing.T) {
	for _, x := range []struct {
		action string
		settle int // of the three newest of five
		amount netkit.Credits
		state  netkit.ExecutionState
		left   string // code of those that are left out
	}{
		{netkit.SettleAccept, 4, 4 * 170, netkit.ExecutionAccepted, ""},
		{netkit.SettleReturn, 1, 200, netkit.ExecutionReturned, "returns_used"},
		{netkit.SettleReport, 4, 4 * 500, netkit.ExecutionPending, ""},
	} {
		t.Run(x.action, func(t *testing.T) {
			f, ids := delivers(t, 4, returnable, newReview, bondOfSponsors)
			q := netkit.SettlementQuery{Action: x.action, CampaignID: f.campaign(), Agent: "ada"}
			p := must[netkit.SettlementPreview](t)(f.As("acme").PreviewSettlement(t.Context(), q))
			if len(p.Items) != 4 || len(p.ExecutionIDs) != x.settle || p.Amount != x.amount || p.NextCursor != "" {
				t.Fatalf("got %+v, want %d of four for %s", p, x.settle, x.amount)
			}
			for _, item := range p.Items[x.settle:] {
				if item.Problem == nil || item.Problem.Code != x.left {
					t.Errorf("got %+v, want it refused with %s", item, x.left)
				}
			}
			later := f.executes("bea", f.campaign())
			codes, got := f.settlesAll("acme", actsOn(x.action, p.ExecutionIDs...)...)
			sum := netkit.Credits(0)
			for i, r := range got {
				sum += r.Amount
				if codes[i] != "" || r.ExecutionID != p.ExecutionIDs[i] || r.Agent != "ada" || (r.CaseID != 0) != (x.action == netkit.SettleReport) {
					t.Errorf("got %+v, %q, want execution %d settled", r, codes[i], p.ExecutionIDs[i])
				}
				f.is(r.ExecutionID, x.state, x.action == netkit.SettleReport)
			}
			if sum != p.Amount {
				t.Errorf("got %s moved, want the %s of the preview", sum, p.Amount)
			}
			f.is(later, netkit.ExecutionPending, false)
			if codes, _ := f.settlesAll("acme", actsOn(x.action, ids[3])...); codes[0] == "" {
				t.Errorf("got it done twice, want a refusal")
			}
		})
	}
}

// bondOfSponsors has a sponsor post 5.00 for a report.
func bondOfSponsors(c *netkit.Constitution) { c.Review.SponsorBond = 5 * netkit.Credit }

// The filters of a preview choose by time, agent and likeness; a caller that is no
// sponsor has nothing to settle.
func TestSettlementFilters(t *testing.T) {
	f, ids := delivers(t, 2, returnable)
	f.waits(2 * time.Hour)
	young := f.executes("bea", f.campaign())
	for name, x := range map[string]struct {
		q    netkit.SettlementQuery
		want []uint64
	}{
		"all":       {netkit.SettlementQuery{}, []uint64{young, ids[1], ids[0]}},
		"agent":     {netkit.SettlementQuery{Agent: "bea"}, []uint64{young}},
		"age":       {netkit.SettlementQuery{Before: netkit.At(f.now) - netkit.Hour}, []uint64{ids[1], ids[0]}},
		"duplicate": {netkit.SettlementQuery{NearDuplicate: true, Before: netkit.At(f.now)}, []uint64{ids[1]}},
		"resold":    {netkit.SettlementQuery{Resold: true}, nil},
		"state":     {netkit.SettlementQuery{State: new(netkit.ExecutionReturned)}, nil},
		"pages":     {netkit.SettlementQuery{Page: netkit.Page{Limit: 1}}, []uint64{young, ids[1], ids[0]}},
	} {
		x.q.Action = netkit.SettleAccept
		var got []uint64
		for more := true; more; more = x.q.Cursor != "" {
			p := must[netkit.SettlementPreview](t)(f.As("acme").PreviewSettlement(t.Context(), x.q))
			got, x.q.Cursor, x.q.Taken = append(got, p.ExecutionIDs...), p.NextCursor, p.Taken
		}
		if diff := cmp.Diff(x.want, got); diff != "" {
			t.Errorf("%s: want -, got +\n%s", name, diff)
		}
	}
	for _, by := range []string{"ada", "operator"} {
		_, err := f.As(by).PreviewSettlement(t.Context(), netkit.SettlementQuery{Action: netkit.SettleAccept})
		refused(t, err, netkit.ErrForbidden, "sponsors_only")
	}
}

// Each item of a settlement is refused by itself, and its key keeps it from being
// done twice.
func TestSettlementOutcomes(t *testing.T) {
	f, ids := delivers(t, 3, returnable)
	f.admit("other", netkit.Credit)
	acts := slices.Concat(actsOn(netkit.SettleReturn, ids[0]), actsOn(netkit.SettleAccept, ids[0], ids[1], f.campaign(), 1<<40), actsOn(netkit.SettleReturn, ids[2], ids[1]), actsOn("keep", ids[2]))
	acts[0].Key, acts[2].Key = "first", "third"
	want := []string{"", "execution_returned", "", "execution_unknown", "entry_unknown", "returns_used", "execution_cleared", "invalid"}
	codes, first := f.settlesAll("acme", acts...)
	if diff := cmp.Diff(want, codes); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
	if codes, again := f.settlesAll("acme", acts[0], acts[2]); codes[0]+codes[1] != "" || again[0] != first[0] || again[1] != first[2] {
		t.Errorf("got %+v, %q for the same keys, want the same receipts", again, codes)
	}
	for _, action := range []string{netkit.SettleAccept, netkit.SettleReturn, netkit.SettleReport} {
		if codes, _ := f.settlesAll("other", actsOn(action, ids[2])...); codes[0] != "foreign_contract" && codes[0] != "foreign_subject" && codes[0] != "agents_only" {
			t.Errorf("%s by another sponsor: got %q, want it refused", action, codes[0])
		}
	}
}
