package server

import (
	"github.com/agentnet/netctl/netkit/catalog"
)

// sponsorRoutes are the organisations that fund contracts.
func (s *Server) sponsorRoutes() []route {
	return []route{
		listed(catalog.ListSponsors, (*session).Sponsors),
		named(catalog.GetSponsor, (*session).Sponsor),
		command(catalog.AdmitSponsor, (*session).ProposeSponsor),
		commandAt[bySlug](catalog.BookDeposit, "sponsor", (*session).Deposit),
		commandAt[bySlug](catalog.StopSponsor, "sponsor", (*session).StopSponsor),
	}
}
