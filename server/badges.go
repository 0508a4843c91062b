package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// badgeRoutes are the night that issues badges, and their revocation.
func (s *Server) badgeRoutes() []route {
	return []route{
		read(catalog.GetNight, (*session).LastNight),
		command(catalog.IssueBadges, (*session).CloseNight),
		get(catalog.ExplainBadges, s.explain),
		command(catalog.RevokeBadge, (*session).RevokeBadge),
		listed(catalog.ListWitnessDuties, (*session).Witnessing),
		commandAt[byID](catalog.ConfirmAsWitness, "id", (*session).Witness),
	}
}

type explainQuery struct {
	Slug string             `path:"slug" doc:"slug of the party" minLength:"1" maxLength:"64"`
	Date choice[netkit.Day] `query:"date" doc:"on which the windows end; default: yesterday"`
}

func (s *Server) explain(ctx context.Context, _ *request, p *explainQuery) (netkit.Explanation, error) {
	date, err := chosen("date", p.Date)
	if err != nil {
		return netkit.Explanation{}, err
	}
	return s.net.As("").Explain(ctx, p.Slug, date)
}
