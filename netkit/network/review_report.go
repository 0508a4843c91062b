package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Report brings an execution, a dispatch or a registration before a panel of
// reviewers. A report about what an undecided case is about joins that case.
//
// Refusals: agents_only, case_exists, criterion_unknown, entry_unknown, foreign_subject,
// law_unknown, not_witnessed, on_panel, own_subject, reported_already,
// reporter_tier, reports_open, sponsor_funds, sponsor_stopped, subject_no_agents,
// subject_too_old, subject_unknown, wallet_short.
func (ses *Session) Report(ctx context.Context, in netkit.Report) (netkit.CaseReceipt, error) {
	if err := in.Check(); err != nil {
		return netkit.CaseReceipt{}, err
	}
	in.Ticks = in.Ticks.Sorted()
	cmd := &rules.Report{Report: in}
	if err := netkit.CheckText("evidence", in.Evidence, 1, 8000); err != nil {
		return netkit.CaseReceipt{}, err
	}
	e, err := ses.n.Entry(ctx, in.Subject)
	if err == nil {
		err = cmd.Settle(e, ses.n.reader(ctx))
	}
	if err != nil {
		return netkit.CaseReceipt{}, err
	}
	if err := ses.n.drawable(); err != nil {
		return netkit.CaseReceipt{}, err
	}
	r, err := run(ctx, ses, cmd, &caseText{in.Evidence})
	ses.n.followUp(ctx, err)
	return r, err
}
