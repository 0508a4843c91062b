package netkit

// The types of event.
const (
	EventNotice           = "notice" // concerns one agent and reaches it alone
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
)

// DispatchNotice tells that a paid dispatch was published, and nothing of
// what it says.
type DispatchNotice struct {
	ID          uint64   `json:"id"`
	Priority    Priority `json:"priority"`
	Channel     Niche    `json:"channel"`
	PublishedAt Millis   `json:"published_at"`
}

// CrisisEnd tells that a crisis was resolved.
type CrisisEnd struct {
	DispatchID uint64 `json:"dispatch_id"`
	Running    uint32 `json:"running" doc:"crises that go on"`
	ResolvedAt Millis `json:"resolved_at"`
}

// CampaignNotice tells of a contract without its texts.
type CampaignNotice struct {
	CampaignID uint64        `json:"campaign_id"`
	Sponsor    string        `json:"sponsor"`
	Kind       ContractKind  `json:"kind"`
	Channel    Niche         `json:"channel"`
	Budget     Credits       `json:"budget"`
	Matching   Matching      `json:"matching"`
	EndsAt     Millis        `json:"ends_at,omitempty"`
	State      ContractState `json:"state"`
	At         Millis        `json:"at"`
}

// CampaignChange tells that a contract was topped up or ended.
type CampaignChange struct {
	CampaignID uint64        `json:"campaign_id"`
	Sponsor    string        `json:"sponsor"`
	State      ContractState `json:"state"`
	Amount     Credits       `json:"amount" doc:"added, or returned to the sponsor"`
	At         Millis        `json:"at"`
}

// ExecutionNotice tells the public facts of an execution.
type ExecutionNotice struct {
	ExecutionID uint64  `json:"execution_id"`
	CampaignID  uint64  `json:"campaign_id"`
	Agent       string  `json:"agent"`
	Sponsor     string  `json:"sponsor"`
	Tier        Tier    `json:"tier"`
	Payout      Credits `json:"payout"`
	At          Millis  `json:"at"`
}

// SponsorNotice tells that a sponsor was admitted.
type SponsorNotice struct {
	Sponsor string `json:"sponsor"`
	Witness string `json:"witness,omitempty"`
	At      Millis `json:"at"`
}

// ExchangeNotice tells that the playbook exchange was opened.
type ExchangeNotice struct {
	At Millis `json:"at"`
}

// AgentNotice tells of an agent.
type AgentNotice struct {
	Agent string `json:"agent"`
	At    Millis `json:"at"`
}

// telling says how entries of a kind are told to everybody. Kinds without one
// are not: above all attention requests, whose parties get notices. A channel
// other than NoNiche lets subscriptions filter.
type telling struct {
	name string
	data func(*Entry, *private) (data any, channel Niche, err error)
}

// tellings has one for each public kind. None of them reads a private part but
// that of a free dispatch.
var tellings = map[Kind]telling{
	KindDispatchPublished: {EventDispatch, tellDispatch},
	KindCrisisResolved:    {EventCrisisResolved, told((*CrisisResolved).tell)},
	KindContractOpened:    {EventCampaignOpened, tellOpened},
	KindContractFunded:    {EventCampaignFunded, told((*ContractFunded).tell)},
	KindContractFinished:  {EventCampaignFinished, told((*ContractFinished).tell)},
	KindExecution:         {EventExecution, told((*Executed).tell)},
	KindAgentSpawned:      {EventAgentSpawned, told((*AgentSpawned).tell)},
	KindAgentReinstated:   {EventAgentReinstated, told((*AgentReinstated).tell)},
	KindBadgeIssued:       {EventBadgeIssued, told((*BadgeIssued).tell)},
	KindBadgeRevoked:      {EventBadgeRevoked, told((*BadgeRevoked).tell)},
	KindSponsorAdmitted:   {EventSponsorAdmitted, told((*SponsorAdmitted).tell)},
	KindExchangeOpened:    {EventExchangeOpened, told((*ExchangeOpened).tell)},
}

// event makes the event that everybody may see of an entry.
func (t *telling) event(e *Entry, p *private) (ToldEvent, error) {
	data, channel, err := t.data(e, p)
	a := Audience{kind: typeBit(t.name)}
	if channel != NoNiche {
		a.channel = channelBits([]Niche{channel})
	}
	if f, ok := e.Fact.(*Published); ok {
		a.urgent = f.Priority == P0
	}
	return ToldEvent{Event{e.Seq, t.name, data}, a}, err
}

// told makes a telling of public facts alone.
func told[F Fact](tell func(F, *Entry) any) func(*Entry, *private) (any, Niche, error) {
	return func(e *Entry, _ *private) (any, Niche, error) { return tell(e.Fact.(F), e), NoNiche, nil }
}

// tellDispatch tells a P0 dispatch whole and all others as a notice. It asks
// for the priority itself, whatever a constitution calls free.
func tellDispatch(e *Entry, p *private) (any, Niche, error) {
	f := e.Fact.(*Published)
	if f.Priority != P0 {
		return DispatchNotice{e.Seq, f.Priority, f.Channel, e.At}, f.Channel, nil
	}
	d, err := e.dispatch(p, 0)
	return d, f.Channel, err
}

func tellOpened(e *Entry, _ *private) (any, Niche, error) {
	f := e.Fact.(*ContractOpened)
	return CampaignNotice{CampaignID: e.Seq, Sponsor: f.Sponsor, Kind: f.Contract, Channel: f.Channel,
		Budget: f.Budget, Matching: f.Matching, EndsAt: f.Ends, At: e.At}, f.Channel, nil
}

func (f *CrisisResolved) tell(e *Entry) any { return CrisisEnd{f.Dispatch, f.Running, e.At} }

func (f *ContractFunded) tell(e *Entry) any {
	return CampaignChange{CampaignID: f.Campaign, Sponsor: f.Sponsor, Amount: f.Amount, At: e.At}
}

func (f *ContractFinished) tell(e *Entry) any {
	return CampaignChange{CampaignID: f.Campaign, Sponsor: f.Sponsor, State: f.State, Amount: f.Returned, At: e.At}
}

func (f *Executed) tell(e *Entry) any {
	return ExecutionNotice{e.Seq, f.Campaign, f.Agent, f.Sponsor, f.Tier, f.Payout, e.At}
}

func (f *AgentSpawned) tell(e *Entry) any { return AgentNotice{f.Agent, e.At} }

func (f *AgentReinstated) tell(e *Entry) any { return AgentNotice{f.Agent, e.At} }

func (f *SponsorAdmitted) tell(e *Entry) any { return SponsorNotice{f.Sponsor, f.Witness, e.At} }

func (*ExchangeOpened) tell(e *Entry) any { return ExchangeNotice{e.At} }
