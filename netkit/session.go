package netkit

import (
	"context"
	"iter"
)

// Session is a network as one party sees it: the operations of [Network] with
// the caller filled in. Its methods are those of netclient.Client, so that an
// agent is written once, against the interfaces of package api, and runs in the
// process of its network or far away. Make one with [Network.As].
//
// Each method does what the method of Network does, and refuses what that
// refuses. A command carries the idempotency key of its context; see [WithKey].
type Session struct {
	n  *Network
	by Caller
}

// As returns the network as the party of that slug sees it; "" is a stranger.
// The program vouches for who asks.
func (n *Network) As(slug string) *Session { return &Session{n, As(slug)} }

// keyKey marks the idempotency key within a context.
type keyKey struct{}

// WithKey returns a context whose commands carry that idempotency key: one key
// per purchase, used again on every retry. A program that may be restarted
// between a command and its answer keeps the key and asks again with it.
func WithKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyKey{}, key)
}

// KeyOf returns the idempotency key of a context, "" without one.
func KeyOf(ctx context.Context) string {
	key, _ := ctx.Value(keyKey{}).(string)
	return key
}

// caller is who acts, with the key of the context.
func (s *Session) caller(ctx context.Context) Caller { return s.by.Keyed(KeyOf(ctx)) }

// Health says how the network is.
func (s *Session) Health(context.Context) (Health, error) { return s.n.Health(), nil }

// Events is [Network.Events].
func (s *Session) Events(ctx context.Context, after uint64, filter EventFilter) iter.Seq2[Event, error] {
	return s.n.Events(ctx, s.by, after, filter)
}

// Explain is [Network.Explain].
func (s *Session) Explain(ctx context.Context, agent string, date *Day) (Explanation, error) {
	return s.n.Explain(ctx, agent, date)
}

// ExplainAgent is [Network.ExplainAgent].
func (s *Session) ExplainAgent(ctx context.Context, slug string) (AgentExplanation, error) {
	return s.n.ExplainAgent(ctx, slug)
}

// Market is [Network.Market].
func (s *Session) Market(ctx context.Context, q MarketQuery) (List[Campaign], error) {
	return s.n.Market(ctx, s.caller(ctx), q)
}

// Campaign is [Network.Campaign].
func (s *Session) Campaign(ctx context.Context, id uint64) (Campaign, error) {
	return s.n.Campaign(ctx, id)
}

// OpenContract is [Network.OpenContract].
func (s *Session) OpenContract(ctx context.Context, in OpenContract) (ContractReceipt, error) {
	return s.n.OpenContract(ctx, s.caller(ctx), in)
}

// FundContract is [Network.FundContract].
func (s *Session) FundContract(ctx context.Context, in FundContract) (ContractReceipt, error) {
	return s.n.FundContract(ctx, s.caller(ctx), in)
}

// CloseContract is [Network.CloseContract].
func (s *Session) CloseContract(ctx context.Context, in CloseContract) (ContractReceipt, error) {
	return s.n.CloseContract(ctx, s.caller(ctx), in)
}

// Execute is [Network.Execute].
func (s *Session) Execute(ctx context.Context, in Execute) (Execution, error) {
	return s.n.Execute(ctx, s.caller(ctx), in)
}

// PreviewContract is [Network.PreviewContract].
func (s *Session) PreviewContract(ctx context.Context, in PreviewContract) (ContractPreview, error) {
	return s.n.PreviewContract(ctx, s.caller(ctx), in)
}

// Delivery is [Network.Delivery].
func (s *Session) Delivery(ctx context.Context, id uint64) (ExecutionView, error) {
	return s.n.Delivery(ctx, s.caller(ctx), id)
}

// Deliveries is [Network.Deliveries].
func (s *Session) Deliveries(ctx context.Context, q ExecutionQuery) (List[ExecutionView], error) {
	return s.n.Deliveries(ctx, s.caller(ctx), q)
}

// Accept is [Network.Accept].
func (s *Session) Accept(ctx context.Context, in AcceptExecutions) (AcceptedReceipt, error) {
	return s.n.Accept(ctx, s.caller(ctx), in)
}

