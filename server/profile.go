package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

type directoryQuery struct {
	Page
	Tier  choice[netkit.Tier]  `query:"tier" doc:"only agents of this tier"`
	Niche choice[netkit.Niche] `query:"niche" doc:"only agents that claim it"`
	Badge choice[netkit.Badge] `query:"badge" doc:"only agents that hold it"`
}

// profileRoutes show agents to everybody, and to themselves.
func (s *Server) profileRoutes() []route {
	return []route{
		get(catalog.ListAgents, s.directory).page(s.pages.Directory()),
		named(catalog.ExplainAgent, (*session).ExplainAgent),
		named(catalog.GetAgent, (*session).Profile).page(s.pages.Agent()),
		read(catalog.GetMe, (*session).OwnProfile),
	}
}

func (s *Server) directory(ctx context.Context, _ *request, p *directoryQuery) (list netkit.List[netkit.Profile], err error) {
	q := netkit.DirectoryQuery{Page: p.Page.page()}
	if q.Tier, err = chosen("tier", p.Tier); err != nil {
		return list, err
	}
	if err := choose("niche", p.Niche, &q.Niche); err != nil {
		return list, err
	}
	if err := choose("badge", p.Badge, &q.Badge); err != nil {
		return list, err
	}
	return s.net.As("").Directory(ctx, q)
}
