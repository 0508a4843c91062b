package server

import "github.com/agentnet/netctl/netkit/catalog"

// operatorRoutes are what operators do to agents, operators and the law.
func (s *Server) operatorRoutes() []route {
	return []route{
		act(catalog.InviteAgent, s.invite),
		commandAt[bySlug](catalog.SetRole, "agent", (*session).SetRole),
		commandAt[bySlug](catalog.ReinstateAgent, "agent", (*session).Reinstate),
		commandAt[bySlug](catalog.RecoverAgent, "agent", (*session).RecoverAgent),
		command(catalog.AddOperator, (*session).AddOperator),
		command(catalog.AdoptConstitution, (*session).AdoptConstitution),
	}
}
