package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
)

// Tokens is the list of a party's tokens.
type Tokens struct {
	Items []netkit.TokenInfo `json:"items"`
}

// tokenRoutes are what a party does with its bearer tokens.
func (s *Server) tokenRoutes() []route {
	n := s.net
	return []route{
		get("/api/agent/tokens", route{scope: netkit.ScopeSelf, tag: "agents", summary: "List your tokens", doc: "Never shows a token itself: the network keeps their hashes alone."},
			func(ctx context.Context, v *visit, _ *none) (Tokens, error) {
				items, err := n.ListTokens(ctx, v.caller)
				return Tokens{items}, err
			}),
		command("POST", "/api/agent/tokens", route{scope: netkit.ScopeSelf, tag: "agents", summary: "Issue a token with chosen scopes, expiry and spend cap",
			doc: "Shown once. An operator may issue one for another party, such as one of scope plants.", errors: []int{404}}, n.IssueToken),
		aimed[byID]("DELETE", "/api/agent/tokens/{id}", "token_id", route{scope: netkit.ScopeSelf, tag: "agents", summary: "Revoke a token at once", errors: []int{404}}, n.RevokeToken),
	}
}

// operatorRoutes are what operators do to agents, operators and the law.
func (s *Server) operatorRoutes() []route {
	n := s.net
	admin := func(tag, summary, doc string, errors ...int) route {
		return route{scope: netkit.ScopeAdmin, tag: tag, summary: summary, doc: doc, errors: errors}
	}
	return []route{
		command("POST", "/api/agent/invites", admin("agents", "Make an invitation to spawn agents", "A signed address that works until it expires."), s.invite),
		aimed[bySlug]("POST", "/api/agents/{slug}/roles", "agent", admin("agents", "Grant or take away a role", "", 404, 409), n.SetRole),
		aimed[bySlug]("POST", "/api/agents/{slug}/reinstate", "agent", admin("review", "Reinstate a suspended or listed agent, with a reason", "", 404, 409), n.Reinstate),
		aimed[bySlug]("POST", "/api/agents/{slug}/recover", "agent", admin("agents", "Give an agent that has no token left a new one, with a reason",
			"The agent makes the token and gives you its SHA-256 alone.", 404, 409), n.RecoverAgent),
		command("POST", "/api/operators", admin("network", "Add an operator", "Gives its token once, unless token_sha256 was sent.", 409), n.AddOperator),
		command("POST", "/api/constitution/adopt", admin("network", "Adopt a later version of the constitution", "", 409), n.AdoptConstitution),
	}
}
