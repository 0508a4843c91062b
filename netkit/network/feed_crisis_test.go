package network

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

// While a crisis runs, no role lets a commercial contract through; an
// operational one goes on. Two crises need two ends.
func TestBlackout(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	open := func(kind netkit.ContractKind) uint64 {
		return must[netkit.ContractReceipt](t)(f.op().OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Payload: "PAYLOAD",
			Kind: kind, Channel: netkit.NicheSilicon, Budget: 10 * netkit.Credit, ExecutionsPerAgent: 9})).CampaignID
	}
	commercial, operational := open(netkit.Commercial), open(netkit.Operational)
	check := func(when string, dark bool) {
		t.Helper()
		_, err := f.As("ada").Execute(ctx, netkit.Execute{CampaignID: commercial, Signal: signal})
		if dark {
			refused(t, err, netkit.ErrForbidden, "blackout")
		} else if err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if _, err := f.As("ada").Execute(ctx, netkit.Execute{CampaignID: operational, Signal: signal}); err != nil {
			t.Errorf("%s: operational: %v", when, err)
		}
		for _, who := range []string{"", "ada", "acme", "operator"} {
			for _, c := range must[netkit.List[netkit.Campaign]](t)(f.As(who).Market(ctx, netkit.MarketQuery{})).Items {
				hidden := dark && c.ID == commercial
				if c.Suppressed != hidden || (c.Payload == nil) != hidden {
					t.Errorf("%s: %q sees contract %d suppressed %v with payload %v, want %v", when, who, c.ID, c.Suppressed, c.Payload, hidden)
				}
			}
		}
		if c := must[netkit.Campaign](t)(f.As("").Campaign(ctx, commercial)); c.Suppressed != dark || (c.Payload == nil) != dark {
			t.Errorf("%s: got %+v, want suppressed %v", when, c, dark)
		}
	}
	check("before", false)
	first, second := f.publishes(netkit.P0, netkit.NicheHealth, "a"), f.publishes(netkit.P0, netkit.NicheHealth, "b")
	check("two crises", true)
	if got := ids(must[netkit.CrisisView](t)(f.As("").Crisis(ctx)).Running); !cmp.Equal(got, []uint64{second, first}) {
		t.Errorf("got crises %v, want %v", got, []uint64{second, first})
	}
	for i, id := range []uint64{first, second} {
		got := must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: id, Reason: "over"}))
		if int(got.Running) != 1-i {
			t.Errorf("got %d running, want %d", got.Running, 1-i)
		}
		check("resolved", i == 0)
	}
	if got := must[netkit.Dispatch](t)(f.As("").Dispatch(ctx, first)); got.ResolvedAt != netkit.At(f.now) {
		t.Errorf("got resolved_at %s, want %s", got.ResolvedAt, netkit.At(f.now))
	}
	if got := must[netkit.CrisisView](t)(f.As("").Crisis(ctx)); got.Running == nil || len(got.Running) != 0 {
		t.Errorf("got %v, want an empty list", got.Running)
	}
}

func TestResolveCrisisRefusals(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	p0, p1 := f.publishes(netkit.P0, netkit.NicheLegal, "a"), f.publishes(netkit.P1, netkit.NicheLegal, "b")
	for _, c := range []struct {
		who  string
		in   netkit.ResolveCrisis
		kind error
		code string
	}{
		{"ada", netkit.ResolveCrisis{DispatchID: p0, Reason: "r"}, netkit.ErrForbidden, "operators_only"},
		{"operator", netkit.ResolveCrisis{DispatchID: p0, Reason: ""}, netkit.ErrInvalid, "text_missing"},
		{"operator", netkit.ResolveCrisis{DispatchID: 99, Reason: "r"}, netkit.ErrNotFound, "dispatch_unknown"},
		{"operator", netkit.ResolveCrisis{DispatchID: p1, Reason: "r"}, netkit.ErrConflict, "dispatch_not_p0"},
	} {
		_, err := f.As(c.who).ResolveCrisis(t.Context(), c.in)
		refused(t, err, c.kind, c.code)
	}
	must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(t.Context(), netkit.ResolveCrisis{DispatchID: p0, Reason: "r"}))
	_, err := f.op().ResolveCrisis(t.Context(), netkit.ResolveCrisis{DispatchID: p0, Reason: "r"})
	refused(t, err, netkit.ErrConflict, "crisis_resolved")
	if errors.Is(err, netkit.ErrInvalid) || f.state.Blackout() {
		t.Error("the crisis goes on")
	}
}
