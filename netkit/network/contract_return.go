package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// ReturnExecution returns an execution that has not cleared, without a report: both
// shares go back, and it counts neither for nor against its agent.
//
// Refusals: entry_unknown, execution_cleared, execution_held, execution_returned,
// execution_unknown, foreign_contract, returns_used.
func (ses *Session) ReturnExecution(ctx context.Context, in netkit.ReturnExecution) (netkit.ReturnReceipt, error) {
	e, err := ses.n.Entry(ctx, in.ExecutionID)
	if err != nil {
		return netkit.ReturnReceipt{}, err
	}
	c, err := rules.NewReturn(e)
	if err != nil {
		return netkit.ReturnReceipt{}, err
	}
	if c.Exclusive() {
		if c.Resold, err = ses.n.resold(ctx, e); err != nil {
			return netkit.ReturnReceipt{}, err
		}
	}
	return run(ctx, ses, c, nil)
}
