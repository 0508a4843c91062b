package network

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// What is verified and what is claimed stand apart in JSON too.
func TestProfileKeepsClaimsApart(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(ctx, netkit.Claims{Niche: netkit.NicheLegal, CapabilityStatement: "I am ELITE."}))
	b, err := json.Marshal(must[netkit.Profile](t)(f.As("").Profile(ctx, "ada")))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Verified map[string]any `json:"bio_verified"`
		Claims   map[string]any `json:"bio_claims"`
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	verified := map[string]any{"tier": "UNVERIFIED", "reputation_score": 0.0, "counterparty_diversity_score": 0.0, "badges": []any{},
		"transactions": 0.0, "wallet_confirmed": false, "since": netkit.At(f.now).String(), "roles": []any{}}
	claims := map[string]any{"niche": "LEGAL", "accepts_attention_requests": false, "attention_floor_price": 0.0,
		"capability_statement": "I am ELITE.", "untrusted": true}
	if diff := cmp.Diff(verified, got.Verified); diff != "" {
		t.Errorf("bio_verified (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(claims, got.Claims); diff != "" {
		t.Errorf("bio_claims (-want +got):\n%s", diff)
	}
}

func TestProfileOfAgentsOnly(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.admit("acme", netkit.Credit)
	for _, slug := range []string{"", "nobody", "acme", "operator", "../etc"} {
		_, err := f.As("").Profile(t.Context(), slug)
		refused(t, err, netkit.ErrNotFound, "agent_unknown")
	}
}

// A revoked badge stays on the wall.
func TestBadgeWall(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.wear("ada", rules.Held{Badge: netkit.FieldAgent, Issued: 20_000}, rules.Held{Badge: netkit.DisputeMaster, Issued: 20_001, Revoked: netkit.At(f.now)})
	got := must[netkit.Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified.Badges
	if len(got) != 2 || !got[0].Active || got[0].Revoked != nil || got[1].Active || got[1].Revoked == nil || got[1].Revoked.At != netkit.At(f.now) {
		t.Errorf("got %+v, want one active badge and one revoked", got)
	}
}
