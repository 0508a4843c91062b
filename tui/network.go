package tui

import (
	"context"
	"encoding/json"
	"io"
	"iter"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/webhook"
)

// Network is what the screens need of a network. netclient.Client is one.
type Network interface {
	Public
	Books
	Own
	Acts
	Live
}

// Public is what anybody may browse.
type Public interface {
	Manifest(context.Context, netkit.ReadManifest) (netkit.Manifest, error)
	Dispatch(context.Context, uint64) (netkit.Dispatch, error)
	Crisis(context.Context) (netkit.CrisisView, error)
	Market(context.Context, netkit.MarketQuery) (netkit.List[netkit.Campaign], error)
	Campaign(context.Context, uint64) (netkit.Campaign, error)
	Sponsors(context.Context, netkit.Page) (netkit.List[netkit.SponsorView], error)
	Sponsor(context.Context, string) (netkit.SponsorView, error)
	Directory(context.Context, netkit.DirectoryQuery) (netkit.List[netkit.Profile], error)
	Profile(context.Context, string) (netkit.Profile, error)
	Explain(context.Context, string, *netkit.Day) (netkit.Explanation, error)
	ExplainAgent(context.Context, string) (netkit.AgentExplanation, error)
	Exchange(context.Context) (netkit.Exchange, error)
	Health(context.Context) (netkit.Health, error)
}

// Books is what anybody may check.
type Books interface {
	Entries(ctx context.Context, from uint64, limit int) (netkit.List[json.RawMessage], error)
	Entry(context.Context, uint64) (json.RawMessage, error)
	Proof(context.Context, uint64) ([]byte, error)
	Statement(context.Context, netkit.Account, netkit.Page) (netkit.List[netkit.StatementLine], error)
	Balance(context.Context, netkit.Account) (netkit.AccountBalance, error)
	Conservation(context.Context) (netkit.Books, error)
	LastNight(context.Context) (netkit.NightReport, error)
	Rogues(context.Context, netkit.Page) (netkit.List[netkit.RogueEntry], error)
	Constitution(context.Context) (netkit.ConstitutionView, error)
}

// Own is what concerns the caller alone.
type Own interface {
	OwnProfile(context.Context) (netkit.OwnProfile, error)
	Notices(context.Context, netkit.Page) (netkit.List[netkit.Notice], error)
	Tokens(context.Context) ([]netkit.TokenInfo, error)
	Webhook(context.Context) (webhook.View, error)
	WebhookAttempts(context.Context) ([]webhook.Attempt, error)
	Inbox(context.Context, netkit.AttentionQuery) (netkit.List[netkit.Attention], error)
	Sent(context.Context, netkit.AttentionQuery) (netkit.List[netkit.Attention], error)
	Attention(context.Context, uint64) (netkit.Attention, error)
	Inventory(context.Context, netkit.Page) (netkit.List[netkit.Playbook], error)
	Deliveries(context.Context, netkit.ExecutionQuery) (netkit.List[netkit.ExecutionView], error)
	Delivery(context.Context, uint64) (netkit.ExecutionView, error)
	Cases(context.Context, netkit.CaseQuery) (netkit.List[netkit.CaseView], error)
	Case(context.Context, uint64) (netkit.CaseView, error)
	Flags(context.Context, netkit.Page) (netkit.List[netkit.AgentFlag], error)
	Witnessing(context.Context, netkit.Page) (netkit.List[netkit.WitnessRequest], error)
	PreviewContract(context.Context, netkit.PreviewContract) (netkit.ContractPreview, error)
	PreviewExecution(context.Context, netkit.Execute) (netkit.ExecutionPreview, error)
	PreviewAttention(context.Context, netkit.SendAttention) (netkit.AttentionPreview, error)
}

