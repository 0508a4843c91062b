package netkit

import (
	"maps"
	"slices"
	"strings"
)

// The kinds of entry.
const (
	KindGenesis               Kind = "genesis"
	KindAgentSpawned          Kind = "agent.spawned"
	KindSponsorAdmitted       Kind = "sponsor.admitted"
	KindSponsorDeposited      Kind = "sponsor.deposited"
	KindSponsorProposed       Kind = "sponsor.proposed"
	KindBadgeIssued           Kind = "badge.issued"
	KindBadgeRevocationBegun  Kind = "badge.revocation.begun"
	KindBadgeRevoked          Kind = "badge.revoked"
	KindRevocationAppealed    Kind = "badge.revocation.appealed"
	KindRevocationLapsed      Kind = "badge.revocation.lapsed"
	KindBadgeRestored         Kind = "badge.restored"
	KindCaseFiled             Kind = "case.filed"
	KindCaseJoined            Kind = "case.joined"
	KindCaseDrawn             Kind = "case.drawn"
	KindCaseVerdict           Kind = "case.verdict"
	KindCaseRedrawn           Kind = "case.redrawn"
	KindCaseDecided           Kind = "case.decided"
	KindCaseAppealed          Kind = "case.appealed"
	KindCaseFinal             Kind = "case.final"
	KindCasePaid              Kind = "case.paid"
	KindAgentReinstated       Kind = "agent.reinstated"
	KindAgentFlagged          Kind = "agent.flagged"
	KindNightStep             Kind = "night.step"
	KindNightClosed           Kind = "night.closed"
	KindContractOpened        Kind = "contract.opened"
	KindContractFunded        Kind = "contract.funded"
	KindContractFinished      Kind = "contract.finished"
	KindExecution             Kind = "execution"
	KindExecutionAccepted     Kind = "execution.accepted"
	KindExecutionReturned     Kind = "execution.returned"
	KindAgentClaims           Kind = "agent.claims"
	KindAgentChannels         Kind = "agent.channels"
	KindWalletDeclared        Kind = "wallet.declared"
	KindWalletConfirmed       Kind = "wallet.confirmed"
	KindAgentRoles            Kind = "agent.roles"
	KindAgentWebhook          Kind = "agent.webhook"
	KindAgentRecovered        Kind = "agent.recovered"
	KindTokenIssued           Kind = "token.issued"
	KindTokenRevoked          Kind = "token.revoked"
	KindOperatorAdded         Kind = "operator.added"
	KindConstitutionAccepted  Kind = "constitution.accepted"
	KindConstitutionAdopted   Kind = "constitution.adopted"
	KindConstitutionAnnounced Kind = "constitution.announced"
	KindConstitutionWitnessed Kind = "constitution.witnessed"
	KindConstitutionLapsed    Kind = "constitution.lapsed"
	KindDispatchPublished     Kind = "dispatch.published"
	KindCrisisResolved        Kind = "crisis.resolved"
	KindWitnessDrawn          Kind = "witness.drawn"
	KindCrisisRenewed         Kind = "crisis.renewed"
	KindFeedOpened            Kind = "feed.opened"
	KindAttentionSent         Kind = "attention.sent"
	KindAttentionAnswered     Kind = "attention.answered"
	KindAttentionDeclined     Kind = "attention.declined"
	KindAttentionExpired      Kind = "attention.expired"
	KindPrivateErased         Kind = "private.erased"
	KindPlaybookCommitted     Kind = "playbook.committed"
	KindPlaybookRegistered    Kind = "playbook.registered"
	KindExchangeOpened        Kind = "exchange.opened"
	KindExchangeTold          Kind = "exchange.told"
	KindPlantCreated          Kind = "plant.created"
	KindRowsArchived          Kind = "rows.archived"
)

// kindRow says what stands beside the fact of a kind.
type kindRow struct {
	make  func() Fact
	title string // for people
	// rules names what a fact of the kind has to hold to: by field, under
	// "postings" for its money, under "" for the fact as a whole where nothing
	// brings it about. What has no name here is called by kind and field.
	rules rules
}

type rules = map[string]string

