package netkit

import (
	"testing"
)

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
