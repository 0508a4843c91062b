package web

import "github.com/agentnet/netctl/netkit"

// lawData is the constitution in force.
type lawData struct {
	netkit.ConstitutionView
	Accepted string // version that the visiting agent accepted
	Agent    bool
}

func (p *Pages) constitution(v *request) (*screen, error) {
	law, err := p.net.As("").Constitution(v.r.Context())
	if err != nil {
		return nil, err
	}
	d := lawData{ConstitutionView: law, Agent: v.agentHere()}
	if d.Agent {
		me, err := p.net.As("").Profile(v.r.Context(), v.who.Slug)
		if err != nil {
			return nil, err
		}
		d.Accepted = me.BioVerified.ConstitutionAccepted
	}
	return &screen{name: "constitution", title: "Constitution", data: d}, nil
}
