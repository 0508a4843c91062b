package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

func (f *fixture) term(id uint64) netkit.CrisisTerm {
	f.t.Helper()
	for _, x := range must[netkit.CrisisView](f.t)(f.As("").Crisis(f.t.Context())).Terms {
		if x.DispatchID == id {
			return x
		}
	}
	return netkit.CrisisTerm{}
}

// A crisis ends by itself; the agent that was drawn for it, and nobody else,
// has it go on.
func TestCrisisEndsUnlessItIsRenewed(t *testing.T) {
	f := start(t, journal.NewMemory(), withNotice)
	ctx := t.Context()
	f.witnesses("ada", "bea", "cora")
	id := f.publishes(netkit.P0, netkit.NicheHealth, "flood")
	x := f.term(id)
	if !x.Suppresses || x.EndsAt != netkit.At(f.now)+72*netkit.Hour || x.RenewBy == "" || !f.state.Blackout() {
		t.Fatalf("got %+v, want it to suppress for 72 hours, with an agent drawn", x)
	}
	for _, by := range []string{"operator", "ada", "bea", "cora"} {
		if by != x.RenewBy {
			_, err := f.As(by).RenewCrisis(ctx, netkit.RenewCrisis{DispatchID: id, Reason: "it goes on"})
			refused(t, err, netkit.ErrForbidden, "crisis_other_drawn")
		}
	}
	_, err := f.As(x.RenewBy).RenewCrisis(ctx, netkit.RenewCrisis{DispatchID: id, Reason: ""})
	refused(t, err, netkit.ErrInvalid, "reason_missing")
	f.passes(71 * time.Hour)
	r := must[netkit.CrisisReceipt](t)(f.As(x.RenewBy).RenewCrisis(ctx, netkit.RenewCrisis{DispatchID: id, Reason: "water still rises"}))
	if r.Running != 1 || r.EndsAt != netkit.At(f.now)+72*netkit.Hour {
		t.Errorf("got %+v, want 72 hours more", r)
	}
	f.restarts(t)
	f.passes(72*time.Hour - time.Millisecond)
	f.ticks()
	if !f.state.Blackout() {
		t.Error("over before its term")
	}
	f.passes(time.Millisecond)
	f.ticks()
	if f.state.Blackout() || len(must[netkit.CrisisView](t)(f.As("").Crisis(ctx)).Running) != 0 {
		t.Error("the crisis goes on after its term")
	}
	if got := must[netkit.Dispatch](t)(f.As("").Dispatch(ctx, id)); got.ResolvedAt != netkit.At(f.now) {
		t.Errorf("got resolved_at %s, want %s", got.ResolvedAt, netkit.At(f.now))
	}
	_, err = f.As(x.RenewBy).RenewCrisis(ctx, netkit.RenewCrisis{DispatchID: id, Reason: "again"})
	refused(t, err, netkit.ErrConflict, "crisis_not_renewable")
	f.restarts(t)
}

// However often operators sound the alarm, without a drawn agent commerce
// stands still for 72 hours of 30 days.
func TestNoBlackoutOfThirtyDays(t *testing.T) {
	f := start(t, journal.NewMemory(), withNotice)
	ctx := t.Context()
	f.witnesses("ada", "bea", "cora")
	second := netkit.Token{9}.SHA256()
	must[netkit.OperatorReceipt](t)(f.op().AddOperator(ctx, netkit.AddOperator{Slug: "second", TokenSHA256: &second}))
	dark := 0
	for h := range 30 * 24 {
		if h%12 == 0 {
			by := []string{"operator", "second"}[h/12%2]
			must[netkit.DispatchReceipt](t)(f.As(by).Publish(ctx, netkit.Publish{Priority: netkit.P0, Channel: netkit.NicheHealth, Headline: "again"}))
		}
		if f.state.Blackout() {
			dark++
		}
		f.passes(time.Hour)
		f.ticks()
	}
	if dark != 72 {
		t.Errorf("got %d hours of blackout, want 72", dark)
	}
	// One that the drawn agent confirms does suppress.
	id := f.publishes(netkit.P0, netkit.NicheHealth, "a real one")
	x := f.term(id)
	if x.Suppresses || x.RenewBy == "" {
		t.Fatalf("got %+v, want it to wait for the drawn agent", x)
	}
	if got := must[netkit.CrisisReceipt](t)(f.As(x.RenewBy).RenewCrisis(ctx, netkit.RenewCrisis{DispatchID: id, Reason: "it is true"})); got.Running != 1 || !f.state.Blackout() {
		t.Errorf("got %+v, want it to suppress commerce", got)
	}
	must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: id, Reason: "over"}))
	if f.state.Blackout() {
		t.Error("the blackout goes on")
	}
	f.restarts(t)
}

// Where too few agents qualify, an operator renews.
func TestOperatorsRenewWithoutWitnesses(t *testing.T) {
	f := start(t, journal.NewMemory(), withNotice)
	f.agents("ada")
	id := f.publishes(netkit.P0, netkit.NicheHealth, "flood")
	_, err := f.As("ada").RenewCrisis(t.Context(), netkit.RenewCrisis{DispatchID: id, Reason: "r"})
	refused(t, err, netkit.ErrForbidden, "operators_only")
	f.passes(time.Hour)
	must[netkit.CrisisReceipt](t)(f.op().RenewCrisis(t.Context(), netkit.RenewCrisis{DispatchID: id, Reason: "it goes on"}))
	if got := f.term(id).EndsAt; got != netkit.At(f.now)+72*netkit.Hour {
		t.Errorf("got %s, want 72 hours from now", got)
	}
	f.restarts(t)
}
