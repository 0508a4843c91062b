package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// RevokeBadge begins the revocation of a badge, which takes effect when an
// agent confirms it as witness.
//
// Refusals: agent_unknown, badge_not_held, case_not_final, case_unknown,
// reason_missing, revocation_pending, witness_is_holder, witness_is_revoker,
// witness_missing, witness_no_agent, witness_not_active, witness_too_young,
// witness_unconfirmed.
func (ses *Session) RevokeBadge(ctx context.Context, in netkit.RevokeBadge) (netkit.RevocationReceipt, error) {
	return run(ctx, ses, &rules.RevokeBadge{RevokeBadge: in}, nil)
}
