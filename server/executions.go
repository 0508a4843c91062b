package server

import (
	"context"
	"errors"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// executionRoutes are what contracts find and what executions deliver.
func (s *Server) executionRoutes() []route {
	return []route{
		get(catalog.PreviewContract, s.preview),
		get(catalog.ListExecutions, s.executions),
		one(catalog.GetExecution, (*session).Delivery),
		commandAt[byID](catalog.AcceptExecution, "execution_id", func(as *session, ctx context.Context, in acceptExecution) (netkit.AcceptedReceipt, error) {
			return as.Accept(ctx, netkit.AcceptExecutions{ExecutionIDs: []uint64{in.ExecutionID}, Ticks: in.Ticks})
		}),
		commandAt[byID](catalog.ReturnExecution, "execution_id", (*session).ReturnExecution),
		get(catalog.ListSponsorAgents, s.agentTable),
		get(catalog.PreviewSettlement, s.previewSettlement),
		bulk(catalog.SettleExecutions, decodeBulkSettle, appendJSON[netkit.Settlement], (*session).SettleBulk),
		commandAt[byID](catalog.AcceptExecutions, "campaign_id", (*session).Accept),
	}
}

type acceptExecution struct {
	ExecutionID uint64 `json:"execution_id"`
	netkit.Ticks
}

type previewQuery struct {
	Budget             string                `query:"budget" maxLength:"24" form:"^([1-9][0-9]{0,9}([.][0-9]{1,2})?|0[.](0[1-9]|[1-9][0-9]?))$" doc:"credits, such as 250 or 250.00; default: 100"`
	BudgetADay         string                `query:"budget_a_day" maxLength:"24" form:"^([1-9][0-9]{0,9}([.][0-9]{1,2})?|0[.](0[1-9]|[1-9][0-9]?))$" doc:"credits; default: no limit"`
	BudgetAnHour       string                `query:"budget_an_hour" maxLength:"24" form:"^([1-9][0-9]{0,9}([.][0-9]{1,2})?|0[.](0[1-9]|[1-9][0-9]?))$" doc:"credits; default: no limit"`
	Niches             choices[netkit.Niche] `query:"niches" doc:"a list such as SILICON,LEGAL; default: all"`
	LLMProviders       string                `query:"llm_providers" maxLength:"1000" form:"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}(,[A-Za-z0-9][A-Za-z0-9._-]{0,39}){0,19}$" doc:"a list of names; default: all"`
	MinTier            choice[netkit.Tier]   `query:"min_tier"`
	MaxTier            choice[netkit.Tier]   `query:"max_tier"`
	Admit              string                `query:"admit" maxLength:"8200" form:"^[a-z0-9-]+(,[a-z0-9-]+){0,199}$" doc:"a list of agents, the only ones admitted; default: all"`
	ShutOut            string                `query:"shut_out" maxLength:"8200" form:"^[a-z0-9-]+(,[a-z0-9-]+){0,199}$" doc:"a list of agents that are shut out"`
	ExecutionsPerAgent uint32                `query:"executions_per_agent" minimum:"1" maximum:"1000000" doc:"default: 1"`
}

func (s *Server) preview(ctx context.Context, v *request, p *previewQuery) (out netkit.ContractPreview, err error) {
	in := netkit.PreviewContract{Budget: 100 * netkit.Credit, ExecutionsPerAgent: p.ExecutionsPerAgent}
	if err := choose("budget", choice[netkit.Credits](p.Budget), &in.Budget); err != nil {
		return out, err
	}
	if err := choose("budget_a_day", choice[netkit.Credits](p.BudgetADay), &in.BudgetADay); err != nil {
		return out, err
	}
	if err := choose("budget_an_hour", choice[netkit.Credits](p.BudgetAnHour), &in.BudgetAnHour); err != nil {
		return out, err
	}
	if in.Matching.Niches, err = chooseAll("niches", p.Niches); err != nil {
		return out, err
	}
	in.Matching.LLMProviders = splitList(p.LLMProviders)
	in.Matching.Admit, in.Matching.ShutOut = splitList(p.Admit), splitList(p.ShutOut)
	if err := choose("min_tier", p.MinTier, &in.Matching.MinTier); err != nil {
		return out, err
	}
	if in.Matching.MaxTier, err = chosen("max_tier", p.MaxTier); err != nil {
		return out, err
	}
	out, err = v.as().PreviewContract(ctx, in)
	return out, inQuery(err)
}

// splitList returns the items of a list with commas; none of an empty one.
func splitList(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// inQuery names the query parameter where a refusal names a field of the body that
// the same contract would be opened with.
func inQuery(err error) error {
	r, ok := errors.AsType[*netkit.Refusal](err)
	if !ok || r.Field == "" {
		return err
	}
	named := *r
	named.Field = "query." + strings.TrimPrefix(r.Field, "matching.")
	return &named
}

type executionQuery struct {
	Page
	CampaignID uint64                        `query:"campaign_id" doc:"only executions of this contract"`
	Agent      string                        `query:"agent" maxLength:"64" doc:"only executions by this agent"`
	Sponsor    string                        `query:"sponsor" maxLength:"64" doc:"only executions for this sponsor"`
	State      choice[netkit.ExecutionState] `query:"state" doc:"default: all"`
}

func (s *Server) executions(ctx context.Context, v *request, p *executionQuery) (list netkit.List[netkit.ExecutionView], err error) {
	q := netkit.ExecutionQuery{CampaignID: p.CampaignID, Agent: p.Agent, Sponsor: p.Sponsor, Page: p.Page.page()}
	if q.State, err = chosen("state", p.State); err != nil {
		return list, err
	}
	return v.as().Deliveries(ctx, q)
}