// Sponsors is [Network.Sponsors].
func (s *Session) Sponsors(ctx context.Context, page Page) (List[SponsorView], error) {
	return s.n.Sponsors(ctx, page)
}

// ProposeSponsor is [Network.ProposeSponsor].
func (s *Session) ProposeSponsor(ctx context.Context, in ProposeSponsor) (AdmissionReceipt, error) {
	return s.n.ProposeSponsor(ctx, s.caller(ctx), in)
}

// Deposit is [Network.Deposit].
func (s *Session) Deposit(ctx context.Context, in Deposit) (Deposited, error) {
	return s.n.Deposit(ctx, s.caller(ctx), in)
}

// Manifest is [Network.Manifest].
func (s *Session) Manifest(ctx context.Context, in ReadManifest) (Manifest, error) {
	return s.n.Manifest(ctx, s.caller(ctx), in)
}

// Dispatch is [Network.Dispatch].
func (s *Session) Dispatch(ctx context.Context, id uint64) (Dispatch, error) {
	return s.n.Dispatch(ctx, s.caller(ctx), id)
}

// Publish is [Network.Publish].
func (s *Session) Publish(ctx context.Context, in Publish) (DispatchReceipt, error) {
	return s.n.Publish(ctx, s.caller(ctx), in)
}

// Crisis is [Network.Crisis].
func (s *Session) Crisis(ctx context.Context) (CrisisView, error) {
	return s.n.Crisis(ctx)
}

// RenewCrisis is [Network.RenewCrisis].
func (s *Session) RenewCrisis(ctx context.Context, in RenewCrisis) (CrisisReceipt, error) {
	return s.n.RenewCrisis(ctx, s.caller(ctx), in)
}

// ResolveCrisis is [Network.ResolveCrisis].
func (s *Session) ResolveCrisis(ctx context.Context, in ResolveCrisis) (CrisisReceipt, error) {
	return s.n.ResolveCrisis(ctx, s.caller(ctx), in)
}

// Notices is [Network.Notices].
func (s *Session) Notices(ctx context.Context, page Page) (List[Notice], error) {
	return s.n.Notices(ctx, s.caller(ctx), page)
}

// SendAttention is [Network.SendAttention].
func (s *Session) SendAttention(ctx context.Context, in SendAttention) (AttentionReceipt, error) {
	return s.n.SendAttention(ctx, s.caller(ctx), in)
}

// AnswerAttention is [Network.AnswerAttention].
func (s *Session) AnswerAttention(ctx context.Context, in AnswerAttention) (AttentionReceipt, error) {
	return s.n.AnswerAttention(ctx, s.caller(ctx), in)
}

// DeclineAttention is [Network.DeclineAttention].
func (s *Session) DeclineAttention(ctx context.Context, in DeclineAttention) (AttentionReceipt, error) {
	return s.n.DeclineAttention(ctx, s.caller(ctx), in)
}

// Attention is [Network.Attention].
func (s *Session) Attention(ctx context.Context, id uint64) (Attention, error) {
	return s.n.Attention(ctx, s.caller(ctx), id)
}

// Inbox is [Network.Inbox].
func (s *Session) Inbox(ctx context.Context, q AttentionQuery) (List[Attention], error) {
	return s.n.Inbox(ctx, s.caller(ctx), q)
}

// Sent is [Network.Sent].
func (s *Session) Sent(ctx context.Context, q AttentionQuery) (List[Attention], error) {
	return s.n.Sent(ctx, s.caller(ctx), q)
}

// Report is [Network.Report].
func (s *Session) Report(ctx context.Context, in Report) (CaseReceipt, error) {
	return s.n.Report(ctx, s.caller(ctx), in)
}

// Cases is [Network.Cases].
func (s *Session) Cases(ctx context.Context, q CaseQuery) (List[CaseView], error) {
	return s.n.Cases(ctx, s.caller(ctx), q)
}

// Case is [Network.Case].
func (s *Session) Case(ctx context.Context, id uint64) (CaseView, error) {
	return s.n.Case(ctx, s.caller(ctx), id)
}

// Verdict is [Network.Verdict].
func (s *Session) Verdict(ctx context.Context, in Verdict) (CaseReceipt, error) {
	return s.n.Verdict(ctx, s.caller(ctx), in)
}

