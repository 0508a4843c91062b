package netclient

import (
	"context"
	"iter"

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

// CloseContract ends a contract; what is left returns to its sponsor.
func (c *Client) CloseContract(ctx context.Context, in netkit.CloseContract) (netkit.ContractReceipt, error) {
	return post[netkit.ContractReceipt](ctx, c, to(catalog.CloseContract, number(in.CampaignID)), in)
}

// Execute executes a matched contract at the caller's tier rate. The contract
// pays, never the wallet.
func (c *Client) Execute(ctx context.Context, in netkit.Execute) (netkit.Execution, error) {
	return post[netkit.Execution](ctx, c, to(catalog.ExecuteContract), in)
}

// Sponsors lists who funds contracts.
func (c *Client) Sponsors(ctx context.Context, page netkit.Page) (netkit.List[netkit.SponsorView], error) {
	return get[netkit.List[netkit.SponsorView]](ctx, c, to(catalog.ListSponsors), paged(nil, page))
}

// AllSponsors walks the sponsors.
func (c *Client) AllSponsors(ctx context.Context, page netkit.Page) iter.Seq2[netkit.SponsorView, error] {
	return all(ctx, page, c.Sponsors)
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

// Deposit books outside money for a sponsor; operators only.
func (c *Client) Deposit(ctx context.Context, in netkit.Deposit) (netkit.Deposited, error) {
	return post[netkit.Deposited](ctx, c, to(catalog.BookDeposit, in.Sponsor), in)
}
