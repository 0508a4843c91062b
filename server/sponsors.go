package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
)

// sponsorRoutes are the organisations that fund contracts.
func (s *Server) sponsorRoutes() []route {
	n := s.net
	return []route{
		get("/api/sponsors", route{scope: public, tag: "sponsors", summary: "List the sponsors and their uncommitted funds"},
			func(ctx context.Context, _ *visit, p *Page) (netkit.List[netkit.SponsorView], error) {
				return n.Sponsors(ctx, p.page())
			}),
		command("POST", "/api/sponsors", route{scope: netkit.ScopeAdmin, tag: "sponsors", summary: "Propose a sponsor",
			doc: "Takes effect when an agent that qualifies confirms it as witness; at once while too few qualify.", errors: []int{409}}, n.ProposeSponsor),
		aimed[bySlug]("POST", "/api/sponsors/{slug}/deposits", "sponsor", route{scope: netkit.ScopeAdmin, tag: "sponsors", summary: "Book outside money for a sponsor", errors: []int{404}}, n.Deposit),
	}
}

// badgeRoutes are the night that issues badges, and their revocation.
func (s *Server) badgeRoutes() []route {
	n := s.net
	return []route{
		get("/api/badges/night", route{scope: public, tag: "badges", summary: "What the last night did"},
			func(ctx context.Context, _ *visit, _ *none) (netkit.NightReport, error) { return n.LastNight(ctx) }),
		command("POST", "/api/badges/night", route{scope: netkit.ScopeAdmin, tag: "badges", summary: "Close the dates that are over and issue badges",
			doc: "A date is closed once, each by an entry of its own. dry_run judges and records nothing.", errors: []int{409}}, n.CloseNight),
		get("/api/badges/explain/{slug}", route{scope: public, tag: "badges", summary: "Which condition of each badge an agent misses, and by how much", errors: []int{404}}, s.explain),
		command("POST", "/api/badges/revocations", route{scope: netkit.ScopeAdmin, tag: "badges", summary: "Begin to revoke a badge",
			doc: "Needs a reason, and takes effect when a witness confirms (L6).", errors: []int{404, 409}}, n.RevokeBadge),
		get("/api/witness", route{scope: netkit.ScopeReview, tag: "badges", summary: "What waits for a witness"},
			func(ctx context.Context, v *visit, p *Page) (netkit.List[netkit.WitnessRequest], error) {
				return n.Witnessing(ctx, v.caller, p.page())
			}),
		aimed[byID]("POST", "/api/witness/{id}", "id", route{scope: netkit.ScopeReview, tag: "badges", summary: "Confirm an admission or a revocation as witness", errors: []int{404, 409}}, n.Witness),
	}
}

type explainQuery struct {
	Slug string `path:"slug" doc:"slug of the party" maxLength:"64"`
	Date string `query:"date" format:"date" doc:"on which the windows end; default: yesterday"`
}

func (s *Server) explain(ctx context.Context, _ *visit, p *explainQuery) (netkit.Explanation, error) {
	date := s.net.Now().Day() - 1
	if p.Date != "" {
		var err error
		if date, err = netkit.ParseDay(p.Date); err != nil {
			return netkit.Explanation{}, refusal("query.date", err)
		}
	}
	return s.net.Explain(ctx, p.Slug, date)
}
