package netclient

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// AgentTable counts the executions of a page by agent and period. A period that
// several pages share is in each with its part.
func (c *Client) AgentTable(ctx context.Context, in netkit.AgentTableQuery) (netkit.List[netkit.AgentPeriod], error) {
	q := paged(nil, in.Page)
	set(q, "sponsor", in.Sponsor)
	set(q, "by", in.By)
	if in.Since != 0 {
		q.Set("since", in.Since.String())
	}
	return get[netkit.List[netkit.AgentPeriod]](ctx, c, to(catalog.ListSponsorAgents), q)
}

// WholeAgentTable returns the table of all pages together.
func (c *Client) WholeAgentTable(ctx context.Context, in netkit.AgentTableQuery) (rows []netkit.AgentPeriod, err error) {
	in.Limit = netkit.MaxPage
	for part, err := range all(ctx, in.Page, func(ctx context.Context, page netkit.Page) (netkit.List[netkit.AgentPeriod], error) {
		in.Page = page
		return c.AgentTable(ctx, in)
	}) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, part)
	}
	return netkit.MergePeriods(rows), nil
}
