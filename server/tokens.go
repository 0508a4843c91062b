package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// Tokens is the list of a party's tokens.
type Tokens struct {
	Items []netkit.TokenInfo `json:"items"`
}

// tokenRoutes are what a party does with its bearer tokens.
func (s *Server) tokenRoutes() []route {
	n := s.net
	return []route{
		get(catalog.ListTokens, func(ctx context.Context, v *visit, _ *none) (Tokens, error) {
			items, err := n.ListTokens(ctx, v.caller)
			return Tokens{items}, err
		}),
		command(catalog.IssueToken, n.IssueToken),
		aimed[byID](catalog.RevokeToken, "token_id", n.RevokeToken),
	}
}

// operatorRoutes are what operators do to agents, operators and the law.
func (s *Server) operatorRoutes() []route {
	n := s.net
	return []route{
		command(catalog.InviteAgent, s.invite),
		aimed[bySlug](catalog.SetRole, "agent", n.SetRole),
		aimed[bySlug](catalog.ReinstateAgent, "agent", n.Reinstate),
		aimed[bySlug](catalog.RecoverAgent, "agent", n.RecoverAgent),
		command(catalog.AddOperator, n.AddOperator),
		command(catalog.AdoptConstitution, n.AdoptConstitution),
	}
}
