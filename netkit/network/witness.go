package network

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Witness confirms an admission or a revocation with the caller's own
// credentials; it takes effect then.
//
// Refusals: already_admitted, already_confirmed, already_revoked,
// badge_not_held, witness_is_holder, witness_is_party, witness_is_revoker,
// witness_no_agent, witness_not_active, witness_nothing, witness_other_asked,
// witness_too_young, witness_unconfirmed.
func (ses *Session) Witness(ctx context.Context, in netkit.Witness) (netkit.WitnessReceipt, error) {
	r, err := run(ctx, ses, &rules.Witness{Witness: in}, nil)
	if errors.Is(err, netkit.ErrNotFound) {
		if _, err = archived(ctx, ses.n, rules.AdmissionShelf, in.ID, err); err == nil {
			err = rules.AlreadyAdmitted()
		}
	}
	return r, err
}

// Witnessing lists what waits for the caller as witness, newest first.
func (ses *Session) Witnessing(ctx context.Context, page netkit.Page) (netkit.List[netkit.WitnessRequest], error) {
	size, before, err := page.Window()
	if err != nil {
		return netkit.List[netkit.WitnessRequest]{}, err
	}
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *rules.State) (netkit.List[netkit.WitnessRequest], error) {
		out := netkit.List[netkit.WitnessRequest]{AsOf: s.AsOf(now)}
		var err error
		out.Items, out.NextCursor, err = s.WitnessDuties(ses.by, before, size, now)
		return out, err
	})
}
