package netkit

import (
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestOperatorIsAddedByAnOperator(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	r := must[OperatorReceipt](t)(f.op().AddOperator(ctx, AddOperator{Slug: "second"}))
	by := f.with(t, r.Token)
	must[RoleReceipt](t)(f.For(by).SetRole(ctx, SetRole{Agent: "ada", Role: "reviewer", Grant: true, Reason: "knows the law"}))
	f.restarts(t)
	f.unchanged(t, func() {
		for _, c := range []struct {
			by   string
			slug string
			kind error
			code string
		}{
			{"ada", "third", ErrForbidden, "operators_only"},
			{"", "third", ErrUnauthenticated, "unauthenticated"},
			{"operator", "Third", ErrInvalid, "slug_malformed"},
			{"operator", "network", ErrInvalid, "slug_reserved"},
			{"operator", "ada", ErrConflict, "slug_taken"},
		} {
			_, err := f.As(c.by).AddOperator(ctx, AddOperator{Slug: c.slug})
			refused(t, err, c.kind, c.code)
		}
	})
}

// Administration and the plant store need more than a token for everything.
func TestPrincipalAllows(t *testing.T) {
	for _, c := range []struct {
		kind   PartyKind
		scopes []Scope
		want   Scope
		ok     bool
	}{
		{AgentParty, []Scope{ScopeAll}, ScopeIntent, true},
		{AgentParty, []Scope{ScopeAll}, ScopePlants, false},
		{AgentParty, []Scope{ScopeAll}, ScopeAdmin, false},
		{AgentParty, []Scope{ScopeAdmin}, ScopeAdmin, false},
		{AgentParty, []Scope{ScopePlants}, ScopePlants, true},
		{AgentParty, []Scope{ScopePlants}, ScopeRead, false},
		{OperatorParty, []Scope{ScopeAll}, ScopeAdmin, true},
		{OperatorParty, []Scope{ScopeAll}, ScopePlants, true},
		{OperatorParty, []Scope{ScopeRead}, ScopeAdmin, false},
	} {
		p := &Principal{Kind: c.kind, Scopes: c.scopes}
		if got := p.Allows(c.want); got != c.ok {
			t.Errorf("%s with %v: got %v for %s, want %v", c.kind, c.scopes, got, c.want, c.ok)
		}
	}
}
