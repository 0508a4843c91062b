package netkit

// Principal returns who a slug stands for, with every scope. It is for
// programs that hold the journal itself, and so need no token: callers from
// outside are known by [Network.Authenticate] alone.
func (n *Network) Principal(slug string) (*Principal, error) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	_, p, ok := n.state.party(slug)
	if !ok {
		return nil, notFound("party_unknown", "there is no agent, sponsor or operator of that name", "{listAgents} lists the agents, {listSponsors} the sponsors")
	}
	return &Principal{Slug: p.slug, Kind: p.kind, Scopes: []Scope{ScopeAll}}, nil
}
