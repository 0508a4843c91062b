package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

type caseQuery struct {
	Page
	Mine  bool   `query:"mine" doc:"only those in which you are a party or a reviewer"`
	State string `query:"state" enum:"panel,operator,upheld,dismissed,drawing" doc:"only those in this state"`
}

// reviewRoutes are the pipeline behind L1 and L2.
func (s *Server) reviewRoutes() []route {
	n := s.net
	return []route{
		command(catalog.ReportSubject, n.Report),
		get(catalog.ListCases, s.cases),
		get(catalog.GetCase, func(ctx context.Context, v *request, p *byID) (netkit.CaseView, error) {
			return n.Case(ctx, v.caller, p.ID)
		}),
		commandAt[byID](catalog.GiveVerdict, "case_id", n.Verdict),
		commandAt[byID](catalog.DecideCase, "case_id", n.Decide),
		commandAt[byID](catalog.AppealCase, "case_id", n.Appeal),
		get(catalog.ListFlags, func(ctx context.Context, v *request, p *Page) (netkit.List[netkit.AgentFlag], error) {
			return n.Flags(ctx, v.caller, p.page())
		}),
		get(catalog.ListRogues, func(ctx context.Context, _ *request, p *Page) (netkit.List[netkit.RogueEntry], error) {
			return n.Rogues(ctx, p.page())
		}),
	}
}

func (s *Server) cases(ctx context.Context, v *request, p *caseQuery) (netkit.List[netkit.CaseView], error) {
	q := netkit.CaseQuery{Mine: p.Mine, Page: p.Page.page()}
	var err error
	if q.State, err = chosen[netkit.CaseState]("state", p.State); err != nil {
		return netkit.List[netkit.CaseView]{}, err
	}
	return s.net.Cases(ctx, v.caller, q)
}

// chosen reads an enumeration of a query, nil where it was left out.
func chosen[T any, P interface {
	*T
	UnmarshalText([]byte) error
}](name, text string) (*T, error) {
	if text == "" {
		return nil, nil
	}
	v := new(T)
	if r := refusal("query."+name, P(v).UnmarshalText([]byte(text))); r != nil {
		return nil, r
	}
	return v, nil
}