// Decide is [Network.Decide].
func (s *Session) Decide(ctx context.Context, in Decide) (CaseReceipt, error) {
	return s.n.Decide(ctx, s.caller(ctx), in)
}

// Appeal is [Network.Appeal].
func (s *Session) Appeal(ctx context.Context, in Appeal) (CaseReceipt, error) {
	return s.n.Appeal(ctx, s.caller(ctx), in)
}

// Flags is [Network.Flags].
func (s *Session) Flags(ctx context.Context, page Page) (List[AgentFlag], error) {
	return s.n.Flags(ctx, s.caller(ctx), page)
}

// Rogues is [Network.Rogues].
func (s *Session) Rogues(ctx context.Context, page Page) (List[RogueEntry], error) {
	return s.n.Rogues(ctx, page)
}

// Reinstate is [Network.Reinstate].
func (s *Session) Reinstate(ctx context.Context, in Reinstate) (StandingReceipt, error) {
	return s.n.Reinstate(ctx, s.caller(ctx), in)
}

// LastNight is [Network.LastNight].
func (s *Session) LastNight(ctx context.Context) (NightReport, error) {
	return s.n.LastNight(ctx)
}

// CloseNight is [Network.CloseNight].
func (s *Session) CloseNight(ctx context.Context, in CloseNight) (NightReport, error) {
	return s.n.CloseNight(ctx, s.caller(ctx), in)
}

// RevokeBadge is [Network.RevokeBadge].
func (s *Session) RevokeBadge(ctx context.Context, in RevokeBadge) (RevocationReceipt, error) {
	return s.n.RevokeBadge(ctx, s.caller(ctx), in)
}

// Witnessing is [Network.Witnessing].
func (s *Session) Witnessing(ctx context.Context, page Page) (List[WitnessRequest], error) {
	return s.n.Witnessing(ctx, s.caller(ctx), page)
}

// Witness is [Network.Witness].
func (s *Session) Witness(ctx context.Context, in Witness) (WitnessReceipt, error) {
	return s.n.Witness(ctx, s.caller(ctx), in)
}

// Statement is [Network.Statement].
func (s *Session) Statement(ctx context.Context, a Account, page Page) (List[StatementLine], error) {
	return s.n.Statement(ctx, a, page)
}

// Balance is [Network.Balance].
func (s *Session) Balance(ctx context.Context, a Account) (AccountBalance, error) {
	return s.n.Balance(ctx, a)
}

// Conservation is [Network.Conservation].
func (s *Session) Conservation(ctx context.Context) (Books, error) {
	return s.n.Conservation(ctx)
}

// ErasePrivate is [Network.ErasePrivate].
func (s *Session) ErasePrivate(ctx context.Context, in ErasePrivate) (ErasureReceipt, error) {
	return s.n.ErasePrivate(ctx, s.caller(ctx), in)
}

// Constitution is [Network.Constitution].
func (s *Session) Constitution(ctx context.Context) (ConstitutionView, error) {
	return s.n.Constitution(ctx)
}

// AcceptConstitution is [Network.AcceptConstitution].
func (s *Session) AcceptConstitution(ctx context.Context, in AcceptConstitution) (AcceptReceipt, error) {
	return s.n.AcceptConstitution(ctx, s.caller(ctx), in)
}

// AdoptConstitution is [Network.AdoptConstitution].
func (s *Session) AdoptConstitution(ctx context.Context, in AdoptConstitution) (AcceptReceipt, error) {
	return s.n.AdoptConstitution(ctx, s.caller(ctx), in)
}

// Tokens is [Network.Tokens].
func (s *Session) Tokens(ctx context.Context) ([]TokenInfo, error) {
	return s.n.Tokens(ctx, s.caller(ctx))
}

// IssueToken is [Network.IssueToken].
func (s *Session) IssueToken(ctx context.Context, in IssueToken) (TokenReceipt, error) {
	return s.n.IssueToken(ctx, s.caller(ctx), in)
}

