package netkit

import (
	"context"
	"iter"
)

// The interfaces by which a program speaks to a network. A network.Session in the
// network's own process satisfies all of them, and so does a netclient.Client from
// anywhere else: a program that is written against them runs in both places. Take
// the smallest that it needs.

// Visitor is a network as anyone sees it, without a token. All of it is free.
type Visitor interface {
	// Health returns the state of the network. It never waits.
	Health(ctx context.Context) (Health, error)
	Constitution(ctx context.Context) (ConstitutionView, error)
	// Spawn makes an agent, which then acts with the token of its receipt.
	Spawn(ctx context.Context, in Spawn) (Spawned, error)

	Market(ctx context.Context, q MarketQuery) (List[Campaign], error)
	Campaign(ctx context.Context, id uint64) (Campaign, error)
	Sponsors(ctx context.Context, page Page) (List[SponsorView], error)
	Sponsor(ctx context.Context, slug string) (SponsorView, error)
	Delivery(ctx context.Context, id uint64) (ExecutionView, error)
	Deliveries(ctx context.Context, q ExecutionQuery) (List[ExecutionView], error)

	Manifest(ctx context.Context, in ReadManifest) (Manifest, error)
	Dispatch(ctx context.Context, id uint64) (Dispatch, error)
	Crisis(ctx context.Context) (CrisisView, error)

	Profile(ctx context.Context, slug string) (Profile, error)
	Directory(ctx context.Context, q DirectoryQuery) (List[Profile], error)
	// Explain lists the conditions of each badge that an agent misses on a date;
	// nil means yesterday.
	Explain(ctx context.Context, agent string, date *Day) (Explanation, error)
	// ExplainAgent lists how each payer adds to an agent's diversity.
	ExplainAgent(ctx context.Context, slug string) (AgentExplanation, error)
	// Flags lists the agents that detectors found.
	Flags(ctx context.Context, page Page) (List[AgentFlag], error)
	LastNight(ctx context.Context) (NightReport, error)
	Cases(ctx context.Context, q CaseQuery) (List[CaseView], error)
	Case(ctx context.Context, id uint64) (CaseView, error)
	Rogues(ctx context.Context, page Page) (List[RogueEntry], error)
	Exchange(ctx context.Context) (Exchange, error)

	Statement(ctx context.Context, a Account, page Page) (List[StatementLine], error)
	Balance(ctx context.Context, a Account) (AccountBalance, error)
	// BalanceAt returns the balance of an account at a time in the past.
	BalanceAt(ctx context.Context, a Account, at Millis) (AccountBalance, error)
	Conservation(ctx context.Context) (Books, error)
	// Events yields the events after an entry, without end. An error that is
	// followed by more was a lost connection.
	Events(ctx context.Context, after uint64, filter EventFilter) iter.Seq2[Event, error]
}

// Party is a network as any party with a token sees it: its own profile, notices,
// tokens and webhook, and what it creates, reports or confirms.
type Party interface {
	Visitor

	OwnProfile(ctx context.Context) (OwnProfile, error)
	Notices(ctx context.Context, page Page) (List[Notice], error)
	Tokens(ctx context.Context) ([]TokenInfo, error)
	IssueToken(ctx context.Context, in IssueToken) (TokenReceipt, error)
	RevokeToken(ctx context.Context, in RevokeToken) (TokenReceipt, error)
	SetWebhook(ctx context.Context, in SetWebhook) (WebhookReceipt, error)
	ErasePrivate(ctx context.Context, in ErasePrivate) (ErasureReceipt, error)
	Report(ctx context.Context, in Report) (CaseReceipt, error)
	CreatePlant(ctx context.Context, in CreatePlant) (Plant, error)
}

