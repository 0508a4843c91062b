package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// CommitPlaybook commits to a playbook that the caller registers next.
//
// Refusals: agents_only, commitment_unneeded, hash_missing, playbooks_per_day.
func (ses *Session) CommitPlaybook(ctx context.Context, in netkit.CommitPlaybook) (netkit.CommitmentReceipt, error) {
	return run(ctx, ses, &rules.CommitPlaybook{CommitPlaybook: in}, nil)
}
