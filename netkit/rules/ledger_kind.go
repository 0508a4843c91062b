package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// kindRow says what stands beside the fact of a kind.
type kindRow struct {
	make func() Fact
	// rules names what a fact of the kind has to hold to: by field, under
	// "postings" for its money, under "" for the fact as a whole where nothing
	// brings it about. What has no name here is called by kind and field.
	rules rules
}

type rules = map[string]string

// Kinds has a row for every kind of fact. An entry of another kind stops the
// start, since a state without it would be wrong.
var Kinds = map[netkit.Kind]kindRow{
	netkit.KindGenesis:               {fact[Founded], nil},
	netkit.KindAgentSpawned:          {fact[AgentSpawned], rules{"postings": "welcome grant"}},
	netkit.KindSponsorAdmitted:       {fact[SponsorAdmitted], rules{"": "sponsor's witness"}},
	netkit.KindSponsorDeposited:      {fact[SponsorDeposited], rules{"postings": "deposit"}},
	netkit.KindSponsorProposed:       {fact[SponsorProposed], nil},
	netkit.KindSponsorStopped:        {fact[SponsorStopped], rules{"contracts": "contracts end with their sponsor", "budgets": "contracts end with their sponsor", "postings": "funds returned"}},
	netkit.KindSponsorRefunded:       {fact[SponsorRefunded], rules{"": ruleNotDue, "sponsor": ruleDue, "stop": ruleDue, "amount": "funds returned", "postings": "funds returned"}},
	netkit.KindBadgeIssued:           {fact[BadgeIssued], rules{"": "badge conditions", "agent": "badge conditions", "badge": "badge conditions", "reputation": "badge scores", "diversity": "badge scores", "size": ruleTree, "root": ruleTree}},
	netkit.KindBadgeRevocationBegun:  {fact[RevocationBegun], nil},
	netkit.KindBadgeRevoked:          {fact[BadgeRevoked], rules{"": "L6 revocation", "reason": "L6 revocation", "revoker": "L6 revocation", "witness": "L6 revocation"}},
	netkit.KindRevocationAppealed:    {fact[RevocationAppealed], rules{"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	netkit.KindRevocationLapsed:      {fact[RevocationLapsed], rules{"revocation": ruleDue, "": ruleNotDue}},
	netkit.KindBadgeRestored:         {fact[BadgeRestored], rules{"": "L6 revocation", "badge": "L6 revocation"}},
	netkit.KindCaseFiled:             {fact[ReportFiled], rules{"bond": "report bond", "postings": "report bond", "follows": "one case at a time", "waits": "panel drawn by signature", "panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	netkit.KindCaseJoined:            {fact[ReportJoined], rules{"case": "one case at a time", "state": "one case at a time", "bond": "report bond", "postings": "report bond"}},
	netkit.KindCaseDrawn:             {fact[CaseDrawn], rules{"panel": "panel drawn by signature", "ends": "verdict time", "size": ruleTree, "root": ruleTree}},
	netkit.KindCaseVerdict:           {fact[VerdictGiven], rules{"state": "majority", "uphold": "hidden verdict"}},
	netkit.KindCaseRedrawn:           {fact[PanelDrawn], rules{"case": ruleDue, "": ruleNotDue, "panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	netkit.KindCaseDecided:           {fact[CaseDecided], rules{"": "majority", "uphold": "majority", "until": "appeal time", "effect": "judgement", "overturn": "judgement", "penalty": "judgement", "standing": "judgement", "opened": "hidden verdict"}},
	netkit.KindCaseAppealed:          {fact[CaseAppealed], rules{"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	netkit.KindCaseFinal:             {fact[CaseFinal], rules{"case": ruleDue, "": ruleNotDue}},
	netkit.KindCasePaid:              {fact[CasePaid], rules{"case": ruleDue, "": ruleNotDue, "place": "review payments", "party": "review payments", "reason": "review payments", "amount": "review payments", "unpaid": "review payments", "postings": "review payments"}},
	netkit.KindAgentReinstated:       {fact[AgentReinstated], nil},
	netkit.KindAgentFlagged:          {fact[AgentFlagged], rules{"": "detectors", "agent": "detectors", "date": "detectors", "detections": "detectors", "detector": "detectors", "have": "detectors", "most": "detectors", "unit": "detectors"}},
	netkit.KindCirculationFiled:      {fact[CirculationFiled], rules{"": "detectors", "subject": "detectors", "reported": "detectors", "date": "detectors", "have": "detectors", "most": "detectors", "ends": "detectors"}},
	netkit.KindNightStep:             {fact[NightStepped], rules{"": "a date is closed once", "issued": "badge conditions", "from": "night judges all", "to": "night judges all", "judged": "night judges all", "again": "night judges all", "last": "night judges all"}},
	netkit.KindNightClosed:           {fact[NightClosed], rules{"": "night judges all", "judged": "night judges all", "issued": "night judges all"}},
	netkit.KindContractOpened:        {fact[ContractOpened], rules{"postings": "contract budget"}},
	netkit.KindContractFunded:        {fact[ContractFunded], rules{"postings": "contract budget"}},
	netkit.KindContractFinished:      {fact[ContractFinished], rules{"campaign": ruleDue, "": ruleNotDue, "returned": "contract refund", "postings": "contract refund"}},
	netkit.KindExecution:             {fact[Executed], rules{"tier": "tier rate", "payout": "tier rate", "used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "split 85/15", "clears": "clearing time", "newcomer": "newcomers' share"}},
	netkit.KindExecutionAccepted:     {fact[ExecutionsAccepted], rules{"": "accepted once", "executions": "accepted once", "sponsor": "accepted by its sponsor"}},
	netkit.KindExecutionReturned:     {fact[ExecutionReturnedFact], rules{"": "returned before it cleared", "postings": "pay returned"}},
	netkit.KindAgentClaims:           {fact[ClaimsSet], nil},
	netkit.KindAgentChannels:         {fact[ChannelsSet], nil},
	netkit.KindWalletDeclared:        {fact[WalletDeclared], nil},
	netkit.KindWalletConfirmed:       {fact[WalletConfirmed], nil},
	netkit.KindAgentRoles:            {fact[RoleChanged], nil},
	netkit.KindAgentWebhook:          {fact[WebhookSet], nil},
	netkit.KindAgentRecovered:        {fact[AgentRecovered], nil},
	netkit.KindTokenIssued:           {fact[TokenIssued], nil},
	netkit.KindTokenRevoked:          {fact[TokenRevoked], nil},
	netkit.KindOperatorAdded:         {fact[OperatorAdded], nil},
	netkit.KindConstitutionAccepted:  {fact[ConstitutionAccepted], nil},
	netkit.KindConstitutionAdopted:   {fact[ConstitutionAdopted], rules{"": ruleNotDue, "version": ruleDue}},
	netkit.KindConstitutionAnnounced: {fact[ConstitutionAnnounced], rules{"effective": "notice of a constitution"}},
	netkit.KindConstitutionWitnessed: {fact[ConstitutionWitnessed], nil},
	netkit.KindConstitutionLapsed:    {fact[ConstitutionLapsed], rules{"id": ruleDue, "": ruleNotDue}},
	netkit.KindDispatchPublished:     {fact[Published], rules{"until": "crisis term", "held": "crisis term"}},
	netkit.KindCrisisResolved:        {fact[CrisisResolved], rules{"dispatch": ruleDue, "": ruleNotDue}},
	netkit.KindWitnessDrawn:          {fact[WitnessDrawn], rules{"agents": "witnesses drawn by signature", "size": ruleTree, "root": ruleTree}},
	netkit.KindCrisisRenewed:         {fact[CrisisRenewed], rules{"until": "crisis term", "running": "crisis term"}},
	netkit.KindFeedOpened:            {fact[FeedOpened], rules{"postings": "feed price", "": "feed price"}},
	netkit.KindAttentionSent:         {fact[AttentionSent], rules{"price": "floor price", "backing": "backing", "expires": "deadline", "postings": "escrow"}},
	netkit.KindAttentionAnswered:     {fact[AttentionAnswered], rules{"used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "escrow"}},
	netkit.KindAttentionDeclined:     {fact[AttentionDeclined], rules{"postings": "escrow refund"}},
	netkit.KindAttentionExpired:      {fact[AttentionExpired], rules{"id": ruleDue, "": ruleNotDue, "postings": "escrow refund"}},
	netkit.KindPrivateErased:         {fact[PrivateErased], nil},
	netkit.KindPlaybookCommitted:     {fact[PlaybookCommitted], rules{"": "committed once"}},
	netkit.KindPlaybookRegistered:    {fact[PlaybookRegistered], rules{"": "registered once"}},
	netkit.KindExchangeOpened:        {fact[ExchangeOpened], nil},
	netkit.KindExchangeClosed:        {fact[ExchangeClosed], nil},
	netkit.KindExchangeTold:          {fact[ExchangeTold], rules{"": ruleNotDue}},
	netkit.KindPlantCreated:          {fact[PlantCreated], nil},
	netkit.KindRowsArchived:          {fact[RowsArchived], rules{"": ruleNotDue, "contracts": "archived as they were", "cases": "archived as they were", "kept": "archived as they were", "dispatches": "archived as they were", "admissions": "archived as they were"}},
	netkit.KindJournalRestored:       {fact[JournalRestored], rules{"size": ruleTree, "root": ruleTree}},
}

// fact makes a maker for kinds.
func fact[T any, P interface {
	*T
	Fact
}]() Fact {
	return P(new(T))
}
