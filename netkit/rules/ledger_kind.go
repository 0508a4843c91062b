package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// kindRow says what stands beside the fact of a kind.
type kindRow struct {
	form func() form
	// rules names what a fact of the kind has to hold to: by field, under
	// "postings" for its money, under "" for the fact as a whole where nothing
	// brings it about. What has no name here is called by kind and field.
	rules rules
}

type rules = map[string]string

// make returns an empty fact of the kind.
func (r kindRow) make() Fact { return r.form().make() }

// Kinds has a row for every kind of fact. An entry of another kind stops the
// start, since a state without it would be wrong.
var Kinds = map[netkit.Kind]kindRow{
	netkit.KindGenesis:               {fact[Founded], nil},
	netkit.KindAgentSpawned:          {flat[AgentSpawned], rules{"postings": "welcome grant"}},
	netkit.KindSponsorAdmitted:       {flat[SponsorAdmitted], rules{"": "sponsor's witness"}},
	netkit.KindSponsorDeposited:      {flat[SponsorDeposited], rules{"postings": "deposit"}},
	netkit.KindSponsorProposed:       {flat[SponsorProposed], nil},
	netkit.KindSponsorStopped:        {flat[SponsorStopped], rules{"contracts": "contracts end with their sponsor", "budgets": "contracts end with their sponsor", "postings": "funds returned"}},
	netkit.KindSponsorRefunded:       {flat[SponsorRefunded], rules{"": ruleNotDue, "sponsor": ruleDue, "stop": ruleDue, "amount": "funds returned", "postings": "funds returned"}},
	netkit.KindBadgeIssued:           {flat[BadgeIssued], rules{"": "badge conditions", "agent": "badge conditions", "badge": "badge conditions", "reputation": "badge scores", "diversity": "badge scores", "size": ruleTree, "root": ruleTree}},
	netkit.KindBadgeRevocationBegun:  {flat[RevocationBegun], nil},
	netkit.KindBadgeRevoked:          {flat[BadgeRevoked], rules{"": "L6 revocation", "reason": "L6 revocation", "revoker": "L6 revocation", "witness": "L6 revocation"}},
	netkit.KindRevocationAppealed:    {fact[RevocationAppealed], rules{"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	netkit.KindRevocationLapsed:      {flat[RevocationLapsed], rules{"revocation": ruleDue, "": ruleNotDue}},
	netkit.KindBadgeRestored:         {flat[BadgeRestored], rules{"": "L6 revocation", "badge": "L6 revocation"}},
	netkit.KindCaseFiled:             {fact[ReportFiled], rules{"bond": "report bond", "postings": "report bond", "follows": "one case at a time", "waits": "panel drawn by signature", "panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	netkit.KindCaseJoined:            {fact[ReportJoined], rules{"case": "one case at a time", "state": "one case at a time", "bond": "report bond", "postings": "report bond"}},
	netkit.KindCaseDrawn:             {fact[CaseDrawn], rules{"panel": "panel drawn by signature", "ends": "verdict time", "size": ruleTree, "root": ruleTree}},
	netkit.KindCaseVerdict:           {fact[VerdictGiven], rules{"state": "majority", "uphold": "hidden verdict"}},
	netkit.KindCaseRedrawn:           {fact[PanelDrawn], rules{"case": ruleDue, "": ruleNotDue, "panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	netkit.KindCaseDecided:           {fact[CaseDecided], rules{"": "majority", "uphold": "majority", "until": "appeal time", "effect": "judgement", "overturn": "judgement", "penalty": "judgement", "standing": "judgement", "opened": "hidden verdict"}},
	netkit.KindCaseAppealed:          {fact[CaseAppealed], rules{"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	netkit.KindCaseFinal:             {flat[CaseFinal], rules{"case": ruleDue, "": ruleNotDue}},
	netkit.KindCasePaid:              {flat[CasePaid], rules{"case": ruleDue, "": ruleNotDue, "place": "review payments", "party": "review payments", "reason": "review payments", "amount": "review payments", "unpaid": "review payments", "postings": "review payments"}},
	netkit.KindAgentReinstated:       {flat[AgentReinstated], nil},
	netkit.KindAgentFlagged:          {fact[AgentFlagged], rules{"": "detectors", "agent": "detectors", "date": "detectors", "detections": "detectors", "detector": "detectors", "have": "detectors", "most": "detectors", "unit": "detectors"}},
	netkit.KindCirculationFiled:      {fact[CirculationFiled], rules{"": "detectors", "subject": "detectors", "reported": "detectors", "date": "detectors", "have": "detectors", "most": "detectors", "ends": "detectors"}},
	netkit.KindNightStep:             {fact[NightStepped], rules{"": "a date is closed once", "issued": "badge conditions", "from": "night judges all", "to": "night judges all", "judged": "night judges all", "again": "night judges all", "last": "night judges all"}},
	netkit.KindNightClosed:           {flat[NightClosed], rules{"": "night judges all", "judged": "night judges all", "issued": "night judges all"}},
	netkit.KindContractOpened:        {fact[ContractOpened], rules{"postings": "contract budget"}},
	netkit.KindContractAgents:        {fact[AgentsSet], nil},
	netkit.KindContractInvited:       {fact[AgentsInvited], nil},
	netkit.KindContractPaced:         {fact[PaceSet], nil},
	netkit.KindContractFunded:        {flat[ContractFunded], rules{"postings": "contract budget"}},
	netkit.KindContractFinished:      {flat[ContractFinished], rules{"campaign": ruleDue, "": ruleNotDue, "returned": "contract refund", "postings": "contract refund"}},
	netkit.KindExecution:             {flat[Executed], rules{"tier": "tier rate", "payout": "tier rate", "used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "split 85/15", "clears": "clearing time", "newcomer": "newcomers' share"}},
	netkit.KindExecutionAccepted:     {fact[ExecutionsAccepted], rules{"": "accepted once", "executions": "accepted once", "sponsor": "accepted by its sponsor"}},
	netkit.KindExecutionReturned:     {fact[ExecutionReturnedFact], rules{"": "returned before it cleared", "postings": "pay returned"}},
	netkit.KindAgentClaims:           {flat[ClaimsSet], nil},
	netkit.KindAgentChannels:         {fact[ChannelsSet], nil},
	netkit.KindWalletDeclared:        {flat[WalletDeclared], nil},
	netkit.KindWalletConfirmed:       {flat[WalletConfirmed], nil},
	netkit.KindAgentRoles:            {fact[RoleChanged], nil},
	netkit.KindAgentWebhook:          {flat[WebhookSet], nil},
	netkit.KindWebhooksDelivered:     {flat[WebhooksDelivered], nil},
	netkit.KindAgentRecovered:        {flat[AgentRecovered], nil},
	netkit.KindTokenIssued:           {flat[TokenIssued], nil},
	netkit.KindTokenRevoked:          {flat[TokenRevoked], nil},
	netkit.KindOperatorAdded:         {flat[OperatorAdded], nil},
	netkit.KindConstitutionAccepted:  {flat[ConstitutionAccepted], nil},
	netkit.KindConstitutionAdopted:   {fact[ConstitutionAdopted], rules{"": ruleNotDue, "version": ruleDue}},
	netkit.KindConstitutionAnnounced: {fact[ConstitutionAnnounced], rules{"effective": "notice of a constitution"}},
	netkit.KindConstitutionWitnessed: {flat[ConstitutionWitnessed], nil},
	netkit.KindConstitutionLapsed:    {flat[ConstitutionLapsed], rules{"id": ruleDue, "": ruleNotDue}},
	netkit.KindDispatchPublished:     {flat[Published], rules{"until": "crisis term", "held": "crisis term"}},
	netkit.KindCrisisResolved:        {flat[CrisisResolved], rules{"dispatch": ruleDue, "": ruleNotDue}},
	netkit.KindWitnessDrawn:          {fact[WitnessDrawn], rules{"agents": "witnesses drawn by signature", "size": ruleTree, "root": ruleTree}},
	netkit.KindCrisisRenewed:         {flat[CrisisRenewed], rules{"until": "crisis term", "running": "crisis term"}},
	netkit.KindFeedOpened:            {fact[FeedOpened], rules{"postings": "feed price", "": "feed price"}},
	netkit.KindAttentionSent:         {flat[AttentionSent], rules{"price": "floor price", "backing": "backing", "expires": "deadline", "postings": "escrow"}},
	netkit.KindAttentionAnswered:     {flat[AttentionAnswered], rules{"used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "escrow"}},
	netkit.KindAttentionDeclined:     {flat[AttentionDeclined], rules{"postings": "escrow refund"}},
	netkit.KindAttentionExpired:      {flat[AttentionExpired], rules{"id": ruleDue, "": ruleNotDue, "postings": "escrow refund"}},
	netkit.KindPrivateErased:         {flat[PrivateErased], nil},
	netkit.KindPlaybookCommitted:     {flat[PlaybookCommitted], rules{"": "committed once"}},
	netkit.KindPlaybookRegistered:    {flat[PlaybookRegistered], rules{"": "registered once"}},
	netkit.KindExchangeOpened:        {flat[ExchangeOpened], nil},
	netkit.KindExchangeClosed:        {flat[ExchangeClosed], nil},
	netkit.KindExchangeTold:          {flat[ExchangeTold], rules{"": ruleNotDue}},
	netkit.KindPlantCreated:          {flat[PlantCreated], nil},
	netkit.KindRowsArchived:          {fact[RowsArchived], rules{"": ruleNotDue, "contracts": "archived as they were", "cases": "archived as they were", "kept": "archived as they were", "dispatches": "archived as they were", "admissions": "archived as they were"}},
	netkit.KindJournalRestored:       {flat[JournalRestored], rules{"size": ruleTree, "root": ruleTree}},
}