// Acts is what the caller may do.
type Acts interface {
	Execute(context.Context, netkit.Execute) (netkit.Execution, error)
	Accept(context.Context, netkit.AcceptExecutions) (netkit.AcceptedReceipt, error)
	ReturnExecution(context.Context, netkit.ReturnExecution) (netkit.ReturnReceipt, error)
	OpenContract(context.Context, netkit.OpenContract) (netkit.ContractReceipt, error)
	FundContract(context.Context, netkit.FundContract) (netkit.ContractReceipt, error)
	SetAgents(context.Context, netkit.SetAgents) (netkit.SetAgentsReceipt, error)
	InviteToContract(context.Context, netkit.InviteToContract) (netkit.InvitationReceipt, error)
	SetPace(context.Context, netkit.SetPace) (netkit.PaceReceipt, error)
	CloseContract(context.Context, netkit.CloseContract) (netkit.ContractReceipt, error)
	ProposeSponsor(context.Context, netkit.ProposeSponsor) (netkit.AdmissionReceipt, error)
	Deposit(context.Context, netkit.Deposit) (netkit.Deposited, error)
	StopSponsor(context.Context, netkit.StopSponsor) (netkit.StopReceipt, error)
	SendAttention(context.Context, netkit.SendAttention) (netkit.AttentionReceipt, error)
	AnswerAttention(context.Context, netkit.AnswerAttention) (netkit.AttentionReceipt, error)
	DeclineAttention(context.Context, netkit.DeclineAttention) (netkit.AttentionReceipt, error)
	Publish(context.Context, netkit.Publish) (netkit.DispatchReceipt, error)
	UploadAudio(context.Context, io.ReadSeeker) (netkit.AudioRef, error)
	UploadTranscript(context.Context, io.ReadSeeker) (netkit.TextRef, error)
	RenewCrisis(context.Context, netkit.RenewCrisis) (netkit.CrisisReceipt, error)
	ResolveCrisis(context.Context, netkit.ResolveCrisis) (netkit.CrisisReceipt, error)
	Report(context.Context, netkit.Report) (netkit.CaseReceipt, error)
	Verdict(context.Context, netkit.Verdict) (netkit.CaseReceipt, error)
	Decide(context.Context, netkit.Decide) (netkit.CaseReceipt, error)
	Appeal(context.Context, netkit.Appeal) (netkit.CaseReceipt, error)
	Reinstate(context.Context, netkit.Reinstate) (netkit.StandingReceipt, error)
	CloseNight(context.Context, netkit.CloseNight) (netkit.NightReport, error)
	RevokeBadge(context.Context, netkit.RevokeBadge) (netkit.RevocationReceipt, error)
	Witness(context.Context, netkit.Witness) (netkit.WitnessReceipt, error)
	ErasePrivate(context.Context, netkit.ErasePrivate) (netkit.ErasureReceipt, error)
	AcceptConstitution(context.Context, netkit.AcceptConstitution) (netkit.AcceptReceipt, error)
	AdoptConstitution(context.Context, netkit.AdoptConstitution) (netkit.AcceptReceipt, error)
	IssueToken(context.Context, netkit.IssueToken) (netkit.TokenReceipt, error)
	RevokeToken(context.Context, netkit.RevokeToken) (netkit.TokenReceipt, error)
	RecoverAgent(context.Context, netkit.RecoverAgent) (netkit.RecoveryReceipt, error)
	SetRole(context.Context, netkit.SetRole) (netkit.RoleReceipt, error)
	AddOperator(context.Context, netkit.AddOperator) (netkit.OperatorReceipt, error)
	Invite(context.Context, netkit.Invite) (netkit.Invitation, error)
	CommitPlaybook(context.Context, netkit.CommitPlaybook) (netkit.CommitmentReceipt, error)
	RegisterPlaybook(context.Context, netkit.RegisterPlaybook) (netkit.PlaybookReceipt, error)
	OpenExchange(context.Context, netkit.OpenExchange) (netkit.ExchangeReceipt, error)
	CloseExchange(context.Context, netkit.CloseExchange) (netkit.ExchangeReceipt, error)
	CreatePlant(context.Context, netkit.CreatePlant) (netkit.Plant, error)
	SetClaims(context.Context, netkit.Claims) (netkit.ClaimsReceipt, error)
	SetChannels(context.Context, netkit.SetChannels) (netkit.ChannelsReceipt, error)
	SetWebhook(context.Context, netkit.SetWebhook) (netkit.WebhookReceipt, error)
	RotateWebhook(context.Context) (webhook.Rotated, error)
	TestWebhook(context.Context) (webhook.Attempt, error)
	ResendWebhook(ctx context.Context, attempt uint64) (webhook.Attempt, error)
	ReplayWebhook(context.Context, webhook.Replay) (webhook.View, error)
	DeclareWallet(context.Context, netkit.DeclareWallet) (netkit.WalletChallenge, error)
	ConfirmWallet(context.Context, netkit.ConfirmWallet) (netkit.WalletReceipt, error)
}

// Live is what comes by itself, and the recordings.
type Live interface {
	Events(context.Context, uint64, netkit.EventFilter) iter.Seq2[netkit.Event, error]
	Download(ctx context.Context, address string, w io.Writer) (int64, error)
}
