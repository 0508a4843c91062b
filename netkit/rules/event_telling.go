package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// telling says how entries of a kind are told to everybody. Kinds without one
// are not: above all attention requests, whose parties get notices. A channel
// other than NoNiche lets subscriptions filter.
type telling struct {
	Name string
	data func(*Entry, *Private) (data any, channel netkit.Niche, err error)
}

// tellings has one for each public kind. None of them reads a private part but
// that of a free dispatch.
var tellings = map[netkit.Kind]telling{
	netkit.KindDispatchPublished: {netkit.EventDispatch, tellDispatch},
	netkit.KindCrisisResolved:    {netkit.EventCrisisResolved, told((*CrisisResolved).tell)},
	netkit.KindContractOpened:    {netkit.EventCampaignOpened, tellOpened},
	netkit.KindContractFunded:    {netkit.EventCampaignFunded, told((*ContractFunded).tell)},
	netkit.KindContractFinished:  {netkit.EventCampaignFinished, told((*ContractFinished).tell)},
	netkit.KindExecution:         {netkit.EventExecution, told((*Executed).tell)},
	netkit.KindAgentSpawned:      {netkit.EventAgentSpawned, told((*AgentSpawned).tell)},
	netkit.KindAgentReinstated:   {netkit.EventAgentReinstated, told((*AgentReinstated).tell)},
	netkit.KindBadgeIssued:       {netkit.EventBadgeIssued, told((*BadgeIssued).tell)},
	netkit.KindBadgeRevoked:      {netkit.EventBadgeRevoked, told((*BadgeRevoked).tell)},
	netkit.KindSponsorAdmitted:   {netkit.EventSponsorAdmitted, told((*SponsorAdmitted).tell)},
	netkit.KindExchangeOpened:    {netkit.EventExchangeOpened, told((*ExchangeOpened).tell)},
	netkit.KindExchangeClosed:    {netkit.EventExchangeClosed, told((*ExchangeClosed).tell)},
}

// Event makes the event that everybody may see of an entry.
func (t *telling) Event(e *Entry, p *Private) (ToldEvent, error) {
	data, channel, err := t.data(e, p)
	a := Audience{Kind: typeBit(t.Name)}
	if channel != netkit.NoNiche {
		a.channel = channelBits([]netkit.Niche{channel})
	}
	if f, ok := e.Fact.(*Published); ok {
		a.urgent = f.Priority == netkit.P0
	}
	return ToldEvent{netkit.Event{ID: e.Seq, Type: t.Name, Data: data}, a}, err
}

// told makes a telling of public facts alone.
func told[F Fact](tell func(F, *Entry) any) func(*Entry, *Private) (any, netkit.Niche, error) {
	return func(e *Entry, _ *Private) (any, netkit.Niche, error) { return tell(e.Fact.(F), e), netkit.NoNiche, nil }
}

// tellDispatch tells a P0 dispatch whole and all others as a notice. It asks
// for the priority itself, whatever a constitution calls free.
func tellDispatch(e *Entry, p *Private) (any, netkit.Niche, error) {
	f := e.Fact.(*Published)
	if f.Priority != netkit.P0 {
		return netkit.DispatchNotice{ID: e.Seq, Priority: f.Priority, Channel: f.Channel, PublishedAt: e.At}, f.Channel, nil
	}
	d, err := e.Dispatch(p, 0)
	return d, f.Channel, err
}

func tellOpened(e *Entry, _ *Private) (any, netkit.Niche, error) {
	f := e.Fact.(*ContractOpened)
	return netkit.CampaignNotice{CampaignID: e.Seq, Sponsor: f.Sponsor, Kind: f.Contract, Channel: f.Channel,
		Budget: f.Budget, Matching: f.Matching, Exclusive: f.Exclusive, Structured: f.Structured, BudgetADay: f.ADay, BudgetAnHour: f.AnHour, EndsAt: f.Ends, At: e.At}, f.Channel, nil
}

func (f *CrisisResolved) tell(e *Entry) any {
	return netkit.CrisisEnd{DispatchID: f.Dispatch, Running: f.Running, ResolvedAt: e.At}
}

func (f *ContractFunded) tell(e *Entry) any {
	return netkit.CampaignChange{CampaignID: f.Campaign, Sponsor: f.Sponsor, Amount: f.Amount, At: e.At}
}

func (f *ContractFinished) tell(e *Entry) any {
	return netkit.CampaignChange{CampaignID: f.Campaign, Sponsor: f.Sponsor, State: f.State, Amount: f.Returned, At: e.At}
}

func (f *Executed) tell(e *Entry) any {
	return netkit.ExecutionNotice{ExecutionID: e.Seq, CampaignID: f.Campaign, Agent: f.Agent, Sponsor: f.Sponsor, Tier: f.Tier, Payout: f.Payout, Structured: f.Structured, At: e.At}
}

func (f *AgentSpawned) tell(e *Entry) any { return netkit.AgentNotice{Agent: f.Agent, At: e.At} }

func (f *AgentReinstated) tell(e *Entry) any { return netkit.AgentNotice{Agent: f.Agent, At: e.At} }

func (f *SponsorAdmitted) tell(e *Entry) any {
	return netkit.SponsorNotice{Sponsor: f.Sponsor, Witness: f.Witness, At: e.At}
}

func (*ExchangeOpened) tell(e *Entry) any { return netkit.ExchangeNotice{At: e.At} }

func (*ExchangeClosed) tell(e *Entry) any { return netkit.ExchangeNotice{At: e.At} }

// EventOf returns the type of event that everybody may see of entries of a kind, and
// whether there is one.
func EventOf(k netkit.Kind) (string, bool) {
	t, ok := tellings[k]
	return t.Name, ok
}

// Event returns the event that everybody may see of an entry; see [EventOf].
func (e *Entry) Event(p *Private) (ToldEvent, error) {
	t := tellings[e.Kind]
	return t.Event(e, p)
}

// DeliveryEvent returns the event that tells a sponsor of an execution, whether its
// signal was resold, and the data of the signal.
func (e *Entry) DeliveryEvent(resold bool, data netkit.JSON) ToldEvent {
	f := e.Fact.(*Executed)
	told := f.tell(e).(netkit.ExecutionNotice)
	told.Resold, told.Data = resold, data
	return ToldEvent{netkit.Event{ID: e.Seq, Type: netkit.EventDelivered, Data: told}, Audience{Kind: typeBit(netkit.EventDelivered), ReaderSlug: f.Sponsor}}
}
