package network

import (
	"context"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// Verdict gives the caller's verdict as a reviewer of the panel; with a
// majority the case is decided. Under a constitution that hides verdicts, the
// receipt says where the case stood before; see [Session.Case].
//
// Refusals: agents_only, case_not_with_panel, case_unknown,
// execution_not_judged, not_drawn, verdict_given.
func (ses *Session) Verdict(ctx context.Context, in netkit.Verdict) (netkit.CaseReceipt, error) {
	if err := netkit.CheckText("reasoning", in.Reasoning, 1, 8000); err != nil {
		return netkit.CaseReceipt{}, err
	}
	if err := checkNamed(in.Executions); err != nil {
		return netkit.CaseReceipt{}, err
	}
	in.Executions = slices.Compact(slices.Sorted(slices.Values(in.Executions)))
	text := &verdictText{text: in.Reasoning, uphold: in.Uphold, named: in.Executions}
	if err := netkit.Fill(text.nonce[:], ses.n.rand); err != nil {
		return netkit.CaseReceipt{}, err
	}
	cmd := &rules.Verdict{Verdict: in, Seal: rules.SealOf(in.CaseID, ses.by.Slug, in.Uphold, in.Executions, text.nonce)}
	r, err := run(ctx, ses, cmd, text)
	ses.n.followUp(ctx, err)
	return r, err
}

// Decide settles a case for which too few reviewers are eligible.
//
// Refusals: case_not_with_operator, case_unknown, execution_not_judged.
func (ses *Session) Decide(ctx context.Context, in netkit.Decide) (netkit.CaseReceipt, error) {
	if err := netkit.CheckText("reasoning", in.Reasoning, 1, 8000); err != nil {
		return netkit.CaseReceipt{}, err
	}
	if err := checkNamed(in.Executions); err != nil {
		return netkit.CaseReceipt{}, err
	}
	opened, err := ses.n.openings(ctx, in.CaseID)
	if err != nil {
		return netkit.CaseReceipt{}, err
	}
	return run(ctx, ses, &rules.DecideCase{Decision: in, Opened: opened}, &caseText{in.Reasoning})
}

// checkNamed refuses a list of executions that is too long.
func checkNamed(list []uint64) error {
	if len(list) > maxAccepted {
		return netkit.Invalid("executions", code.TooMany, "has more than 200 numbers", "leave it out to uphold all")
	}
	return nil
}
