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
	k, err := view(ctx, ses.n, func(s *rules.State) (rules.Sketch, error) { return s.Profile(slug, now) })
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
	kind, ok := n.state.KindOf(slug)
	if !ok {
		return nil, rules.NotFound(code.PartyUnknown, "there is no agent, sponsor or operator of that name", "{listAgents} lists the agents, {listSponsors} the sponsors")
	}
	return &netkit.Principal{Slug: slug, Kind: kind, Scopes: []netkit.Scope{netkit.ScopeAll}}, nil
}

// OwnProfile returns what the caller sees of itself.
func (ses *Session) OwnProfile(ctx context.Context) (netkit.OwnProfile, error) {
	now := ses.n.Now()
	var k rules.Sketch
	me, err := view(ctx, ses.n, func(s *rules.State) (me netkit.OwnProfile, err error) {
		me, k, err = s.OwnProfile(ses.by, now)
		return me, err
	})
	if err != nil {
		return netkit.OwnProfile{}, err
	}
	me.Profile, err = ses.n.complete(ctx, k)
	return me, err
}
