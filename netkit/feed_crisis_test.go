package netkit

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// While a crisis runs, no role lets a commercial contract through; an
// operational one goes on. Two crises need two ends.
func TestBlackout(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.agents("ada")
	f.admit("acme", 100*Credit)
	open := func(kind ContractKind) uint64 {
		return must[ContractReceipt](t)(f.op().OpenContract(ctx, OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Payload: "PAYLOAD",
			Kind: kind, Channel: NicheSilicon, Budget: 10 * Credit, ExecutionsPerAgent: 9})).CampaignID
	}
	commercial, operational := open(Commercial), open(Operational)
	check := func(when string, dark bool) {
		t.Helper()
		_, err := f.As("ada").Execute(ctx, Execute{commercial, signal})
		if dark {
			refused(t, err, ErrForbidden, "blackout")
		} else if err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if _, err := f.As("ada").Execute(ctx, Execute{operational, signal}); err != nil {
			t.Errorf("%s: operational: %v", when, err)
		}
		for _, who := range []string{"", "ada", "acme", "operator"} {
			for _, c := range must[List[Campaign]](t)(f.As(who).Market(ctx, MarketQuery{})).Items {
				hidden := dark && c.ID == commercial
				if c.Suppressed != hidden || (c.Payload == nil) != hidden {
					t.Errorf("%s: %q sees contract %d suppressed %v with payload %v, want %v", when, who, c.ID, c.Suppressed, c.Payload, hidden)
				}
			}
		}
		if c := must[Campaign](t)(f.As("").Campaign(ctx, commercial)); c.Suppressed != dark || (c.Payload == nil) != dark {
			t.Errorf("%s: got %+v, want suppressed %v", when, c, dark)
		}
	}
	check("before", false)
	first, second := f.publishes(P0, NicheHealth, "a"), f.publishes(P0, NicheHealth, "b")
	check("two crises", true)
	if got := ids(must[CrisisView](t)(f.As("").Crisis(ctx)).Running); !cmp.Equal(got, []uint64{second, first}) {
		t.Errorf("got crises %v, want %v", got, []uint64{second, first})
	}
	for i, id := range []uint64{first, second} {
		got := must[CrisisReceipt](t)(f.op().ResolveCrisis(ctx, ResolveCrisis{id, "over"}))
		if int(got.Running) != 1-i {
			t.Errorf("got %d running, want %d", got.Running, 1-i)
		}
		check("resolved", i == 0)
	}
	if got := must[Dispatch](t)(f.As("").Dispatch(ctx, first)); got.ResolvedAt != At(f.now) {
		t.Errorf("got resolved_at %s, want %s", got.ResolvedAt, At(f.now))
	}
	if got := must[CrisisView](t)(f.As("").Crisis(ctx)); got.Running == nil || len(got.Running) != 0 {
		t.Errorf("got %v, want an empty list", got.Running)
	}
}

func TestResolveCrisisRefusals(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	p0, p1 := f.publishes(P0, NicheLegal, "a"), f.publishes(P1, NicheLegal, "b")
	for _, c := range []struct {
		who  string
		in   ResolveCrisis
		kind error
		code string
	}{
		{"ada", ResolveCrisis{p0, "r"}, ErrForbidden, "operators_only"},
		{"operator", ResolveCrisis{p0, ""}, ErrInvalid, "text_missing"},
		{"operator", ResolveCrisis{99, "r"}, ErrNotFound, "dispatch_unknown"},
		{"operator", ResolveCrisis{p1, "r"}, ErrConflict, "dispatch_not_p0"},
	} {
		_, err := f.As(c.who).ResolveCrisis(t.Context(), c.in)
		refused(t, err, c.kind, c.code)
	}
	must[CrisisReceipt](t)(f.op().ResolveCrisis(t.Context(), ResolveCrisis{p0, "r"}))
	_, err := f.op().ResolveCrisis(t.Context(), ResolveCrisis{p0, "r"})
	refused(t, err, ErrConflict, "crisis_resolved")
	if errors.Is(err, ErrInvalid) || f.state.blackout() {
		t.Error("the crisis goes on")
	}
}
