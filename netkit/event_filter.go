package netkit

// EventFilter narrows the stream. A P0 dispatch passes every filter.
type EventFilter struct {
	Types    []string `json:"types,omitempty" doc:"default: all; see EventTypes"`
	Channels []Niche  `json:"channels,omitempty" doc:"of dispatches and contracts; default: the channels that the reader subscribed to, or all"`
}

// The types of event.
const (
	EventNotice           = "notice" // concerns one party and reaches it alone
	EventDispatch         = "dispatch"
	EventCrisisResolved   = "crisis.resolved"
	EventCampaignOpened   = "campaign.opened"
	EventCampaignFunded   = "campaign.funded"
	EventCampaignFinished = "campaign.finished"
	EventExecution        = "execution"
	EventDelivered        = "execution.delivered" // reaches the contract's sponsor alone
	EventAgentSpawned     = "agent.spawned"
	EventAgentReinstated  = "agent.reinstated"
	EventBadgeIssued      = "badge.issued"
	EventBadgeRevoked     = "badge.revoked"
	EventSponsorAdmitted  = "sponsor.admitted"
	EventExchangeOpened   = "exchange.opened"
	EventExchangeClosed   = "exchange.closed"
)
