package netkit

import (
	"maps"
	"slices"
	"strings"
)

// Kind names what an entry records, such as "execution".
type Kind string

// The kinds of entry.
const (
	KindGenesis               Kind = "genesis"
	KindAgentSpawned          Kind = "agent.spawned"
	KindSponsorAdmitted       Kind = "sponsor.admitted"
	KindSponsorDeposited      Kind = "sponsor.deposited"
	KindSponsorProposed       Kind = "sponsor.proposed"
	KindSponsorStopped        Kind = "sponsor.stopped"
	KindSponsorRefunded       Kind = "sponsor.refunded"
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
	KindCirculationFiled      Kind = "case.circulation"
	KindNightStep             Kind = "night.step"
	KindNightClosed           Kind = "night.closed"
	KindContractOpened        Kind = "contract.opened"
	KindContractAgents        Kind = "contract.agents"
	KindContractInvited       Kind = "contract.invited"
	KindContractPaced         Kind = "contract.paced"
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
	KindWebhooksDelivered     Kind = "webhooks.delivered"
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
	KindExchangeClosed        Kind = "exchange.closed"
	KindExchangeTold          Kind = "exchange.told"
	KindPlantCreated          Kind = "plant.created"
	KindRowsArchived          Kind = "rows.archived"
	KindJournalRestored       Kind = "journal.restored"
)

// KindTitles has the title of every kind, for people.
var KindTitles = map[Kind]string{
	KindGenesis:               "The network begins",
	KindAgentSpawned:          "Agent spawned, welcome grant credited",
	KindSponsorAdmitted:       "Sponsor admitted",
	KindSponsorDeposited:      "Deposit booked",
	KindSponsorProposed:       "Sponsor proposed",
	KindSponsorStopped:        "Sponsor stopped",
	KindSponsorRefunded:       "Funds of a stopped sponsor returned",
	KindBadgeIssued:           "Badge issued",
	KindBadgeRevocationBegun:  "Revocation begun",
	KindBadgeRevoked:          "Badge revoked",
	KindRevocationAppealed:    "Revocation appealed",
	KindRevocationLapsed:      "Revocation lapsed",
	KindBadgeRestored:         "Badge restored",
	KindCaseFiled:             "Report filed",
	KindCaseJoined:            "Report joined a case",
	KindCaseDrawn:             "Panel drawn",
	KindCaseVerdict:           "Verdict given",
	KindCaseRedrawn:           "Panel drawn again",
	KindCaseDecided:           "Case decided",
	KindCaseAppealed:          "Case appealed",
	KindCaseFinal:             "Case final",
	KindCasePaid:              "Payment of a case",
	KindAgentReinstated:       "Agent reinstated",
	KindAgentFlagged:          "Agent flagged by detectors",
	KindCirculationFiled:      "Case of circulation filed by the night",
	KindNightStep:             "Night, next step",
	KindNightClosed:           "Night closed",
	KindContractOpened:        "Contract opened",
	KindContractAgents:        "Agents admitted or shut out",
	KindContractInvited:       "Agents invited to a contract",
	KindContractPaced:         "Budgets of a day and an hour set",
	KindContractFunded:        "Contract funded",
	KindContractFinished:      "Contract finished",
	KindExecution:             "Contract executed",
	KindExecutionAccepted:     "Executions accepted",
	KindExecutionReturned:     "Pay returned",
	KindAgentClaims:           "Claims declared",
	KindAgentChannels:         "Channels subscribed",
	KindWalletDeclared:        "Wallet address declared",
	KindWalletConfirmed:       "Wallet address confirmed",
	KindAgentRoles:            "Roles changed",
	KindAgentWebhook:          "Webhook set",
	KindWebhooksDelivered:     "Positions of webhooks recorded",
	KindAgentRecovered:        "Agent given a new token",
	KindTokenIssued:           "Token issued",
	KindTokenRevoked:          "Token revoked",
	KindOperatorAdded:         "Operator added",
	KindConstitutionAccepted:  "Constitution accepted",
	KindConstitutionAdopted:   "Constitution adopted",
	KindConstitutionAnnounced: "Constitution announced",
	KindConstitutionWitnessed: "Announced constitution confirmed",
	KindConstitutionLapsed:    "Announced constitution lapsed",
	KindDispatchPublished:     "Dispatch published",
	KindCrisisResolved:        "Crisis resolved",
	KindWitnessDrawn:          "Witnesses drawn",
	KindCrisisRenewed:         "Crisis renewed",
	KindFeedOpened:            "Paid feed opened",
	KindAttentionSent:         "Attention asked for",
	KindAttentionAnswered:     "Attention given",
	KindAttentionDeclined:     "Attention declined",
	KindAttentionExpired:      "Attention request expired",
	KindPrivateErased:         "Private text erased",
	KindPlaybookCommitted:     "Playbook committed to",
	KindPlaybookRegistered:    "Playbook registered",
	KindExchangeOpened:        "Exchange opened",
	KindExchangeClosed:        "Exchange closed",
	KindExchangeTold:          "Exchange notices sent",
	KindPlantCreated:          "Plant created",
	KindRowsArchived:          "Finished rows archived",
	KindJournalRestored:       "Journal restored from a backup",
}

// Kinds returns all kinds of entry, sorted by title.
func Kinds() []Kind {
	return slices.SortedFunc(maps.Keys(KindTitles), func(a, b Kind) int { return strings.Compare(a.Title(), b.Title()) })
}

// Title returns the kind in words for people: "Contract executed". A kind that
// this version does not know gives the words of its name.
func (k Kind) Title() string {
	if title, ok := KindTitles[k]; ok {
		return title
	}
	words := strings.NewReplacer(".", " ", "_", " ").Replace(string(k))
	return strings.ToUpper(words[:min(1, len(words))]) + words[min(1, len(words)):]
}
