package netkit

import (
	"strings"
	"testing"
)

// badged is a network in which ada holds a badge, with three agents besides
// that qualify as witness, and dora, who does not.
func badged(t testing.TB) *fixture {
	f := memory(t)
	f.witnesses("ada", "bea", "cora", "emma")
	f.agents("dora")
	f.badge("ada", FieldAgent)
	return f
}

func TestRevocationRefusals(t *testing.T) {
	ok := RevokeBadge{Agent: "ada", Badge: FieldAgent, Reason: "bought signals"}
	but := func(change func(*RevokeBadge)) RevokeBadge { r := ok; change(&r); return r }
	for _, c := range []struct {
		name string
		by   string
		in   RevokeBadge
		kind error
		code string
	}{
		{"no revoker", "", ok, ErrUnauthenticated, "unauthenticated"},
		{"an agent as revoker", "bea", ok, ErrForbidden, "operators_only"},
		{"no reason", "operator", but(func(r *RevokeBadge) { r.Reason = "" }), ErrInvalid, "reason_missing"},
		{"a long reason", "operator", but(func(r *RevokeBadge) { r.Reason = strings.Repeat("x", 281) }), ErrInvalid, "text_too_long"},
		{"the holder as witness", "operator", but(func(r *RevokeBadge) { r.Witness = "ada" }), ErrForbidden, "witness_is_holder"},
		{"the revoker as witness", "operator", but(func(r *RevokeBadge) { r.Witness = "operator" }), ErrForbidden, "witness_is_revoker"},
		{"an unknown witness", "operator", but(func(r *RevokeBadge) { r.Witness = "nobody" }), ErrNotFound, "agent_unknown"},
		{"a witness without wallet", "operator", but(func(r *RevokeBadge) { r.Witness = "dora" }), ErrForbidden, "witness_unconfirmed"},
		{"an unknown agent", "operator", but(func(r *RevokeBadge) { r.Agent = "nobody" }), ErrNotFound, "agent_unknown"},
		{"a badge not held", "operator", but(func(r *RevokeBadge) { r.Badge = DisputeMaster }), ErrConflict, "badge_not_held"},
		{"no badge", "operator", but(func(r *RevokeBadge) { r.Badge = NoBadge }), ErrConflict, "badge_not_held"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := badged(t)
			before := f.state.root.next
			_, err := f.As(c.by).RevokeBadge(t.Context(), c.in)
			refused(t, err, c.kind, c.code)
			if f.state.root.next != before {
				t.Error("a refusal wrote an entry")
			}
		})
	}
}

func TestRevocationTakesEffectWithItsWitness(t *testing.T) {
	f := badged(t)
	ctx := t.Context()
	r := must[RevocationReceipt](t)(f.op().RevokeBadge(ctx, RevokeBadge{Agent: "ada", Badge: FieldAgent, Reason: "bought signals"}))
	if r.State != "pending" {
		t.Errorf("got %+v, want it pending", r)
	}
	if got := f.row("ada").badges.len(); got != 1 {
		t.Errorf("without witness: got %d active badges, want 1", got)
	}
	_, err := f.op().RevokeBadge(ctx, RevokeBadge{Agent: "ada", Badge: FieldAgent, Reason: "again"})
	refused(t, err, ErrConflict, "revocation_pending")
	for _, c := range []struct{ by, code string }{
		{"ada", "witness_is_holder"}, {"operator", "witness_is_revoker"}, {"dora", "witness_unconfirmed"},
	} {
		_, err := f.As(c.by).Witness(ctx, Witness{ID: r.RevocationID})
		refused(t, err, ErrForbidden, c.code)
	}
	w := must[WitnessReceipt](t)(f.As("bea").Witness(ctx, Witness{ID: r.RevocationID}))
	if w.Kind != "revocation" || w.Subject != "ada" {
		t.Errorf("got %+v, want the revocation of ada's badge", w)
	}
	f.passes(1)
	e := must[*Entry](t)(f.Entry(ctx, w.Seq))
	got, ok := e.Fact.(*BadgeRevoked)
	want := BadgeRevoked{Revocation: r.RevocationID, Agent: "ada", Badge: FieldAgent, Reason: "bought signals", Revoker: "operator", Witness: "bea"}
	if !ok || *got != want || e.Actor != "bea" {
		t.Errorf("got %+v by %s, want %+v by bea", e.Fact, e.Actor, want)
	}
	_, err = f.As("cora").Witness(ctx, Witness{ID: r.RevocationID})
	refused(t, err, ErrConflict, "already_revoked")

	wall := must[Profile](t)(f.As("").Profile(ctx, "ada")).BioVerified.Badges
	view := RevocationView{Reason: "bought signals", Revoker: "operator", Witness: "bea", At: e.At, Seq: e.Seq}
	if len(wall) != 1 || wall[0].Active || wall[0].Revoked == nil || *wall[0].Revoked != view {
		t.Errorf("got %+v, want it revoked as %+v", wall, view)
	}
	if got := f.extra("ada").incidents; len(got) != 1 || got[0].weight != 5000 {
		t.Errorf("got %+v, want a penalty of 5.000", got)
	}
	f.replays(t, string(f.state.canonical()))
}

func TestOnlyTheAskedAgentWitnesses(t *testing.T) {
	f := badged(t)
	ctx := t.Context()
	r := must[RevocationReceipt](t)(f.op().RevokeBadge(ctx, RevokeBadge{Agent: "ada", Badge: FieldAgent, Reason: "r", Witness: "cora"}))
	_, err := f.As("bea").Witness(ctx, Witness{ID: r.RevocationID})
	refused(t, err, ErrForbidden, "witness_other_asked")
	if got := must[List[WitnessRequest]](t)(f.As("bea").Witnessing(ctx, Page{})); len(got.Items) != 0 {
		t.Errorf("bea: got %+v, want nothing", got.Items)
	}
	if got := must[List[WitnessRequest]](t)(f.As("cora").Witnessing(ctx, Page{})); len(got.Items) != 1 || got.Items[0].Badge != FieldAgent {
		t.Errorf("cora: got %+v, want the revocation", got.Items)
	}
	notices := must[List[Notice]](t)(f.As("cora").Notices(ctx, Page{}))
	if len(notices.Items) != 1 || notices.Items[0].Kind != "witness.asked" || notices.Items[0].Subject != r.RevocationID {
		t.Errorf("got %+v, want cora told", notices.Items)
	}
	must[WitnessReceipt](t)(f.As("cora").Witness(ctx, Witness{ID: r.RevocationID}))
}

// While fewer than three agents qualify, any active agent that is not a party
// may witness; with nobody there a revocation cannot begin.
func TestRevocationWithTooFewWitnesses(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.agents("ada")
	f.badge("ada", FieldAgent)
	in := RevokeBadge{Agent: "ada", Badge: FieldAgent, Reason: "r"}
	_, err := f.op().RevokeBadge(ctx, in)
	refused(t, err, ErrConflict, "witness_missing")
	f.agents("dora")
	r := must[RevocationReceipt](t)(f.op().RevokeBadge(ctx, in))
	_, err = f.As("ada").Witness(ctx, Witness{ID: r.RevocationID})
	refused(t, err, ErrForbidden, "witness_is_holder")
	must[WitnessReceipt](t)(f.As("dora").Witness(ctx, Witness{ID: r.RevocationID}))
	if got := f.row("ada").badges.len(); got != 0 {
		t.Errorf("got %d active badges, want none", got)
	}
}
