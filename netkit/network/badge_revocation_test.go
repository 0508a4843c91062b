package network

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// badged is a network in which ada holds a badge, with three agents besides
// that qualify as witness, and dora, who does not.
func badged(t testing.TB) *fixture {
	f := memory(t)
	f.witnesses("ada", "bea", "cora", "emma")
	f.agents("dora")
	f.badge("ada", netkit.FieldAgent)
	return f
}

func TestRevocationRefusals(t *testing.T) {
	ok := netkit.RevokeBadge{Agent: "ada", Badge: netkit.FieldAgent, Reason: "bought signals"}
	but := func(change func(*netkit.RevokeBadge)) netkit.RevokeBadge { r := ok; change(&r); return r }
	for _, c := range []struct {
		name string
		by   string
		in   netkit.RevokeBadge
		kind error
		code string
	}{
		{"no revoker", "", ok, netkit.ErrUnauthenticated, "unauthenticated"},
		{"an agent as revoker", "bea", ok, netkit.ErrForbidden, "operators_only"},
		{"no reason", "operator", but(func(r *netkit.RevokeBadge) { r.Reason = "" }), netkit.ErrInvalid, "reason_missing"},
		{"a long reason", "operator", but(func(r *netkit.RevokeBadge) { r.Reason = strings.Repeat("x", 281) }), netkit.ErrInvalid, "text_too_long"},
		{"the holder as witness", "operator", but(func(r *netkit.RevokeBadge) { r.Witness = "ada" }), netkit.ErrForbidden, "witness_is_holder"},
		{"the revoker as witness", "operator", but(func(r *netkit.RevokeBadge) { r.Witness = "operator" }), netkit.ErrForbidden, "witness_is_revoker"},
		{"an unknown witness", "operator", but(func(r *netkit.RevokeBadge) { r.Witness = "nobody" }), netkit.ErrNotFound, "agent_unknown"},
		{"a witness without wallet", "operator", but(func(r *netkit.RevokeBadge) { r.Witness = "dora" }), netkit.ErrForbidden, "witness_unconfirmed"},
		{"an unknown agent", "operator", but(func(r *netkit.RevokeBadge) { r.Agent = "nobody" }), netkit.ErrNotFound, "agent_unknown"},
		{"a badge not held", "operator", but(func(r *netkit.RevokeBadge) { r.Badge = netkit.DisputeMaster }), netkit.ErrConflict, "badge_not_held"},
		{"no badge", "operator", but(func(r *netkit.RevokeBadge) { r.Badge = netkit.NoBadge }), netkit.ErrConflict, "badge_not_held"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := badged(t)
			before := f.state.Size()
			_, err := f.As(c.by).RevokeBadge(t.Context(), c.in)
			refused(t, err, c.kind, c.code)
			if f.state.Size() != before {
				t.Error("a refusal wrote an entry")
			}
		})
	}
}

