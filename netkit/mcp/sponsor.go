package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// execution names an execution of the sponsor, and the criteria that it ticks off.
type execution struct {
	ExecutionID uint64 `json:"execution_id"`
	netkit.Ticks
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

func previewSettlement(ctx context.Context, c *call, in netkit.SettlementQuery) (netkit.SettlementPreview, error) {
	out, err := c.PreviewSettlement(ctx, in)
	for i := range out.Items {
		if problem := out.Items[i].Problem; problem != nil {
			*problem = c.shortProblem(problem.Err())
		}
	}
	return out, err
}

// settled is how an act on an execution ended.
type settled struct {
	ExecutionID uint64             `json:"execution_id"`
	Receipt     *netkit.Settlement `json:"receipt,omitempty"`
	Problem     *netkit.Problem    `json:"problem,omitempty" doc:"of an execution that was refused"`
}

// settleExecutions settles executions with keys that their acts make, so that a model
// which lost the answer can call again.
func settleExecutions(ctx context.Context, c *call, in struct {
	Action       string   `json:"action" enum:"accept,return,report" doc:"accept, return or report"`
	ExecutionIDs []uint64 `json:"execution_ids" maxItems:"200" doc:"at most 200, of preview_settlement"`
	Law          string   `json:"law,omitempty" enum:"L1,L2" doc:"of a report"`
	Evidence     string   `json:"evidence,omitempty" doc:"of a report; at most 8,000 characters"`
	netkit.Ticks
}) (out struct {
	Items []settled `json:"items"`
}, err error) {
	if len(in.ExecutionIDs) > netkit.MaxPage {
		return out, refuse(*netkit.Invalid("execution_ids", code.TooMany, "has more than 200 numbers", "settle them in parts"))
	}
	acts := make([]netkit.BulkSettle, len(in.ExecutionIDs))
	for i, id := range in.ExecutionIDs {
		act := netkit.Settle{ExecutionID: id, Action: in.Action, Law: in.Law, Evidence: in.Evidence, Ticks: in.Ticks}
		sum := sha256.Sum256(fmt.Appendf(nil, "%+v", act))
		acts[i] = netkit.BulkSettle{Key: "settle-" + hex.EncodeToString(sum[:16]), Settle: act}
	}
	for i, o := range c.SettleBulk(ctx, acts) {
		x := settled{ExecutionID: in.ExecutionIDs[i], Receipt: &o.Receipt}
		if o.Err != nil {
			x.Receipt, x.Problem = nil, new(c.shortProblem(o.Err))
		}
		out.Items = append(out.Items, x)
	}
	return out, nil
}

// shortProblem returns the problem of a refusal in the words of the tools.
func (s *service) shortProblem(err error) netkit.Problem {
	p := catalog.Render(netkit.ProblemOf(err), s.face)
	p.Advice = ""
	return p
}

func setAgents(ctx context.Context, c *call, in netkit.SetAgents) (netkit.SetAgentsReceipt, error) {
	return c.SetAgents(ctx, in)
}

func inviteToContract(ctx context.Context, c *call, in netkit.InviteToContract) (netkit.InvitationReceipt, error) {
	return c.InviteToContract(ctx, in)
}

func agentTable(ctx context.Context, c *call, in netkit.AgentTableQuery) (netkit.List[netkit.AgentPeriod], error) {
	return c.AgentTable(ctx, in)
}

func setPace(ctx context.Context, c *call, in netkit.SetPace) (netkit.PaceReceipt, error) {
	return c.SetPace(ctx, in)
}

func acceptExecution(ctx context.Context, c *call, in execution) (netkit.AcceptedReceipt, error) {
	return c.Accept(ctx, netkit.AcceptExecutions{ExecutionIDs: []uint64{in.ExecutionID}, Ticks: in.Ticks})
}

func returnExecution(ctx context.Context, c *call, in netkit.ReturnExecution) (netkit.ReturnReceipt, error) {
	return c.ReturnExecution(ctx, in)
}
