package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

type marketQuery struct {
	Page
	Channel choice[netkit.Niche]         `query:"channel" doc:"only contracts of this channel"`
	Kind    choice[netkit.ContractKind]  `query:"kind"`
	State   choice[netkit.ContractState] `query:"state" doc:"default: open"`
	Any     bool                         `query:"any_state" doc:"contracts of every state, whatever state says"`
	Sponsor string                       `query:"sponsor" maxLength:"64"`
	Matched bool                         `query:"matched" doc:"only those that pay you now; needs an agent's token of scope read"`
}

// marketRoutes are browsing signal contracts, and what sponsors do with them.
func (s *Server) marketRoutes() []route {
	return []route{
		get(catalog.ListContracts, s.market),
		one(catalog.GetContract, contract),
		command(catalog.OpenContract, (*session).OpenContract),
		commandAt[byID](catalog.FundContract, "campaign_id", (*session).FundContract),
		command(catalog.SetAgents, (*session).SetAgents),
		commandAt[byID](catalog.InviteToContract, "campaign_id", (*session).InviteToContract),
		commandAt[byID](catalog.SetPace, "campaign_id", (*session).SetPace),
		commandAt[byID](catalog.CloseContract, "campaign_id", (*session).CloseContract),
	}
}

func (s *Server) market(ctx context.Context, v *request, p *marketQuery) (list netkit.List[netkit.Campaign], err error) {
	q := netkit.MarketQuery{AnyState: p.Any, Sponsor: p.Sponsor, Matched: p.Matched, Page: p.Page.page()}
	if err := choose("channel", p.Channel, &q.Channel); err != nil {
		return list, err
	}
	if q.Kind, err = chosen("kind", p.Kind); err != nil {
		return list, err
	}
	if q.State, err = chosen("state", p.State); err != nil {
		return list, err
	}
	list, err = v.as().Market(ctx, q)
	for i := range list.Items {
		catalog.AdviseContract(&list.Items[i], catalog.HTTP)
	}
	return list, err
}

func contract(as *session, ctx context.Context, id uint64) (netkit.Campaign, error) {
	c, err := as.Campaign(ctx, id)
	catalog.AdviseContract(&c, catalog.HTTP)
	return c, err
}
