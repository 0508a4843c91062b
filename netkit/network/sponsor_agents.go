package network

import (
	"cmp"
	"context"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// AgentTable counts the executions of a page by agent and period. A period that
// several pages share is in each with its part.
//
// Refusals: sponsor_pending, sponsor_unknown.
func (ses *Session) AgentTable(ctx context.Context, q netkit.AgentTableQuery) (out netkit.List[netkit.AgentPeriod], err error) {
	if q.By != "" && q.By != netkit.ByDay && q.By != netkit.ByWeek {
		return out, netkit.Invalid("by", code.Invalid, "is neither day nor week", "")
	}
	if q.Sponsor = cmp.Or(q.Sponsor, ses.by.Slug); q.Sponsor == "" {
		return out, netkit.Invalid("sponsor", code.Invalid, "is required of a caller that is no sponsor", "{listSponsors} lists them")
	}
	page, err := ses.Deliveries(ctx, netkit.ExecutionQuery{Sponsor: q.Sponsor, Page: q.Page})
	if err != nil {
		return out, err
	}
	found := slices.DeleteFunc(page.Items, func(x netkit.ExecutionView) bool { return x.At.Day() < q.Since })
	out = netkit.List[netkit.AgentPeriod]{Items: netkit.PeriodsOf(q.By, found), AsOf: page.AsOf}
	if len(found) == len(page.Items) { // no execution of the page is older
		out.NextCursor = page.NextCursor
	}
	return out, nil
}
