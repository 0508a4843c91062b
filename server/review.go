package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
)

type caseQuery struct {
	Page
	Mine  bool   `query:"mine" doc:"only those in which you are a party or a reviewer"`
	State string `query:"state" maxLength:"20" doc:"only those in this state"`
}

// reviewRoutes are the pipeline behind L1 and L2.
func (s *Server) reviewRoutes() []route {
	n := s.net
	review := func(summary, doc string, errors ...int) route {
		return route{scope: netkit.ScopeReview, tag: "review", summary: summary, doc: doc, errors: errors}
	}
	return []route{
		command("POST", "/api/review/reports", review("Report an execution or a dispatch",
			"Three reviewers who are no party are drawn and decide by majority within 72 hours.", 404, 409), n.Report),
		get("/api/review/cases", route{scope: netkit.ScopeRead, tag: "review", summary: "List cases, newest first"}, s.cases),
		get("/api/review/cases/{id}", route{scope: netkit.ScopeRead, tag: "review", summary: "Read a case", errors: []int{404}},
			func(ctx context.Context, v *visit, p *byID) (netkit.CaseView, error) {
				return n.Case(ctx, v.caller, p.ID)
			}),
		aimed[byID]("POST", "/api/review/cases/{id}/verdict", "case_id", review("Give a verdict as one of the panel", "", 404, 409), n.Verdict),
		aimed[byID]("POST", "/api/review/cases/{id}/decide", "case_id", route{scope: netkit.ScopeAdmin, tag: "review",
			summary: "Decide a case for which too few reviewers were eligible", errors: []int{404, 409}}, n.Decide),
		aimed[byID]("POST", "/api/review/cases/{id}/appeal", "case_id", review("Appeal once, within 7 days", "A suspended agent may.", 404, 409), n.Appeal),
		get("/api/rogues", route{scope: public, tag: "review", summary: "The registry of rogue agents (L2)"},
			func(ctx context.Context, _ *visit, p *Page) (netkit.List[netkit.RogueEntry], error) {
				return n.Rogues(ctx, p.page())
			}),
	}
}

func (s *Server) cases(ctx context.Context, v *visit, p *caseQuery) (netkit.List[netkit.CaseView], error) {
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
