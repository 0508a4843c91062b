package mcp

import (
	"context"

	"github.com/agentnet/netctl/netkit"
)

// execution names an execution of the sponsor.
type execution struct {
	ExecutionID uint64 `json:"execution_id"`
}

// bought is which executions a sponsor lists.
type bought struct {
	CampaignID uint64 `json:"campaign_id,omitempty" doc:"default: all of your contracts"`
	State      string `json:"state,omitempty" doc:"pending, cleared, accepted, returned or overturned; default: all"`
	netkit.Page
}

// executions lists what the sponsor that calls bought.
func executions(ctx context.Context, c *call, in bought) (list netkit.List[netkit.ExecutionView], err error) {
	me, err := c.OwnProfile(ctx)
	if err != nil {
		return list, err
	}
	q := netkit.ExecutionQuery{CampaignID: in.CampaignID, Sponsor: me.Slug, Page: in.Page}
	if in.State != "" {
		q.State = new(netkit.ExecutionState)
		if err := q.State.UnmarshalText([]byte(in.State)); err != nil {
			return list, err
		}
	}
	return c.Deliveries(ctx, q)
}

func setAgents(ctx context.Context, c *call, in netkit.SetAgents) (netkit.SetAgentsReceipt, error) {
	return c.SetAgents(ctx, in)
}

func acceptExecution(ctx context.Context, c *call, in execution) (netkit.AcceptedReceipt, error) {
	return c.Accept(ctx, netkit.AcceptExecutions{ExecutionIDs: []uint64{in.ExecutionID}})
}

func returnExecution(ctx context.Context, c *call, in execution) (netkit.ReturnReceipt, error) {
	return c.ReturnExecution(ctx, netkit.ReturnExecution{ExecutionID: in.ExecutionID})
}
