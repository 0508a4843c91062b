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
		get(catalog.ListTokens, func(ctx context.Context, v *request, _ *none) (Tokens, error) {
			items, err := n.Tokens(ctx, v.caller)
			return Tokens{items}, err
		}),
		command(catalog.IssueToken, n.IssueToken),
		commandAt[byID](catalog.RevokeToken, "token_id", n.RevokeToken),
	}
}
