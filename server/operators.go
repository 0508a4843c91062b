package server

import "github.com/agentnet/netctl/netkit/catalog"

// operatorRoutes are what operators do to agents, operators and the law.
func (s *Server) operatorRoutes() []route {
	n := s.net
	return []route{
		command(catalog.InviteAgent, s.invite),
		commandAt[bySlug](catalog.SetRole, "agent", n.SetRole),
		commandAt[bySlug](catalog.ReinstateAgent, "agent", n.Reinstate),
		commandAt[bySlug](catalog.RecoverAgent, "agent", n.RecoverAgent),
		command(catalog.AddOperator, n.AddOperator),
		command(catalog.AdoptConstitution, n.AdoptConstitution),
	}
}
