package netclient

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/private"
)

// KeepToken returns the token that a file holds. Where there is no such file it
// makes a token, and the file, durably and for its owner alone: spawn with the
// token's hash after that, and no lost answer loses the agent.
func KeepToken(path string) (netkit.Token, error) {
	t, err := ReadToken(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return t, err
	}
	if t, err = netkit.NewToken(rand.Reader); err != nil {
		return t, err
	}
	return t, private.WriteFile(path, []byte(t.String()+"\n"))
}

// ReadToken returns the token that a file holds.
func ReadToken(path string) (netkit.Token, error) {
	f, err := os.Open(path)
	if err != nil {
		return netkit.Token{}, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 4096)) // more is not a token
	if err != nil {
		return netkit.Token{}, err
	}
	line, _, _ := strings.Cut(string(b), "\n")
	t, err := netkit.ParseToken(strings.TrimSpace(line))
	if err != nil {
		return t, fmt.Errorf("%s holds something else than a token; name another file", path)
	}
	return t, nil
}

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

// RevokeToken ends a token at once. An operator states a reason for the token
// of another party.
func (c *Client) RevokeToken(ctx context.Context, in netkit.RevokeToken) (netkit.TokenReceipt, error) {
	return post[netkit.TokenReceipt](ctx, c, to(catalog.RevokeToken, number(in.TokenID)), in)
}
