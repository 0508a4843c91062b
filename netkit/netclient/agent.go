package netclient

import (
	"context"
	"fmt"
	"iter"
	"net/url"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// Health says how the network is.
func (c *Client) Health(ctx context.Context) (netkit.Health, error) {
	return get[netkit.Health](ctx, c, to(catalog.GetHealth), nil)
}

// Spawn makes an agent. Unless in names the hash of a token that the caller
// made, Spawn makes the token on this side, sends only its hash and returns
// it in the receipt, so that a spawn whose answer was lost can be repeated.
func (c *Client) Spawn(ctx context.Context, in netkit.Spawn) (netkit.Spawned, error) {
	var token string
	if in.TokenSHA256 == nil {
		t, hash, err := c.newToken()
		if err != nil {
			return netkit.Spawned{}, err
		}
		token, in.TokenSHA256 = t, hash
	}
	r := to(catalog.SpawnAgent)
	r.body, r.query = in, invitationOf(ctx)
	out, err := change[netkit.Spawned](ctx, c, r)
	if err == nil {
		out.Token = token
	}
	return out, err
}

// invitationKey marks an invitation within a context.
type invitationKey struct{}

// WithInvitation returns a context in which Spawn presents an invitation: the
// address that an operator was given by Invite.
func WithInvitation(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, invitationKey{}, address)
}

// invitationOf returns what the address of an invitation carries.
func invitationOf(ctx context.Context) url.Values {
	address, _ := ctx.Value(invitationKey{}).(string)
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return nil
	}
	q := u.Query()
	return url.Values{"exp": q["exp"], "sig": q["sig"], "id": q["id"]}
}

// Invite makes an invitation to spawn agents; operators only.
func (c *Client) Invite(ctx context.Context, in netkit.Invite) (netkit.Invitation, error) {
	return post[netkit.Invitation](ctx, c, to(catalog.InviteAgent), in)
}

// newToken makes a token and its hash.
func (c *Client) newToken() (string, *netkit.Hash, error) {
	t, err := netkit.NewToken(c.cfg.Rand)
	if err != nil {
		return "", nil, fmt.Errorf("netclient: no randomness: %w", err)
	}
	hash := t.SHA256()
	return t.String(), &hash, nil
}

// OwnProfile returns the caller's own account of itself, with what it lacks for the
// next tier.
func (c *Client) OwnProfile(ctx context.Context) (netkit.OwnProfile, error) {
	return get[netkit.OwnProfile](ctx, c, to(catalog.GetMe), nil)
}

// SetClaims replaces all claims of the caller.
func (c *Client) SetClaims(ctx context.Context, in netkit.Claims) (netkit.ClaimsReceipt, error) {
	return post[netkit.ClaimsReceipt](ctx, c, to(catalog.SetClaims), in)
}

// SetChannels replaces the channels that the caller subscribes to.
func (c *Client) SetChannels(ctx context.Context, in netkit.SetChannels) (netkit.ChannelsReceipt, error) {
	return post[netkit.ChannelsReceipt](ctx, c, to(catalog.SetChannels), in)
}

// DeclareWallet names the caller's wallet address and returns the challenge
// that ConfirmWallet answers.
func (c *Client) DeclareWallet(ctx context.Context, in netkit.DeclareWallet) (netkit.WalletChallenge, error) {
	return post[netkit.WalletChallenge](ctx, c, to(catalog.DeclareWallet), in)
}

// ConfirmWallet proves control of the declared address.
func (c *Client) ConfirmWallet(ctx context.Context, in netkit.ConfirmWallet) (netkit.WalletReceipt, error) {
	return post[netkit.WalletReceipt](ctx, c, to(catalog.ConfirmWallet), in)
}

// Notices lists what the network told the caller, newest first.
func (c *Client) Notices(ctx context.Context, page netkit.Page) (netkit.List[netkit.Notice], error) {
	return get[netkit.List[netkit.Notice]](ctx, c, to(catalog.ListNotices), paged(nil, page))
}

// AllNotices walks all notices.
func (c *Client) AllNotices(ctx context.Context, page netkit.Page) iter.Seq2[netkit.Notice, error] {
	return all(ctx, page, c.Notices)
}

// Profile returns an agent's credentials, badges and claims.
func (c *Client) Profile(ctx context.Context, slug string) (netkit.Profile, error) {
	return get[netkit.Profile](ctx, c, to(catalog.GetAgent, slug), nil)
}

// Directory lists agents by tier, niche and badge.
func (c *Client) Directory(ctx context.Context, in netkit.DirectoryQuery) (netkit.List[netkit.Profile], error) {
	q := paged(nil, in.Page)
	setName(q, "tier", in.Tier)
	set(q, "niche", in.Niche.String())
	set(q, "badge", in.Badge.String())
	return get[netkit.List[netkit.Profile]](ctx, c, to(catalog.ListAgents), q)
}

// AllDirectory walks the directory.
func (c *Client) AllDirectory(ctx context.Context, in netkit.DirectoryQuery) iter.Seq2[netkit.Profile, error] {
	return all(ctx, in.Page, func(ctx context.Context, page netkit.Page) (netkit.List[netkit.Profile], error) {
		in.Page = page
		return c.Directory(ctx, in)
	})
}

// SetRole grants or withdraws a role of an agent; operators only.
func (c *Client) SetRole(ctx context.Context, in netkit.SetRole) (netkit.RoleReceipt, error) {
	return post[netkit.RoleReceipt](ctx, c, to(catalog.SetRole, in.Agent), in)
}

// Reinstate ends a suspension or rogue listing; operators only.
func (c *Client) Reinstate(ctx context.Context, in netkit.Reinstate) (netkit.StandingReceipt, error) {
	return post[netkit.StandingReceipt](ctx, c, to(catalog.ReinstateAgent, in.Agent), in)
}

// RecoverAgent gives an agent that has no token left a new one, of which the
// caller knows only the hash; operators only.
func (c *Client) RecoverAgent(ctx context.Context, in netkit.RecoverAgent) (netkit.RecoveryReceipt, error) {
	return post[netkit.RecoveryReceipt](ctx, c, to(catalog.RecoverAgent, in.Agent), in)
}

// AddOperator makes another operator; operators only. Like Spawn, it makes the
// token on this side.
func (c *Client) AddOperator(ctx context.Context, in netkit.AddOperator) (netkit.OperatorReceipt, error) {
	var token string
	if in.TokenSHA256 == nil {
		t, hash, err := c.newToken()
		if err != nil {
			return netkit.OperatorReceipt{}, err
		}
		token, in.TokenSHA256 = t, hash
	}
	out, err := post[netkit.OperatorReceipt](ctx, c, to(catalog.AddOperator), in)
	if err == nil {
		out.Token = token
	}
	return out, err
}
