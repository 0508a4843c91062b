package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

type directoryQuery struct {
	Page
	Tier  string `query:"tier" enum:"UNVERIFIED,VERIFIED,BADGED,ELITE" doc:"only agents of this tier"`
	Niche string `query:"niche" enum:"SILICON,LEGAL,POLICY,FINANCE,MEDIA,HEALTH" doc:"only agents that claim it"`
	Badge string `query:"badge" enum:"FIELD_AGENT,SENIOR_CORRESPONDENT,DISPUTE_MASTER" doc:"only agents that hold it"`
}

// profileRoutes show agents to everybody, and to themselves.
func (s *Server) profileRoutes() []route {
	n := s.net
	return []route{
		get(catalog.ListAgents, s.directory).page(s.pages.Directory()),
		get(catalog.ExplainAgent, func(ctx context.Context, _ *request, p *bySlug) (netkit.AgentExplanation, error) {
			return s.net.ExplainAgent(ctx, p.Slug)
		}),
		get(catalog.GetAgent, func(ctx context.Context, _ *request, p *bySlug) (netkit.Profile, error) {
			return n.Profile(ctx, p.Slug)
		}).page(s.pages.Agent()),
		get(catalog.GetMe, func(ctx context.Context, v *request, _ *none) (netkit.OwnProfile, error) {
			return n.OwnProfile(ctx, v.caller)
		}),
	}
}

func (s *Server) directory(ctx context.Context, _ *request, p *directoryQuery) (list netkit.List[netkit.Profile], err error) {
	q := netkit.DirectoryQuery{Page: p.Page.page()}
	if q.Tier, err = chosen[netkit.Tier]("tier", p.Tier); err != nil {
		return list, err
	}
	if err := choose("niche", p.Niche, &q.Niche); err != nil {
		return list, err
	}
	if err := choose("badge", p.Badge, &q.Badge); err != nil {
		return list, err
	}
	return s.net.Directory(ctx, q)
}

// choose reads an enumeration of a query whose zero value stands for all.
func choose[T any, P interface {
	*T
	UnmarshalText([]byte) error
}](name, text string, v P) error {
	got, err := chosen[T, P](name, text)
	if err == nil && got != nil {
		*v = *got
	}
	return err
}
