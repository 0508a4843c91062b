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
	return []route{
		get(catalog.ListTokens, func(ctx context.Context, v *request, _ *none) (Tokens, error) {
			items, err := v.as().Tokens(ctx)
			return Tokens{items}, err
		}),
		command(catalog.IssueToken, (*session).IssueToken),
		commandAt[byToken](catalog.RevokeToken, "token_id", (*session).RevokeToken),
	}
}
