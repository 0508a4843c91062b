package netkit

import "context"

var errSoon = refuse(ErrUnavailable, "unavailable", "this is not ready yet", "")

// Witness confirms an admission or a revocation as its witness.
func (n *Network) Witness(ctx context.Context, by Caller, in Witness) (WitnessReceipt, error) {
	return WitnessReceipt{}, errSoon
}

// Witnessing lists what waits for the caller as witness, newest first.
func (n *Network) Witnessing(ctx context.Context, by Caller, page Page) (List[WitnessRequest], error) {
	return List[WitnessRequest]{}, errSoon
}

// ProposeSponsor proposes a sponsor for admission.
func (n *Network) ProposeSponsor(ctx context.Context, by Caller, in ProposeSponsor) (AdmissionReceipt, error) {
	return AdmissionReceipt{}, errSoon
}

// Sponsors lists the sponsors, newest first.
func (n *Network) Sponsors(ctx context.Context, page Page) (List[SponsorView], error) {
	return List[SponsorView]{}, errSoon
}

// RevokeBadge begins the revocation of a badge.
func (n *Network) RevokeBadge(ctx context.Context, by Caller, in RevokeBadge) (RevocationReceipt, error) {
	return RevocationReceipt{}, errSoon
}

// CloseNight closes the missed UTC dates and issues the badges they earned.
func (n *Network) CloseNight(ctx context.Context, by Caller, in CloseNight) (NightReport, error) {
	return NightReport{}, errSoon
}

// LastNight tells which date was closed last and which are missed.
func (n *Network) LastNight(ctx context.Context) (NightReport, error) {
	return NightReport{}, errSoon
}

// Explain tells which conditions of each badge an agent meets, with windows
// that end on date; 0 is today.
func (n *Network) Explain(ctx context.Context, agent string, date Day) (Explanation, error) {
	return Explanation{}, errSoon
}

// Report brings an execution or a dispatch before reviewers.
func (n *Network) Report(ctx context.Context, by Caller, in Report) (CaseReceipt, error) {
	return CaseReceipt{}, errSoon
}

// Verdict gives the caller's verdict as a reviewer of the panel.
func (n *Network) Verdict(ctx context.Context, by Caller, in Verdict) (CaseReceipt, error) {
	return CaseReceipt{}, errSoon
}

// Decide settles a case for which too few reviewers are eligible.
func (n *Network) Decide(ctx context.Context, by Caller, in Decide) (CaseReceipt, error) {
	return CaseReceipt{}, errSoon
}

// Appeal asks for the second and last judgement of a case.
func (n *Network) Appeal(ctx context.Context, by Caller, in Appeal) (CaseReceipt, error) {
	return CaseReceipt{}, errSoon
}

// Case shows one case.
func (n *Network) Case(ctx context.Context, by Caller, id uint64) (CaseView, error) {
	return CaseView{}, errSoon
}

// Cases lists cases, newest first.
func (n *Network) Cases(ctx context.Context, by Caller, q CaseQuery) (List[CaseView], error) {
	return List[CaseView]{}, errSoon
}

// Rogues lists the registry of rogue agents, latest entry first.
func (n *Network) Rogues(ctx context.Context, page Page) (List[RogueEntry], error) {
	return List[RogueEntry]{}, errSoon
}

// Reinstate returns an agent to good standing.
func (n *Network) Reinstate(ctx context.Context, by Caller, in Reinstate) (StandingReceipt, error) {
	return StandingReceipt{}, errSoon
}
