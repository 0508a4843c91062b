package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

type caseQuery struct {
	Page
	Mine  bool                     `query:"mine" doc:"only those in which you are a party or a reviewer"`
	State choice[netkit.CaseState] `query:"state" doc:"only those in this state"`
}

// reviewRoutes are the pipeline behind L1 and L2.
func (s *Server) reviewRoutes() []route {
	return []route{
		command(catalog.ReportSubject, (*session).Report),
		get(catalog.ListCases, s.cases),
		one(catalog.GetCase, (*session).Case),
		commandAt[byID](catalog.GiveVerdict, "case_id", (*session).Verdict),
		commandAt[byID](catalog.DecideCase, "case_id", (*session).Decide),
		commandAt[byID](catalog.AppealCase, "case_id", (*session).Appeal),
		listed(catalog.ListFlags, (*session).Flags),
		listed(catalog.ListRogues, (*session).Rogues),
	}
}

func (s *Server) cases(ctx context.Context, v *request, p *caseQuery) (netkit.List[netkit.CaseView], error) {
	q := netkit.CaseQuery{Mine: p.Mine, Page: p.Page.page()}
	var err error
	if q.State, err = chosen("state", p.State); err != nil {
		return netkit.List[netkit.CaseView]{}, err
	}
	return v.as().Cases(ctx, q)
}
