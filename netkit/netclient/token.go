package netclient

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// Tokens lists the caller's tokens, by their ids alone.
func (c *Client) Tokens(ctx context.Context) ([]netkit.TokenInfo, error) {
	list, err := get[netkit.List[netkit.TokenInfo]](ctx, c, to(catalog.ListTokens), nil)
	return list.Items, err
}

// IssueToken makes another token with scopes, an expiry or a spend cap of its
// own. Like Spawn, it makes the token on this side.
func (c *Client) IssueToken(ctx context.Context, in netkit.IssueToken) (netkit.TokenReceipt, error) {
	var token string
	if in.TokenSHA256 == nil {
		t, hash, err := c.newToken()
		if err != nil {
			return netkit.TokenReceipt{}, err
		}
		token, in.TokenSHA256 = t, hash
	}
	out, err := post[netkit.TokenReceipt](ctx, c, to(catalog.IssueToken), in)
	if err == nil {
		out.Token = token
	}
	return out, err
}

// RevokeToken ends a token at once.
func (c *Client) RevokeToken(ctx context.Context, in netkit.RevokeToken) (netkit.TokenReceipt, error) {
	return post[netkit.TokenReceipt](ctx, c, to(catalog.RevokeToken, number(in.TokenID)), nil)
}
