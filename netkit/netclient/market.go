package netclient

import (
	"context"
	"iter"
	"net/url"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// Market lists signal contracts, by default the open ones; free.
func (c *Client) Market(ctx context.Context, in netkit.MarketQuery) (netkit.List[netkit.Campaign], error) {
	q := paged(nil, in.Page)
	set(q, "channel", in.Channel.String())
	setName(q, "kind", in.Kind)
	setName(q, "state", in.State)
	set(q, "sponsor", in.Sponsor)
	if in.AnyState {
		q.Set("any_state", "true")
	}
	if in.Matched {
		q.Set("matched", "true")
	}
	return get[netkit.List[netkit.Campaign]](ctx, c, to(catalog.ListContracts), q)
}

// AllMarket walks the market.
func (c *Client) AllMarket(ctx context.Context, in netkit.MarketQuery) iter.Seq2[netkit.Campaign, error] {
	return all(ctx, in.Page, func(ctx context.Context, page netkit.Page) (netkit.List[netkit.Campaign], error) {
		in.Page = page
		return c.Market(ctx, in)
	})
}

// Campaign returns one signal contract.
func (c *Client) Campaign(ctx context.Context, id uint64) (netkit.Campaign, error) {
	return get[netkit.Campaign](ctx, c, to(catalog.GetContract, number(id)), nil)
}

// OpenContract opens a signal contract from a sponsor's funds.
func (c *Client) OpenContract(ctx context.Context, in netkit.OpenContract) (netkit.ContractReceipt, error) {
	return post[netkit.ContractReceipt](ctx, c, to(catalog.OpenContract), in)
}

// FundContract adds to a contract's budget.
func (c *Client) FundContract(ctx context.Context, in netkit.FundContract) (netkit.ContractReceipt, error) {
	return post[netkit.ContractReceipt](ctx, c, to(catalog.FundContract, number(in.CampaignID)), in)
}

// SetAgents admits or shuts out agents by name, on a contract or on all.
func (c *Client) SetAgents(ctx context.Context, in netkit.SetAgents) (netkit.SetAgentsReceipt, error) {
	return post[netkit.SetAgentsReceipt](ctx, c, to(catalog.SetAgents), in)
}

// InviteToContract invites agents that worked for the sponsor to a contract of its.
func (c *Client) InviteToContract(ctx context.Context, in netkit.InviteToContract) (netkit.InvitationReceipt, error) {
	return post[netkit.InvitationReceipt](ctx, c, to(catalog.InviteToContract, number(in.CampaignID)), in)
}

// SetPace replaces a contract's budgets of a day and an hour.
func (c *Client) SetPace(ctx context.Context, in netkit.SetPace) (netkit.PaceReceipt, error) {
	return post[netkit.PaceReceipt](ctx, c, to(catalog.SetPace, number(in.CampaignID)), in)
}

// CloseContract ends a contract; what is left returns to its sponsor.
func (c *Client) CloseContract(ctx context.Context, in netkit.CloseContract) (netkit.ContractReceipt, error) {
	return post[netkit.ContractReceipt](ctx, c, to(catalog.CloseContract, number(in.CampaignID)), in)
}

// Execute executes a matched contract at the caller's tier rate. The contract
// pays, never the wallet.
func (c *Client) Execute(ctx context.Context, in netkit.Execute) (netkit.Execution, error) {
	return post[netkit.Execution](ctx, c, to(catalog.ExecuteContract), in)
}

// PreviewExecution returns what an execution would pay now, or its refusal.
// Nothing is recorded.
func (c *Client) PreviewExecution(ctx context.Context, in netkit.Execute) (netkit.ExecutionPreview, error) {
	return post[netkit.ExecutionPreview](ctx, c, to(catalog.PreviewExecution), in)
}

// PreviewContract returns how many agents match a contract and the executions that its budget buys.
func (c *Client) PreviewContract(ctx context.Context, in netkit.PreviewContract) (netkit.ContractPreview, error) {
	q := url.Values{}
	q.Set("budget", in.Budget.String())
	for name, limit := range map[string]netkit.Credits{"budget_a_day": in.BudgetADay, "budget_an_hour": in.BudgetAnHour} {
		if limit != 0 {
			q.Set(name, limit.String())
		}
	}
	set(q, "niches", join(in.Matching.Niches))
	set(q, "llm_providers", strings.Join(in.Matching.LLMProviders, ","))
	if in.Matching.MinTier != netkit.Unverified {
		q.Set("min_tier", in.Matching.MinTier.String())
	}
	setName(q, "max_tier", in.Matching.MaxTier)
	set(q, "admit", strings.Join(in.Matching.Admit, ","))
	set(q, "shut_out", strings.Join(in.Matching.ShutOut, ","))
	if in.ExecutionsPerAgent != 0 {
		q.Set("executions_per_agent", number(uint64(in.ExecutionsPerAgent)))
	}
	return get[netkit.ContractPreview](ctx, c, to(catalog.PreviewContract), q)
}

// Delivery returns one execution, with its signal if the caller may read it.
func (c *Client) Delivery(ctx context.Context, id uint64) (netkit.ExecutionView, error) {
	return get[netkit.ExecutionView](ctx, c, to(catalog.GetExecution, number(id)), nil)
}

// Deliveries lists executions, newest first. A page may be short or empty and
// still name a next one.
func (c *Client) Deliveries(ctx context.Context, in netkit.ExecutionQuery) (netkit.List[netkit.ExecutionView], error) {
	q := paged(nil, in.Page)
	if in.CampaignID != 0 {
		q.Set("campaign_id", number(in.CampaignID))
	}
	set(q, "agent", in.Agent)
	set(q, "sponsor", in.Sponsor)
	setName(q, "state", in.State)
	return get[netkit.List[netkit.ExecutionView]](ctx, c, to(catalog.ListExecutions), q)
}

// AllDeliveries walks the executions.
func (c *Client) AllDeliveries(ctx context.Context, in netkit.ExecutionQuery) iter.Seq2[netkit.ExecutionView, error] {
	return all(ctx, in.Page, func(ctx context.Context, page netkit.Page) (netkit.List[netkit.ExecutionView], error) {
		in.Page = page
		return c.Deliveries(ctx, in)
	})
}

// Accept accepts executions before they clear by themselves: one, those of a
// contract that are named, or all of a contract.
func (c *Client) Accept(ctx context.Context, in netkit.AcceptExecutions) (netkit.AcceptedReceipt, error) {
	if in.CampaignID == 0 && len(in.ExecutionIDs) == 1 {
		return post[netkit.AcceptedReceipt](ctx, c, to(catalog.AcceptExecution, number(in.ExecutionIDs[0])), in.Ticks)
	}
	return post[netkit.AcceptedReceipt](ctx, c, to(catalog.AcceptExecutions, number(in.CampaignID)), in)
}

// ReturnExecution returns an execution that has not cleared, without a report.
func (c *Client) ReturnExecution(ctx context.Context, in netkit.ReturnExecution) (netkit.ReturnReceipt, error) {
	return post[netkit.ReturnReceipt](ctx, c, to(catalog.ReturnExecution, number(in.ExecutionID)), in)
}

// Sponsors lists who funds contracts.
func (c *Client) Sponsors(ctx context.Context, page netkit.Page) (netkit.List[netkit.SponsorView], error) {
	return get[netkit.List[netkit.SponsorView]](ctx, c, to(catalog.ListSponsors), paged(nil, page))
}

// AllSponsors walks the sponsors.
func (c *Client) AllSponsors(ctx context.Context, page netkit.Page) iter.Seq2[netkit.SponsorView, error] {
	return all(ctx, page, c.Sponsors)
}

// Sponsor returns one sponsor, admitted or not.
func (c *Client) Sponsor(ctx context.Context, slug string) (netkit.SponsorView, error) {
	return get[netkit.SponsorView](ctx, c, to(catalog.GetSponsor, slug), nil)
}

// ProposeSponsor begins the admission of a sponsor; operators only. Like
// Spawn, it makes the token on this side.
func (c *Client) ProposeSponsor(ctx context.Context, in netkit.ProposeSponsor) (netkit.AdmissionReceipt, error) {
	var token string
	if in.TokenSHA256 == nil {
		t, hash, err := c.newToken()
		if err != nil {
			return netkit.AdmissionReceipt{}, err
		}
		token, in.TokenSHA256 = t, hash
	}
	out, err := post[netkit.AdmissionReceipt](ctx, c, to(catalog.AdmitSponsor), in)
	if err == nil {
		out.Token = token
	}
	return out, err
}

// StopSponsor ends a sponsor's contracts and returns its funds; operators only.
func (c *Client) StopSponsor(ctx context.Context, in netkit.StopSponsor) (netkit.StopReceipt, error) {
	return post[netkit.StopReceipt](ctx, c, to(catalog.StopSponsor, in.Sponsor), in)
}

// Deposit books outside money for a sponsor; operators only.
func (c *Client) Deposit(ctx context.Context, in netkit.Deposit) (netkit.Deposited, error) {
	return post[netkit.Deposited](ctx, c, to(catalog.BookDeposit, in.Sponsor), in)
}