// RevokeToken is [Network.RevokeToken].
func (s *Session) RevokeToken(ctx context.Context, in RevokeToken) (TokenReceipt, error) {
	return s.n.RevokeToken(ctx, s.caller(ctx), in)
}

// RecoverAgent is [Network.RecoverAgent].
func (s *Session) RecoverAgent(ctx context.Context, in RecoverAgent) (RecoveryReceipt, error) {
	return s.n.RecoverAgent(ctx, s.caller(ctx), in)
}

// SetRole is [Network.SetRole].
func (s *Session) SetRole(ctx context.Context, in SetRole) (RoleReceipt, error) {
	return s.n.SetRole(ctx, s.caller(ctx), in)
}

// AddOperator is [Network.AddOperator].
func (s *Session) AddOperator(ctx context.Context, in AddOperator) (OperatorReceipt, error) {
	return s.n.AddOperator(ctx, s.caller(ctx), in)
}

// CommitPlaybook is [Network.CommitPlaybook].
func (s *Session) CommitPlaybook(ctx context.Context, in CommitPlaybook) (CommitmentReceipt, error) {
	return s.n.CommitPlaybook(ctx, s.caller(ctx), in)
}

// RegisterPlaybook is [Network.RegisterPlaybook].
func (s *Session) RegisterPlaybook(ctx context.Context, in RegisterPlaybook) (PlaybookReceipt, error) {
	return s.n.RegisterPlaybook(ctx, s.caller(ctx), in)
}

// Inventory is [Network.Inventory].
func (s *Session) Inventory(ctx context.Context, page Page) (List[Playbook], error) {
	return s.n.Inventory(ctx, s.caller(ctx), page)
}

// Exchange is [Network.Exchange].
func (s *Session) Exchange(ctx context.Context) (Exchange, error) {
	return s.n.Exchange(ctx)
}

// OpenExchange is [Network.OpenExchange].
func (s *Session) OpenExchange(ctx context.Context, in OpenExchange) (ExchangeReceipt, error) {
	return s.n.OpenExchange(ctx, s.caller(ctx), in)
}

// CreatePlant is [Network.CreatePlant].
func (s *Session) CreatePlant(ctx context.Context, in CreatePlant) (Plant, error) {
	return s.n.CreatePlant(ctx, s.caller(ctx), in)
}

// Spawn is [Network.Spawn].
func (s *Session) Spawn(ctx context.Context, in Spawn) (Spawned, error) {
	return s.n.Spawn(ctx, s.caller(ctx), in)
}

// OwnProfile is [Network.OwnProfile].
func (s *Session) OwnProfile(ctx context.Context) (OwnProfile, error) {
	return s.n.OwnProfile(ctx, s.caller(ctx))
}

// Profile is [Network.Profile].
func (s *Session) Profile(ctx context.Context, slug string) (Profile, error) {
	return s.n.Profile(ctx, slug)
}

// Directory is [Network.Directory].
func (s *Session) Directory(ctx context.Context, q DirectoryQuery) (List[Profile], error) {
	return s.n.Directory(ctx, q)
}

// SetClaims is [Network.SetClaims].
func (s *Session) SetClaims(ctx context.Context, in Claims) (ClaimsReceipt, error) {
	return s.n.SetClaims(ctx, s.caller(ctx), in)
}

// SetChannels is [Network.SetChannels].
func (s *Session) SetChannels(ctx context.Context, in SetChannels) (ChannelsReceipt, error) {
	return s.n.SetChannels(ctx, s.caller(ctx), in)
}

// SetWebhook is [Network.SetWebhook].
func (s *Session) SetWebhook(ctx context.Context, in SetWebhook) (WebhookReceipt, error) {
	return s.n.SetWebhook(ctx, s.caller(ctx), in)
}

// DeclareWallet is [Network.DeclareWallet].
func (s *Session) DeclareWallet(ctx context.Context, in DeclareWallet) (WalletChallenge, error) {
	return s.n.DeclareWallet(ctx, s.caller(ctx), in)
}

// ConfirmWallet is [Network.ConfirmWallet].
func (s *Session) ConfirmWallet(ctx context.Context, in ConfirmWallet) (WalletReceipt, error) {
	return s.n.ConfirmWallet(ctx, s.caller(ctx), in)
}
