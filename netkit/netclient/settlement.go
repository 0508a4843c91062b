package netclient

import (
	"context"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// PreviewSettlement returns a page of the executions that an act of the calling
// sponsor would settle, with the credits that it moves.
func (c *Client) PreviewSettlement(ctx context.Context, in netkit.SettlementQuery) (netkit.SettlementPreview, error) {
	q := paged(nil, in.Page)
	set(q, "action", in.Action)
	set(q, "law", in.Law)
	if in.CampaignID != 0 {
		q.Set("campaign_id", number(in.CampaignID))
	}
	set(q, "agent", in.Agent)
	setName(q, "state", in.State)
	if in.Before != 0 {
		q.Set("before", in.Before.String())
	}
	for name, on := range map[string]bool{"near_duplicate": in.NearDuplicate, "resold": in.Resold} {
		if on {
			q.Set(name, strconv.FormatBool(on))
		}
	}
	if in.Taken != 0 {
		q.Set("taken", number(in.Taken))
	}
	return get[netkit.SettlementPreview](ctx, c, to(catalog.PreviewSettlement), q)
}

// WholeSettlement returns the preview of all pages together.
func (c *Client) WholeSettlement(ctx context.Context, in netkit.SettlementQuery) (netkit.SettlementPreview, error) {
	whole, err := c.PreviewSettlement(ctx, in)
	for last := whole; err == nil && last.NextCursor != ""; {
		in.Cursor, in.Taken = last.NextCursor, last.Taken
		if last, err = c.PreviewSettlement(ctx, in); err == nil {
			whole.Items, whole.ExecutionIDs = append(whole.Items, last.Items...), append(whole.ExecutionIDs, last.ExecutionIDs...)
			whole.Amount, whole.Taken, whole.NextCursor, whole.AsOf = whole.Amount+last.Amount, last.Taken, last.NextCursor, last.AsOf
		}
	}
	return whole, err
}

// SettleBulk is [Client.ExecuteBulk] for accepting, returning and reporting
// executions.
func (c *Client) SettleBulk(ctx context.Context, in []netkit.BulkSettle) []netkit.Outcome[netkit.Settlement] {
	return sendBulk[netkit.BulkSettle, netkit.Settlement](ctx, c, catalog.SettleExecutions, in, func(i *netkit.BulkSettle) *string { return &i.Key })
}