func TestRevocationTakesEffectWithItsWitness(t *testing.T) {
	f := badged(t)
	ctx := t.Context()
	r := must[netkit.RevocationReceipt](t)(f.op().RevokeBadge(ctx, netkit.RevokeBadge{Agent: "ada", Badge: netkit.FieldAgent, Reason: "bought signals"}))
	if r.State != "pending" {
		t.Errorf("got %+v, want it pending", r)
	}
	if got := f.row("ada").Badges.Len(); got != 1 {
		t.Errorf("without witness: got %d active badges, want 1", got)
	}
	_, err := f.op().RevokeBadge(ctx, netkit.RevokeBadge{Agent: "ada", Badge: netkit.FieldAgent, Reason: "again"})
	refused(t, err, netkit.ErrConflict, "revocation_pending")
	for _, c := range []struct{ by, code string }{
		{"ada", "witness_is_holder"}, {"operator", "witness_is_revoker"}, {"dora", "witness_unconfirmed"},
	} {
		_, err := f.As(c.by).Witness(ctx, netkit.Witness{ID: r.RevocationID})
		refused(t, err, netkit.ErrForbidden, c.code)
	}
	w := must[netkit.WitnessReceipt](t)(f.As("bea").Witness(ctx, netkit.Witness{ID: r.RevocationID}))
	if w.Kind != "revocation" || w.Subject != "ada" {
		t.Errorf("got %+v, want the revocation of ada's badge", w)
	}
	f.passes(1)
	e := must[*rules.Entry](t)(f.Entry(ctx, w.Seq))
	got, ok := e.Fact.(*rules.BadgeRevoked)
	want := rules.BadgeRevoked{Revocation: r.RevocationID, Agent: "ada", Badge: netkit.FieldAgent, Reason: "bought signals", Revoker: "operator", Witness: "bea"}
	if !ok || *got != want || e.Actor != "bea" {
		t.Errorf("got %+v by %s, want %+v by bea", e.Fact, e.Actor, want)
	}
	_, err = f.As("cora").Witness(ctx, netkit.Witness{ID: r.RevocationID})
	refused(t, err, netkit.ErrConflict, "already_revoked")

	wall := must[netkit.Profile](t)(f.As("").Profile(ctx, "ada")).BioVerified.Badges
	view := netkit.RevocationView{Reason: "bought signals", Revoker: "operator", Witness: "bea", At: e.At, Seq: e.Seq}
	if len(wall) != 1 || wall[0].Active || wall[0].Revoked == nil || *wall[0].Revoked != view {
		t.Errorf("got %+v, want it revoked as %+v", wall, view)
	}
	if got := f.extra("ada").Incidents; len(got) != 1 || got[0].Weight != 5000 {
		t.Errorf("got %+v, want a penalty of 5.000", got)
	}
	f.replays(t, string(f.state.Canonical()))
}

func TestOnlyTheAskedAgentWitnesses(t *testing.T) {
	f := badged(t)
	ctx := t.Context()
	r := must[netkit.RevocationReceipt](t)(f.op().RevokeBadge(ctx, netkit.RevokeBadge{Agent: "ada", Badge: netkit.FieldAgent, Reason: "r", Witness: "cora"}))
	_, err := f.As("bea").Witness(ctx, netkit.Witness{ID: r.RevocationID})
	refused(t, err, netkit.ErrForbidden, "witness_other_asked")
	if got := must[netkit.List[netkit.WitnessRequest]](t)(f.As("bea").Witnessing(ctx, netkit.Page{})); len(got.Items) != 0 {
		t.Errorf("bea: got %+v, want nothing", got.Items)
	}
	if got := must[netkit.List[netkit.WitnessRequest]](t)(f.As("cora").Witnessing(ctx, netkit.Page{})); len(got.Items) != 1 || got.Items[0].Badge != netkit.FieldAgent {
		t.Errorf("cora: got %+v, want the revocation", got.Items)
	}
	notices := must[netkit.List[netkit.Notice]](t)(f.As("cora").Notices(ctx, netkit.Page{}))
	if len(notices.Items) != 1 || notices.Items[0].Kind != "witness.asked" || notices.Items[0].Subject != r.RevocationID {
		t.Errorf("got %+v, want cora told", notices.Items)
	}
	must[netkit.WitnessReceipt](t)(f.As("cora").Witness(ctx, netkit.Witness{ID: r.RevocationID}))
}

// While fewer than three agents qualify, any active agent that is not a party
// may witness; with nobody there a revocation cannot begin.
func TestRevocationWithTooFewWitnesses(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.agents("ada")
	f.badge("ada", netkit.FieldAgent)
	in := netkit.RevokeBadge{Agent: "ada", Badge: netkit.FieldAgent, Reason: "r"}
	_, err := f.op().RevokeBadge(ctx, in)
	refused(t, err, netkit.ErrConflict, "witness_missing")
	f.agents("dora")
	r := must[netkit.RevocationReceipt](t)(f.op().RevokeBadge(ctx, in))
	_, err = f.As("ada").Witness(ctx, netkit.Witness{ID: r.RevocationID})
	refused(t, err, netkit.ErrForbidden, "witness_is_holder")
	must[netkit.WitnessReceipt](t)(f.As("dora").Witness(ctx, netkit.Witness{ID: r.RevocationID}))
	if got := f.row("ada").Badges.Len(); got != 0 {
		t.Errorf("got %d active badges, want none", got)
	}
}
