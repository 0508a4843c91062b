package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// complete reads the text of a profile.
func (n *Network) complete(ctx context.Context, k rules.Sketch) (netkit.Profile, error) {
	if k.Claims != 0 {
		var t rules.StatementText
		if _, err := n.text(ctx, k.Claims, &t); err != nil {
			return netkit.Profile{}, err
		}
		k.BioClaims.CapabilityStatement = t.Statement
	}
	return k.Profile, nil
}

// Profile returns an agent's profile.
//
// Refusals: agent_unknown.
func (ses *Session) Profile(ctx context.Context, slug string) (netkit.Profile, error) {
	now := ses.n.Now()
	k, err := view(ctx, ses.n, func(s *rules.State) (rules.Sketch, error) {
		i, _, err := s.Agent("slug", slug)
		if err != nil {
			return rules.Sketch{}, err
		}
		return s.Sketch(i, now), nil
	})
	if err != nil {
		return netkit.Profile{}, err
	}
	return ses.n.complete(ctx, k)
}

// Principal returns who a slug stands for, with every scope. It is for
// programs that hold the journal itself, and so need no token: callers from
// outside are known by [Network.Authenticate] alone.
func (n *Network) Principal(slug string) (*netkit.Principal, error) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	_, p, ok := n.state.Party(slug)
	if !ok {
		return nil, rules.NotFound(code.PartyUnknown, "there is no agent, sponsor or operator of that name", "{listAgents} lists the agents, {listSponsors} the sponsors")
	}
	return &netkit.Principal{Slug: p.Slug, Kind: p.Kind, Scopes: []netkit.Scope{netkit.ScopeAll}}, nil
}

// OwnProfile returns what the caller sees of itself.
func (ses *Session) OwnProfile(ctx context.Context) (netkit.OwnProfile, error) {
	now := ses.n.Now()
	var k rules.Sketch
	me, err := view(ctx, ses.n, func(s *rules.State) (netkit.OwnProfile, error) {
		i, p, err := s.Reader(ses.by)
		if err != nil {
			return netkit.OwnProfile{}, err
		}
		k = s.Sketch(i, now)
		x := s.Extra(p)
		me := netkit.OwnProfile{Kind: p.Kind, Balance: s.Wallets.At(i).Held, Granted: s.Granted(i), Pending: s.Pending(i, s.Moment(now)).Pay, WalletAddress: x.Address,
			Channels: rules.ChannelList(p.Agent.Subscribed()), ChannelsSet: p.Agent.Channels != 0, Roles: p.Roles.List(), Next: []string{},
			PendingIn: int(x.PendingIn), PendingOut: int(x.PendingOut)}
		me.Available = me.Balance - me.Pending
		if next := k.BioVerified.Tier + 1; p.Kind == netkit.AgentParty && int(next) < len(s.Law.Tiers) {
			me.NextTier, me.Next = &next, s.Law.Tier(next).Missing(&k.BioVerified)
		}
		return me, nil
	})
	if err != nil {
		return netkit.OwnProfile{}, err
	}
	me.Profile, err = ses.n.complete(ctx, k)
	return me, err
}
