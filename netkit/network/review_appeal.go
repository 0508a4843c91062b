package network

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Appeal asks for the second and last judgement of a case.
//
// Refusals: appealed_already, case_final, case_followed, case_undecided,
// case_unknown, not_the_loser, not_witnessed, revocation_of_case.
func (ses *Session) Appeal(ctx context.Context, in netkit.Appeal) (netkit.CaseReceipt, error) {
	if err := netkit.CheckText("grounds", in.Grounds, 1, 8000); err != nil {
		return netkit.CaseReceipt{}, err
	}
	if err := ses.n.drawable(); err != nil {
		return netkit.CaseReceipt{}, err
	}
	r, err := run(ctx, ses, &rules.Appeal{Appeal: in}, &caseText{in.Grounds})
	if errors.Is(err, netkit.ErrNotFound) {
		if _, unknown := archived(ctx, ses.n, rules.CaseShelf, in.CaseID, err); unknown == nil {
			err = rules.CaseIsFinal()
		}
	}
	ses.n.followUp(ctx, err)
	return r, err
}
