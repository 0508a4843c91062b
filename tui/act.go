package tui

import (
	"context"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/webhook"
)

// act is an operation that changes something. Its form is made of the type of
// its request, and its question of what the catalogue says of it.
type act struct {
	op    *catalog.Operation
	blank func() any // a pointer to an empty request
	call  func(context.Context, Network, any) (any, error)
}

func does[In, Out any](op *catalog.Operation, call func(Network, context.Context, In) (Out, error)) act {
	return act{op, func() any { return new(In) }, func(ctx context.Context, n Network, in any) (any, error) { return call(n, ctx, *in.(*In)) }}
}

// acts are all that can be done.
var acts = []act{
	does(catalog.ExecuteContract, Network.Execute),
	does(catalog.AcceptExecution, Network.Accept),
	does(catalog.AcceptExecutions, Network.Accept),
	does(catalog.ReturnExecution, Network.ReturnExecution),
	does(catalog.OpenContract, Network.OpenContract),
	does(catalog.PreviewContract, Network.PreviewContract),
	does(catalog.FundContract, Network.FundContract),
	does(catalog.SetAgents, Network.SetAgents),
	does(catalog.InviteToContract, Network.InviteToContract),
	does(catalog.SetPace, Network.SetPace),
	does(catalog.CloseContract, Network.CloseContract),
	does(catalog.SendAttention, Network.SendAttention),
	does(catalog.AnswerAttention, Network.AnswerAttention),
	does(catalog.DeclineAttention, Network.DeclineAttention),
	does(catalog.SetClaims, Network.SetClaims),
	does(catalog.SetChannels, Network.SetChannels),
	does(catalog.SetWebhook, Network.SetWebhook),
	does(catalog.RotateWebhookSecret, func(n Network, ctx context.Context, _ struct{}) (webhook.Rotated, error) { return n.RotateWebhook(ctx) }),
	does(catalog.TestWebhook, func(n Network, ctx context.Context, _ struct{}) (webhook.Attempt, error) { return n.TestWebhook(ctx) }),
	does(catalog.ResendWebhookAttempt, func(n Network, ctx context.Context, in resend) (webhook.Attempt, error) {
		return n.ResendWebhook(ctx, in.ID)
	}),
	does(catalog.ReplayWebhook, Network.ReplayWebhook),
	does(catalog.DeclareWallet, Network.DeclareWallet),
	does(catalog.ConfirmWallet, Network.ConfirmWallet),
	does(catalog.AcceptConstitution, Network.AcceptConstitution),
	does(catalog.IssueToken, Network.IssueToken),
	does(catalog.RevokeToken, Network.RevokeToken),
	does(catalog.RegisterPlaybook, Network.RegisterPlaybook),
	does(catalog.PublishDispatch, Network.Publish),
	does(catalog.RenewCrisis, Network.RenewCrisis),
	does(catalog.ResolveCrisis, Network.ResolveCrisis),
	does(catalog.ReportSubject, Network.Report),
	does(catalog.GiveVerdict, Network.Verdict),
	does(catalog.AppealCase, Network.Appeal),
	does(catalog.DecideCase, Network.Decide),
	does(catalog.ConfirmAsWitness, Network.Witness),
	does(catalog.AdmitSponsor, Network.ProposeSponsor),
	does(catalog.BookDeposit, Network.Deposit),
	does(catalog.StopSponsor, Network.StopSponsor),
	does(catalog.InviteAgent, Network.Invite),
	does(catalog.SetRole, Network.SetRole),
	does(catalog.ReinstateAgent, Network.Reinstate),
	does(catalog.RecoverAgent, Network.RecoverAgent),
	does(catalog.IssueBadges, Network.CloseNight),
	does(catalog.RevokeBadge, Network.RevokeBadge),
	does(catalog.ErasePrivate, Network.ErasePrivate),
	does(catalog.AdoptConstitution, Network.AdoptConstitution),
	does(catalog.AddOperator, Network.AddOperator),
	does(catalog.OpenExchange, Network.OpenExchange),
	does(catalog.CloseExchange, Network.CloseExchange),
	does(catalog.CreatePlant, Network.CreatePlant),
}

// resend asks for an attempt of the webhook's log again.
type resend struct {
	ID uint64 `json:"id" doc:"of an attempt in the log of the webhook"`
}

// actOf finds the act of an operation, nil if it is none.
func actOf(op *catalog.Operation) *act {
	if i := slices.IndexFunc(acts, func(a act) bool { return a.op == op }); i >= 0 {
		return &acts[i]
	}
	return nil
}

// isAgent says why the caller cannot act, "" if it can.
func (m *model) isAgent() bool {
	if m.me != nil && m.me.Kind == netkit.AgentParty {
		return true
	}
	m.note = "only an agent can do that; :login acts as another, as does netctl tui --as SLUG"
	return false
}