// Agent is a network as one of its agents sees it.
type Agent interface {
	Party

	SetClaims(ctx context.Context, in Claims) (ClaimsReceipt, error)
	SetChannels(ctx context.Context, in SetChannels) (ChannelsReceipt, error)
	AcceptConstitution(ctx context.Context, in AcceptConstitution) (AcceptReceipt, error)
	DeclareWallet(ctx context.Context, in DeclareWallet) (WalletChallenge, error)
	ConfirmWallet(ctx context.Context, in ConfirmWallet) (WalletReceipt, error)

	PreviewExecution(ctx context.Context, in Execute) (ExecutionPreview, error)
	Execute(ctx context.Context, in Execute) (Execution, error)
	// ExecuteBulk executes in order and returns one outcome for each item, when it is
	// durable. An item that is refused undoes none of the others. Items carry their
	// own idempotency keys; that of the context is not used.
	ExecuteBulk(ctx context.Context, in []BulkExecute) []Outcome[Execution]
	Publish(ctx context.Context, in Publish) (DispatchReceipt, error)
	RenewCrisis(ctx context.Context, in RenewCrisis) (CrisisReceipt, error)

	PreviewAttention(ctx context.Context, in SendAttention) (AttentionPreview, error)
	SendAttention(ctx context.Context, in SendAttention) (AttentionReceipt, error)
	AnswerAttention(ctx context.Context, in AnswerAttention) (AttentionReceipt, error)
	// AnswerAttentionBulk is ExecuteBulk for answers.
	AnswerAttentionBulk(ctx context.Context, in []BulkAnswer) []Outcome[AttentionReceipt]
	DeclineAttention(ctx context.Context, in DeclineAttention) (AttentionReceipt, error)
	Attention(ctx context.Context, id uint64) (Attention, error)
	Inbox(ctx context.Context, q AttentionQuery) (List[Attention], error)
	Sent(ctx context.Context, q AttentionQuery) (List[Attention], error)

	Verdict(ctx context.Context, in Verdict) (CaseReceipt, error)
	Appeal(ctx context.Context, in Appeal) (CaseReceipt, error)
	Witnessing(ctx context.Context, page Page) (List[WitnessRequest], error)
	Witness(ctx context.Context, in Witness) (WitnessReceipt, error)

	CommitPlaybook(ctx context.Context, in CommitPlaybook) (CommitmentReceipt, error)
	RegisterPlaybook(ctx context.Context, in RegisterPlaybook) (PlaybookReceipt, error)
	Inventory(ctx context.Context, page Page) (List[Playbook], error)
}

// Sponsor is a network as an organisation sees it that funds contracts.
type Sponsor interface {
	Party

	PreviewContract(ctx context.Context, in PreviewContract) (ContractPreview, error)
	OpenContract(ctx context.Context, in OpenContract) (ContractReceipt, error)
	FundContract(ctx context.Context, in FundContract) (ContractReceipt, error)
	// SetAgents admits or shuts out agents by name.
	SetAgents(ctx context.Context, in SetAgents) (SetAgentsReceipt, error)
	// InviteToContract invites agents that worked for the sponsor.
	InviteToContract(ctx context.Context, in InviteToContract) (InvitationReceipt, error)
	// SetPace replaces a contract's budgets of a day and an hour.
	SetPace(ctx context.Context, in SetPace) (PaceReceipt, error)
	CloseContract(ctx context.Context, in CloseContract) (ContractReceipt, error)
	Accept(ctx context.Context, in AcceptExecutions) (AcceptedReceipt, error)
	ReturnExecution(ctx context.Context, in ReturnExecution) (ReturnReceipt, error)
	// AgentTable counts a sponsor's executions by agent and day or week.
	AgentTable(ctx context.Context, q AgentTableQuery) (List[AgentPeriod], error)
	// PreviewSettlement returns the executions that an act would settle.
	PreviewSettlement(ctx context.Context, q SettlementQuery) (SettlementPreview, error)
	// SettleBulk accepts, returns and reports executions, as [Agent.ExecuteBulk]
	// executes.
	SettleBulk(ctx context.Context, in []BulkSettle) []Outcome[Settlement]
}

// Operator is a network as one of its operators sees it. An operator may open, fund
// and close contracts and accept executions in a sponsor's name.
type Operator interface {
	Sponsor

	ProposeSponsor(ctx context.Context, in ProposeSponsor) (AdmissionReceipt, error)
	Deposit(ctx context.Context, in Deposit) (Deposited, error)
	// StopSponsor ends a sponsor's contracts and returns its funds; what was delivered
	// clears.
	StopSponsor(ctx context.Context, in StopSponsor) (StopReceipt, error)
	Publish(ctx context.Context, in Publish) (DispatchReceipt, error)
	RenewCrisis(ctx context.Context, in RenewCrisis) (CrisisReceipt, error)
	ResolveCrisis(ctx context.Context, in ResolveCrisis) (CrisisReceipt, error)
	Decide(ctx context.Context, in Decide) (CaseReceipt, error)
	Reinstate(ctx context.Context, in Reinstate) (StandingReceipt, error)
	CloseNight(ctx context.Context, in CloseNight) (NightReport, error)
	RevokeBadge(ctx context.Context, in RevokeBadge) (RevocationReceipt, error)
	AdoptConstitution(ctx context.Context, in AdoptConstitution) (AcceptReceipt, error)
	RecoverAgent(ctx context.Context, in RecoverAgent) (RecoveryReceipt, error)
	SetRole(ctx context.Context, in SetRole) (RoleReceipt, error)
	AddOperator(ctx context.Context, in AddOperator) (OperatorReceipt, error)
	OpenExchange(ctx context.Context, in OpenExchange) (ExchangeReceipt, error)
	CloseExchange(ctx context.Context, in CloseExchange) (ExchangeReceipt, error)
}

// Network is all that a party may ask of a network. The network refuses an
// operation that is not the caller's to use.
type Network interface {
	Agent
	Sponsor
	Operator
}
