package network

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// ResolveCrisis ends the crisis of a P0 dispatch.
//
// Refusals: crisis_resolved, dispatch_not_p0, dispatch_unknown.
func (ses *Session) ResolveCrisis(ctx context.Context, in netkit.ResolveCrisis) (netkit.CrisisReceipt, error) {
	if err := netkit.CheckText("reason", in.Reason, 1, 400); err != nil {
		return netkit.CrisisReceipt{}, err
	}
	c := &rules.ResolveCrisis{ResolveCrisis: in}
	r, err := run(ctx, ses, c, c)
	if errors.Is(err, netkit.ErrNotFound) {
		if d, unknown := ses.n.dispatchRow(ctx, in.DispatchID); unknown == nil {
			err = d.Runs()
		}
	}
	return r, err
}
