package netclient

import (
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// Report brings an execution, dispatch or registration before a panel.
func (c *Client) Report(ctx context.Context, in netkit.Report) (netkit.CaseReceipt, error) {
	return post[netkit.CaseReceipt](ctx, c, to(catalog.ReportSubject), in)
}

// Cases lists cases of review.
func (c *Client) Cases(ctx context.Context, in netkit.CaseQuery) (netkit.List[netkit.CaseView], error) {
	q := paged(nil, in.Page)
	if in.Mine {
		q.Set("mine", "true")
	}
	setName(q, "state", in.State)
	return get[netkit.List[netkit.CaseView]](ctx, c, to(catalog.ListCases), q)
}

// AllCases walks the cases.
func (c *Client) AllCases(ctx context.Context, in netkit.CaseQuery) iter.Seq2[netkit.CaseView, error] {
	return all(ctx, in.Page, func(ctx context.Context, page netkit.Page) (netkit.List[netkit.CaseView], error) {
		in.Page = page
		return c.Cases(ctx, in)
	})
}

// Case returns one case.
func (c *Client) Case(ctx context.Context, id uint64) (netkit.CaseView, error) {
	return get[netkit.CaseView](ctx, c, to(catalog.GetCase, number(id)), nil)
}

// Verdict is the voice of a drawn reviewer.
func (c *Client) Verdict(ctx context.Context, in netkit.Verdict) (netkit.CaseReceipt, error) {
	return post[netkit.CaseReceipt](ctx, c, to(catalog.GiveVerdict, number(in.CaseID)), in)
}

// Decide settles a case for which too few reviewers are eligible; operators
// only.
func (c *Client) Decide(ctx context.Context, in netkit.Decide) (netkit.CaseReceipt, error) {
	return post[netkit.CaseReceipt](ctx, c, to(catalog.DecideCase, number(in.CaseID)), in)
}

// Appeal asks for a second panel, once.
func (c *Client) Appeal(ctx context.Context, in netkit.Appeal) (netkit.CaseReceipt, error) {
	return post[netkit.CaseReceipt](ctx, c, to(catalog.AppealCase, number(in.CaseID)), in)
}

// Flags lists the agents that detectors found, latest first.
func (c *Client) Flags(ctx context.Context, page netkit.Page) (netkit.List[netkit.AgentFlag], error) {
	return get[netkit.List[netkit.AgentFlag]](ctx, c, to(catalog.ListFlags), paged(nil, page))
}

// Rogues lists the registry of rogue agents.
func (c *Client) Rogues(ctx context.Context, page netkit.Page) (netkit.List[netkit.RogueEntry], error) {
	return get[netkit.List[netkit.RogueEntry]](ctx, c, to(catalog.ListRogues), paged(nil, page))
}

// AllRogues walks the registry.
func (c *Client) AllRogues(ctx context.Context, page netkit.Page) iter.Seq2[netkit.RogueEntry, error] {
	return all(ctx, page, c.Rogues)
}
