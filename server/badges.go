package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// badgeRoutes are the night that issues badges, and their revocation.
func (s *Server) badgeRoutes() []route {
	n := s.net
	return []route{
		get(catalog.GetNight, func(ctx context.Context, _ *request, _ *none) (netkit.NightReport, error) { return n.LastNight(ctx) }),
		command(catalog.IssueBadges, n.CloseNight),
		get(catalog.ExplainBadges, s.explain),
		command(catalog.RevokeBadge, n.RevokeBadge),
		get(catalog.ListWitnessDuties, func(ctx context.Context, v *request, p *Page) (netkit.List[netkit.WitnessRequest], error) {
			return n.Witnessing(ctx, v.caller, p.page())
		}),
		commandAt[byID](catalog.ConfirmAsWitness, "id", n.Witness),
	}
}

type explainQuery struct {
	Slug string `path:"slug" doc:"slug of the party" minLength:"1" maxLength:"64"`
	Date string `query:"date" format:"date" doc:"on which the windows end; default: yesterday"`
}

func (s *Server) explain(ctx context.Context, _ *request, p *explainQuery) (netkit.Explanation, error) {
	if p.Date == "" {
		return s.net.Explain(ctx, p.Slug, nil)
	}
	date, err := netkit.ParseDay(p.Date)
	if err != nil {
		return netkit.Explanation{}, refusal("query.date", err)
	}
	return s.net.Explain(ctx, p.Slug, &date)
}