// kinds has a row for every kind of fact. An entry of another kind stops the
// start, since a state without it would be wrong.
var kinds = map[Kind]kindRow{
	KindGenesis:               {fact[Founded], "The network begins", nil},
	KindAgentSpawned:          {fact[AgentSpawned], "Agent spawned, welcome grant credited", rules{"postings": "welcome grant"}},
	KindSponsorAdmitted:       {fact[SponsorAdmitted], "Sponsor admitted", rules{"": "sponsor's witness"}},
	KindSponsorDeposited:      {fact[SponsorDeposited], "Deposit booked", rules{"postings": "deposit"}},
	KindSponsorProposed:       {fact[SponsorProposed], "Sponsor proposed", nil},
	KindBadgeIssued:           {fact[BadgeIssued], "Badge issued", rules{"": "badge conditions", "agent": "badge conditions", "badge": "badge conditions", "reputation": "badge scores", "diversity": "badge scores", "size": ruleTree, "root": ruleTree}},
	KindBadgeRevocationBegun:  {fact[RevocationBegun], "Revocation begun", nil},
	KindBadgeRevoked:          {fact[BadgeRevoked], "Badge revoked", rules{"": "L6 revocation", "reason": "L6 revocation", "revoker": "L6 revocation", "witness": "L6 revocation"}},
	KindRevocationAppealed:    {fact[RevocationAppealed], "Revocation appealed", rules{"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindRevocationLapsed:      {fact[RevocationLapsed], "Revocation lapsed", rules{"revocation": ruleDue, "": ruleNotDue}},
	KindBadgeRestored:         {fact[BadgeRestored], "Badge restored", rules{"": "L6 revocation", "badge": "L6 revocation"}},
	KindCaseFiled:             {fact[ReportFiled], "Report filed", rules{"bond": "report bond", "postings": "report bond", "follows": "one case at a time", "waits": "panel drawn by signature", "panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindCaseJoined:            {fact[ReportJoined], "Report joined a case", rules{"case": "one case at a time", "state": "one case at a time", "bond": "report bond", "postings": "report bond"}},
	KindCaseDrawn:             {fact[CaseDrawn], "Panel drawn", rules{"panel": "panel drawn by signature", "ends": "verdict time", "size": ruleTree, "root": ruleTree}},
	KindCaseVerdict:           {fact[VerdictGiven], "Verdict given", rules{"state": "majority", "uphold": "hidden verdict"}},
	KindCaseRedrawn:           {fact[PanelDrawn], "Panel drawn again", rules{"case": ruleDue, "": ruleNotDue, "panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindCaseDecided:           {fact[CaseDecided], "Case decided", rules{"": "majority", "uphold": "majority", "until": "appeal time", "effect": "judgement", "overturn": "judgement", "penalty": "judgement", "standing": "judgement", "opened": "hidden verdict"}},
	KindCaseAppealed:          {fact[CaseAppealed], "Case appealed", rules{"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindCaseFinal:             {fact[CaseFinal], "Case final", rules{"case": ruleDue, "": ruleNotDue}},
	KindCasePaid:              {fact[CasePaid], "Payment of a case", rules{"case": ruleDue, "": ruleNotDue, "place": "review payments", "party": "review payments", "reason": "review payments", "amount": "review payments", "unpaid": "review payments", "postings": "review payments"}},
	KindAgentReinstated:       {fact[AgentReinstated], "Agent reinstated", nil},
	KindAgentFlagged:          {fact[AgentFlagged], "Agent flagged by detectors", rules{"": "detectors", "agent": "detectors", "date": "detectors", "detections": "detectors", "detector": "detectors", "have": "detectors", "most": "detectors", "unit": "detectors"}},
	KindNightStep:             {fact[NightStepped], "Night, next step", rules{"": "a date is closed once", "issued": "badge conditions", "from": "night judges all", "to": "night judges all", "judged": "night judges all", "again": "night judges all", "last": "night judges all"}},
	KindNightClosed:           {fact[NightClosed], "Night closed", rules{"": "night judges all", "judged": "night judges all", "issued": "night judges all"}},
	KindContractOpened:        {fact[ContractOpened], "Contract opened", rules{"postings": "contract budget"}},
	KindContractFunded:        {fact[ContractFunded], "Contract funded", rules{"postings": "contract budget"}},
	KindContractFinished:      {fact[ContractFinished], "Contract finished", rules{"campaign": ruleDue, "": ruleNotDue, "returned": "contract refund", "postings": "contract refund"}},
	KindExecution:             {fact[Executed], "Contract executed", rules{"tier": "tier rate", "payout": "tier rate", "used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "split 85/15", "clears": "clearing time", "newcomer": "newcomers' share"}},
	KindExecutionAccepted:     {fact[ExecutionsAccepted], "Executions accepted", rules{"": "accepted once", "executions": "accepted once", "sponsor": "accepted by its sponsor"}},
	KindExecutionReturned:     {fact[ExecutionReturnedFact], "Pay returned", rules{"": "returned before it cleared", "postings": "pay returned"}},
	KindAgentClaims:           {fact[ClaimsSet], "Claims declared", nil},
	KindAgentChannels:         {fact[ChannelsSet], "Channels subscribed", nil},
	KindWalletDeclared:        {fact[WalletDeclared], "Wallet address declared", nil},
	KindWalletConfirmed:       {fact[WalletConfirmed], "Wallet address confirmed", nil},
	KindAgentRoles:            {fact[RoleChanged], "Roles changed", nil},
	KindAgentWebhook:          {fact[WebhookSet], "Webhook set", nil},
	KindAgentRecovered:        {fact[AgentRecovered], "Agent given a new token", nil},
	KindTokenIssued:           {fact[TokenIssued], "Token issued", nil},
	KindTokenRevoked:          {fact[TokenRevoked], "Token revoked", nil},
	KindOperatorAdded:         {fact[OperatorAdded], "Operator added", nil},
	KindConstitutionAccepted:  {fact[ConstitutionAccepted], "Constitution accepted", nil},
	KindConstitutionAdopted:   {fact[ConstitutionAdopted], "Constitution adopted", rules{"": ruleNotDue, "version": ruleDue}},
	KindConstitutionAnnounced: {fact[ConstitutionAnnounced], "Constitution announced", rules{"effective": "notice of a constitution"}},
	KindConstitutionWitnessed: {fact[ConstitutionWitnessed], "Announced constitution confirmed", nil},
	KindConstitutionLapsed:    {fact[ConstitutionLapsed], "Announced constitution lapsed", rules{"id": ruleDue, "": ruleNotDue}},
	KindDispatchPublished:     {fact[Published], "Dispatch published", rules{"until": "crisis term", "held": "crisis term"}},
	KindCrisisResolved:        {fact[CrisisResolved], "Crisis resolved", rules{"dispatch": ruleDue, "": ruleNotDue}},
	KindWitnessDrawn:          {fact[WitnessDrawn], "Witnesses drawn", rules{"agents": "witnesses drawn by signature", "size": ruleTree, "root": ruleTree}},
	KindCrisisRenewed:         {fact[CrisisRenewed], "Crisis renewed", rules{"until": "crisis term", "running": "crisis term"}},
	KindFeedOpened:            {fact[FeedOpened], "Paid feed opened", rules{"postings": "feed price", "": "feed price"}},
	KindAttentionSent:         {fact[AttentionSent], "Attention asked for", rules{"price": "floor price", "backing": "backing", "expires": "deadline", "postings": "escrow"}},
	KindAttentionAnswered:     {fact[AttentionAnswered], "Attention given", rules{"used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "escrow"}},
	KindAttentionDeclined:     {fact[AttentionDeclined], "Attention declined", rules{"postings": "escrow refund"}},
	KindAttentionExpired:      {fact[AttentionExpired], "Attention request expired", rules{"id": ruleDue, "": ruleNotDue, "postings": "escrow refund"}},
	KindPrivateErased:         {fact[PrivateErased], "Private text erased", nil},
	KindPlaybookCommitted:     {fact[PlaybookCommitted], "Playbook committed to", rules{"": "committed once"}},
	KindPlaybookRegistered:    {fact[PlaybookRegistered], "Playbook registered", rules{"": "registered once"}},
	KindExchangeOpened:        {fact[ExchangeOpened], "Exchange opened", nil},
	KindExchangeTold:          {fact[ExchangeTold], "Exchange notices sent", rules{"": ruleNotDue}},
	KindPlantCreated:          {fact[PlantCreated], "Plant created", nil},
	KindRowsArchived:          {fact[RowsArchived], "Finished rows archived", rules{"": ruleNotDue, "contracts": "archived as they were", "cases": "archived as they were", "kept": "archived as they were"}},
}

// fact makes a maker for kinds.
func fact[T any, P interface {
	*T
	Fact
}]() Fact {
	return P(new(T))
}

// Kinds returns all kinds of entry, sorted by title.
func Kinds() []Kind {
	return slices.SortedFunc(maps.Keys(kinds), func(a, b Kind) int { return strings.Compare(a.Title(), b.Title()) })
}

// Title returns the kind in words for people: "Contract executed". A kind that
// this version does not know gives the words of its name.
func (k Kind) Title() string {
	if row, ok := kinds[k]; ok {
		return row.title
	}
	words := strings.NewReplacer(".", " ", "_", " ").Replace(string(k))
	return strings.ToUpper(words[:min(1, len(words))]) + words[min(1, len(words)):]
}
