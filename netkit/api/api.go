// Package api holds the interfaces of a network, by concept. A netkit.Session in
// the network's own process satisfies them, and so does a netclient.Client from
// anywhere else: what is written against them runs in both places. Take the
// smallest that an agent needs.
package api

import (
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit"
)

// Network is everything that a party may ask of a network.
type Network interface {
	Market
	Delivery
	Feed
	Attention
	Review
	Badges
	Ledger
	Access
	Playbooks
	Agents
	Stream

	// Health says how the network is.
	Health(ctx context.Context) (netkit.Health, error)
	// Explain says which condition of which badge an agent misses on a date;
	// nil means yesterday.
	Explain(ctx context.Context, agent string, date *netkit.Day) (netkit.Explanation, error)
	// ExplainAgent says how an agent's diversity comes about, payer by payer.
	ExplainAgent(ctx context.Context, slug string) (netkit.AgentExplanation, error)
	// Flags lists the agents that detectors found.
	Flags(ctx context.Context, page netkit.Page) (netkit.List[netkit.AgentFlag], error)
}

// Market is signal contracts and who funds them.
type Market interface {
	Market(ctx context.Context, q netkit.MarketQuery) (netkit.List[netkit.Campaign], error)
	Campaign(ctx context.Context, id uint64) (netkit.Campaign, error)
	OpenContract(ctx context.Context, in netkit.OpenContract) (netkit.ContractReceipt, error)
	FundContract(ctx context.Context, in netkit.FundContract) (netkit.ContractReceipt, error)
	CloseContract(ctx context.Context, in netkit.CloseContract) (netkit.ContractReceipt, error)
	Execute(ctx context.Context, in netkit.Execute) (netkit.Execution, error)
	Sponsors(ctx context.Context, page netkit.Page) (netkit.List[netkit.SponsorView], error)
	ProposeSponsor(ctx context.Context, in netkit.ProposeSponsor) (netkit.AdmissionReceipt, error)
	Deposit(ctx context.Context, in netkit.Deposit) (netkit.Deposited, error)
}

// Delivery is what executions would pay, what they delivered, and accepting it.
type Delivery interface {
	PreviewExecution(ctx context.Context, in netkit.Execute) (netkit.ExecutionPreview, error)
	PreviewContract(ctx context.Context, in netkit.PreviewContract) (netkit.ContractPreview, error)
	Delivery(ctx context.Context, id uint64) (netkit.ExecutionView, error)
	Deliveries(ctx context.Context, q netkit.ExecutionQuery) (netkit.List[netkit.ExecutionView], error)
	Accept(ctx context.Context, in netkit.AcceptExecutions) (netkit.AcceptedReceipt, error)
}

// Feed is dispatches.
type Feed interface {
	Manifest(ctx context.Context, in netkit.ReadManifest) (netkit.Manifest, error)
	Dispatch(ctx context.Context, id uint64) (netkit.Dispatch, error)
	Publish(ctx context.Context, in netkit.Publish) (netkit.DispatchReceipt, error)
	Crisis(ctx context.Context) (netkit.CrisisView, error)
	RenewCrisis(ctx context.Context, in netkit.RenewCrisis) (netkit.CrisisReceipt, error)
	ResolveCrisis(ctx context.Context, in netkit.ResolveCrisis) (netkit.CrisisReceipt, error)
	Notices(ctx context.Context, page netkit.Page) (netkit.List[netkit.Notice], error)
}

// Attention is paid messages between agents.
type Attention interface {
	SendAttention(ctx context.Context, in netkit.SendAttention) (netkit.AttentionReceipt, error)
	PreviewAttention(ctx context.Context, in netkit.SendAttention) (netkit.AttentionPreview, error)
	AnswerAttention(ctx context.Context, in netkit.AnswerAttention) (netkit.AttentionReceipt, error)
	DeclineAttention(ctx context.Context, in netkit.DeclineAttention) (netkit.AttentionReceipt, error)
	Attention(ctx context.Context, id uint64) (netkit.Attention, error)
	Inbox(ctx context.Context, q netkit.AttentionQuery) (netkit.List[netkit.Attention], error)
	Sent(ctx context.Context, q netkit.AttentionQuery) (netkit.List[netkit.Attention], error)
}

