package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// sponsorRoutes are the organisations that fund contracts.
func (s *Server) sponsorRoutes() []route {
	n := s.net
	return []route{
		get(catalog.ListSponsors, func(ctx context.Context, _ *request, p *Page) (netkit.List[netkit.SponsorView], error) {
			return n.Sponsors(ctx, p.page())
		}),
		command(catalog.AdmitSponsor, n.ProposeSponsor),
		commandAt[bySlug](catalog.BookDeposit, "sponsor", n.Deposit),
	}
}
