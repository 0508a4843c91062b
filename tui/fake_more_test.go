package tui

import (
	"context"

	"github.com/agentnet/netctl/netkit"
)

func (f *fake) Notices(_ context.Context, p netkit.Page) (netkit.List[netkit.Notice], error) {
	return paged(f, f.notices, p), f.call("notices")
}

func (f *fake) Tokens(context.Context) ([]netkit.TokenInfo, error) {
	return []netkit.TokenInfo{{TokenID: 12, Scopes: []netkit.Scope{netkit.ScopeRead}}}, f.call("tokens")
}

func (f *fake) Sponsors(_ context.Context, p netkit.Page) (netkit.List[netkit.SponsorView], error) {
	return paged(f, f.sponsors, p), f.call("sponsors")
}

func (f *fake) Cases(_ context.Context, q netkit.CaseQuery) (netkit.List[netkit.CaseView], error) {
	return paged(f, f.cases, q.Page), f.call("cases")
}

func (f *fake) Flags(_ context.Context, p netkit.Page) (netkit.List[netkit.AgentFlag], error) {
	return paged(f, f.flags, p), f.call("flags")
}

func (f *fake) Case(_ context.Context, id uint64) (netkit.CaseView, error) {
	return netkit.CaseView{ID: id, Law: "L1", Evidence: "Copied."}, f.call("case")
}

func (f *fake) Witnessing(_ context.Context, p netkit.Page) (netkit.List[netkit.WitnessRequest], error) {
	return paged(f, f.duties, p), f.call("witnessing")
}

func (f *fake) Campaign(_ context.Context, id uint64) (netkit.Campaign, error) {
	for _, c := range f.market {
		if c.ID == id {
			return c, f.call("campaign")
		}
	}
	return netkit.Campaign{}, &netkit.Refusal{Kind: netkit.ErrNotFound, What: "there is no such contract"}
}

func (f *fake) IssueToken(_ context.Context, in netkit.IssueToken) (netkit.TokenReceipt, error) {
	return netkit.TokenReceipt{TokenID: 902, Scopes: in.Scopes, Token: "nk_secret"}, f.call("issue")
}

func (f *fake) Verdict(_ context.Context, in netkit.Verdict) (netkit.CaseReceipt, error) {
	f.verdicts = append(f.verdicts, in)
	return netkit.CaseReceipt{}, f.call("verdict")
}

func (f *fake) FundContract(_ context.Context, in netkit.FundContract) (netkit.ContractReceipt, error) {
	f.funded = append(f.funded, in)
	return netkit.ContractReceipt{}, f.call("fund")
}