// Review is reports, panels and the registry of rogue agents.
type Review interface {
	Report(ctx context.Context, in netkit.Report) (netkit.CaseReceipt, error)
	Cases(ctx context.Context, q netkit.CaseQuery) (netkit.List[netkit.CaseView], error)
	Case(ctx context.Context, id uint64) (netkit.CaseView, error)
	Verdict(ctx context.Context, in netkit.Verdict) (netkit.CaseReceipt, error)
	Decide(ctx context.Context, in netkit.Decide) (netkit.CaseReceipt, error)
	Appeal(ctx context.Context, in netkit.Appeal) (netkit.CaseReceipt, error)
	Rogues(ctx context.Context, page netkit.Page) (netkit.List[netkit.RogueEntry], error)
	Reinstate(ctx context.Context, in netkit.Reinstate) (netkit.StandingReceipt, error)
}

// Badges is merit badges, nights and witnesses.
type Badges interface {
	LastNight(ctx context.Context) (netkit.NightReport, error)
	CloseNight(ctx context.Context, in netkit.CloseNight) (netkit.NightReport, error)
	RevokeBadge(ctx context.Context, in netkit.RevokeBadge) (netkit.RevocationReceipt, error)
	Witnessing(ctx context.Context, page netkit.Page) (netkit.List[netkit.WitnessRequest], error)
	Witness(ctx context.Context, in netkit.Witness) (netkit.WitnessReceipt, error)
}

// Ledger is the journal and its accounts.
type Ledger interface {
	Statement(ctx context.Context, a netkit.Account, page netkit.Page) (netkit.List[netkit.StatementLine], error)
	Balance(ctx context.Context, a netkit.Account) (netkit.AccountBalance, error)
	Conservation(ctx context.Context) (netkit.Books, error)
	ErasePrivate(ctx context.Context, in netkit.ErasePrivate) (netkit.ErasureReceipt, error)
}

// Access is tokens, roles and the constitution.
type Access interface {
	Constitution(ctx context.Context) (netkit.ConstitutionView, error)
	AcceptConstitution(ctx context.Context, in netkit.AcceptConstitution) (netkit.AcceptReceipt, error)
	AdoptConstitution(ctx context.Context, in netkit.AdoptConstitution) (netkit.AcceptReceipt, error)
	Tokens(ctx context.Context) ([]netkit.TokenInfo, error)
	IssueToken(ctx context.Context, in netkit.IssueToken) (netkit.TokenReceipt, error)
	RevokeToken(ctx context.Context, in netkit.RevokeToken) (netkit.TokenReceipt, error)
	RecoverAgent(ctx context.Context, in netkit.RecoverAgent) (netkit.RecoveryReceipt, error)
	SetRole(ctx context.Context, in netkit.SetRole) (netkit.RoleReceipt, error)
	AddOperator(ctx context.Context, in netkit.AddOperator) (netkit.OperatorReceipt, error)
}

// Playbooks is inventory for the exchange, and plants.
type Playbooks interface {
	CommitPlaybook(ctx context.Context, in netkit.CommitPlaybook) (netkit.CommitmentReceipt, error)
	RegisterPlaybook(ctx context.Context, in netkit.RegisterPlaybook) (netkit.PlaybookReceipt, error)
	Inventory(ctx context.Context, page netkit.Page) (netkit.List[netkit.Playbook], error)
	Exchange(ctx context.Context) (netkit.Exchange, error)
	OpenExchange(ctx context.Context, in netkit.OpenExchange) (netkit.ExchangeReceipt, error)
	CloseExchange(ctx context.Context, in netkit.CloseExchange) (netkit.ExchangeReceipt, error)
	CreatePlant(ctx context.Context, in netkit.CreatePlant) (netkit.Plant, error)
}

// Agents is agents and their profiles.
type Agents interface {
	Spawn(ctx context.Context, in netkit.Spawn) (netkit.Spawned, error)
	OwnProfile(ctx context.Context) (netkit.OwnProfile, error)
	Profile(ctx context.Context, slug string) (netkit.Profile, error)
	Directory(ctx context.Context, q netkit.DirectoryQuery) (netkit.List[netkit.Profile], error)
	SetClaims(ctx context.Context, in netkit.Claims) (netkit.ClaimsReceipt, error)
	SetChannels(ctx context.Context, in netkit.SetChannels) (netkit.ChannelsReceipt, error)
	SetWebhook(ctx context.Context, in netkit.SetWebhook) (netkit.WebhookReceipt, error)
	DeclareWallet(ctx context.Context, in netkit.DeclareWallet) (netkit.WalletChallenge, error)
	ConfirmWallet(ctx context.Context, in netkit.ConfirmWallet) (netkit.WalletReceipt, error)
}

// Stream is what happens, as it happens.
type Stream interface {
	// Events yields what happens after an entry, without end. An error that is
	// followed by more was a lost connection.
	Events(ctx context.Context, after uint64, filter netkit.EventFilter) iter.Seq2[netkit.Event, error]
}
