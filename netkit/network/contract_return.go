package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// ReturnExecution returns an execution that has not cleared, without a report: both
// shares go back, and it counts neither for nor against its agent.
//
// Refusals: criteria_missing, criterion_unknown, entry_unknown, execution_cleared, execution_held, execution_returned,
// execution_unknown, foreign_contract, returns_used.
func (ses *Session) ReturnExecution(ctx context.Context, in netkit.ReturnExecution) (netkit.ReturnReceipt, error) {
	if err := in.Check(); err != nil {
		return netkit.ReturnReceipt{}, err
	}
	e, err := ses.n.Entry(ctx, in.ExecutionID)
	if err != nil {
		return netkit.ReturnReceipt{}, err
	}
	c, err := ses.returning(ctx, e, in.Ticks)
	if err != nil {
		return netkit.ReturnReceipt{}, err
	}
	return run(ctx, ses, c, nil)
}

// returning returns the command that returns the execution of an entry, with the
// network's hint that its signal is resold where the contract is exclusive.
func (ses *Session) returning(ctx context.Context, e *rules.Entry, ticks netkit.Ticks) (*rules.ReturnExecution, error) {
	c, err := rules.NewReturn(e, ticks.Sorted(), ses.n.reader(ctx))
	if err == nil && c.Exclusive() {
		c.Resold, err = ses.n.resold(ctx, e)
	}
	return c, err
}
