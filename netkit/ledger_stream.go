package netkit

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
)

// Event is something that happened, as the stream tells it. ID is the
// sequence number of its entry: a reader resumes behind the last it saw.
type Event struct {
	ID   uint64 `json:"id"`
	Type string `json:"type"`
	Data any    `json:"data"`
}

// Size returns the number of durable entries.
func (n *Network) Size() uint64 { return n.durable.Size() }

// Events tells what happens after an entry, and blocks for more until the
// context ends. Whoever wants only what is new begins after the greatest
// number there is; new is what comes after this call, though the events are
// asked for later. Nothing in it was paid for: P0 dispatches come whole, P1
// and P2 as notices, contracts without their texts. What concerns one party
// alone reaches that party alone, as events of type "notice".
//
// Each call reads and decodes the journal for itself; [Network.Stretch] serves
// many readers from one reading.
func (ses *Session) Events(ctx context.Context, after uint64, filter EventFilter) iter.Seq2[Event, error] {
	from := ses.n.Size() // now, not when the reader comes to it: a call that follows this one is new
	if after < from {
		from = after + 1
	}
	return func(yield func(Event, error) bool) {
		sub, err := ses.Subscribe(filter)
		if err != nil {
			yield(Event{}, err)
			return
		}
		for next := from; ; {
			to, err := ses.n.WaitDurable(ctx, next+1)
			if err != nil {
				return
			}
			ses.n.Resubscribe(&sub)
			for e, err := range ses.n.EventsBetween(ctx, &sub, next, to) {
				if ctx.Err() != nil || !yield(e, err) || err != nil {
					return
				}
			}
			next = to
		}
	}
}

// EventsBetween yields what the durable entries [from, to) tell one reader. An
// error ends the sequence.
func (n *Network) EventsBetween(ctx context.Context, sub *Subscription, from, to uint64) iter.Seq2[Event, error] {
	r := entryRun{n: n, only: sub, from: from, to: min(to, n.Size()), notices: n.ownNotices(sub.reader, from)}
	return func(yield func(Event, error) bool) {
		for e, err := range r.events(ctx) {
			if (err != nil || sub.Wants(&e.Audience)) && !yield(e.Event, err) {
				return
			}
		}
	}
}

// ownNotices returns what the state keeps of a reader's notices from an entry
// on. The state may be ahead of the journal and know notices of entries that
// will be lost; they lie beyond what is durable, and so are never told.
func (n *Network) ownNotices(reader string, from uint64) (own []addressed) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	_, p, ok := n.state.party(reader)
	if !ok {
		return nil
	}
	for _, t := range n.state.extra(p).notices {
		if t.seq >= from {
			own = append(own, addressed{t, reader})
		}
	}
	return own
}

// ToldEvent is an event with who is told it.
type ToldEvent struct {
	Event
	Audience
}

// Stretch is what a run of entries tells all readers together.
type Stretch struct {
	Events []ToldEvent // in the order of their entries
	// Erased is the latest entry whose private part was erased by one of these
	// entries, 0 if there is none. What was told of it before may hold the text.
	Erased uint64
	// Changes moves whenever a token ended, a subscription to channels changed or
	// a webhook was set, removed or erased since the last stretch: ask again for
	// them then.
	Changes uint64
	// Partial means that Events lacks notices, since too many came at once:
	// read these entries with [Network.EventsBetween] for each reader.
	Partial bool
}

// Stretch reads what the durable entries [from, to) tell all readers, so that
// each entry is decoded once, however many there are. It serves those who keep
// up: from must not lie before the start of this process.
func (n *Network) Stretch(ctx context.Context, from, to uint64) (Stretch, error) {
	var s Stretch
	r := entryRun{n: n, from: from, to: min(to, n.Size()), erased: &s.Erased}
	n.mu.RLock()
	notices, whole := n.state.recent.between(r.from, r.to)
	s.Changes = n.state.recent.changes + n.secrets.Tokens.Ended()
	n.mu.RUnlock()
	r.notices, s.Partial = notices, !whole
	for e, err := range r.events(ctx) {
		if err != nil {
			return s, err
		}
		s.Events = append(s.Events, e)
	}
	return s, nil
}

// entryRun goes through a run of durable entries and makes the events that they
// tell. What the notices are is looked up once, so that an entry costs no lock.
type entryRun struct {
	n        *Network
	only     *Subscription // of the only reader, so that what it cannot want is not decoded; nil for all readers
	from, to uint64
	notices  []addressed // to be told, in the order of their entries
	erased   *uint64     // receives the latest erased entry; may be nil
	told     []ToldEvent // of the record at hand
}

// events yields what the entries tell, first to everybody, then to single
// readers.
func (r *entryRun) events(ctx context.Context) iter.Seq2[ToldEvent, error] {
	return func(yield func(ToldEvent, error) bool) {
		for rec, err := range r.n.store.Read(ctx, r.from, r.to) {
			if err == nil {
				err = r.record(rec)
			}
			if err != nil {
				yield(ToldEvent{}, entryDamaged(err))
				return
			}
			for _, e := range r.told {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// record makes the events of one record.
func (r *entryRun) record(rec journal.Record) error {
	r.told = r.told[:0]
	kind := peekKind(rec.Public)
	t, public := tellings[kind]
	public = public && (r.only == nil || r.only.mayWant(t.name))
	delivers := kind == KindExecution && (r.only == nil || r.only.mayWant(EventDelivered))
	notices := r.noticesOf(rec.Seq)
	erases := r.erased != nil && kind == KindPrivateErased
	if !public && !delivers && len(notices) == 0 && !erases {
		return nil
	}
	e, p, err := r.n.decode(rec)
	if err != nil {
		return err
	}
	if erases {
		*r.erased = max(*r.erased, e.Fact.(*PrivateErased).Entry)
	}
	if public {
		ev, err := t.event(e, p)
		if err != nil {
			return err
		}
		r.told = append(r.told, ev)
	}
	if delivers {
		f := e.Fact.(*Executed)
		r.told = append(r.told, ToldEvent{Event{e.Seq, EventDelivered, f.tell(e)}, Audience{kind: typeBit(EventDelivered), reader: f.Sponsor}})
	}
	for _, t := range notices {
		r.told = append(r.told, ToldEvent{Event{e.Seq, EventNotice, t.what.render(e, t.reader)}, Audience{kind: typeBit(EventNotice), reader: t.reader}})
	}
	return nil
}

// noticesOf takes the notices of entry seq, and drops those of earlier ones.
func (r *entryRun) noticesOf(seq uint64) []addressed {
	for len(r.notices) > 0 && r.notices[0].what.seq < seq {
		r.notices = r.notices[1:]
	}
	n := 0
	for n < len(r.notices) && r.notices[n].what.seq == seq {
		n++
	}
	found := r.notices[:n]
	r.notices = r.notices[n:]
	return found
}

// peekKind finds an entry's kind without decoding it: what stands before it
// are numbers, so the first field of that name is the one.
func peekKind(public []byte) Kind {
	_, rest, _ := bytes.Cut(public, []byte(`"kind":"`))
	kind, _, _ := bytes.Cut(rest, []byte{'"'})
	return Kind(kind)
}

// EventFilter narrows the stream. A P0 dispatch passes every filter.
type EventFilter struct {
	Types    []string `json:"types,omitempty" doc:"default: all; see EventTypes"`
	Channels []Niche  `json:"channels,omitempty" doc:"of dispatches and contracts; default: the channels that the reader subscribed to, or all"`
}

// EventTypes lists the types of event, in alphabetical order.
func EventTypes() []string { return slices.Clone(eventTypes) }

var eventTypes = listEventTypes()

// listEventTypes collects the types from the tellings, so that a new one is
// known to filters at once.
func listEventTypes() []string {
	types := []string{EventNotice, EventDelivered}
	for t := range maps.Values(tellings) {
		types = append(types, t.name)
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// typeSet is a set of event types, one bit for each in eventTypes.
type typeSet uint32

// typeBit returns the set of one type, empty for an unknown one.
func typeBit(name string) typeSet {
	i, ok := slices.BinarySearch(eventTypes, name)
	if !ok {
		return 0
	}
	return 1 << i
}

// Audience says who is told an event. It is computed once for each event, and
// compared with the [Subscription] of each reader.
type Audience struct {
	kind    typeSet
	channel uint8  // bit of the channel, 0 if the event has none
	urgent  bool   // a P0 dispatch: passes every filter
	reader  string // slug of the only reader, "" if everybody may see it
}

// Reader returns the slug of the only reader, "" if everybody may see the event.
func (a *Audience) Reader() string { return a.reader }

// Subscription is what one reader is told: a checked filter, and the reader's
// subscribed channels where the filter names none.
type Subscription struct {
	reader   string
	types    typeSet // empty means all
	channels uint8   // 0 means all
	fixed    bool    // the filter names channels
}

// Subscribe checks a filter for a reader. It refuses types and channels that
// do not exist.
func (ses *Session) Subscribe(filter EventFilter) (Subscription, error) {
	s := Subscription{reader: ses.by.Slug, channels: channelBits(filter.Channels), fixed: len(filter.Channels) > 0}
	var err error
	if s.types, err = typesOf("type", filter.Types); err != nil {
		return s, err
	}
	for _, ch := range filter.Channels {
		if ch == NoNiche || checkNiche("channel", ch) != nil {
			return s, invalid("channel", code.ChannelUnknown, "names a channel that does not exist", "use "+nicheList())
		}
	}
	ses.n.Resubscribe(&s)
	return s, nil
}

// typesOf returns the set of types that a field names.
func typesOf(field string, names []string) (all typeSet, err error) {
	for _, name := range names {
		bit := typeBit(name)
		if bit == 0 {
			return all, invalid(field, code.TypeUnknown, "names a type of event that does not exist", "use "+strings.Join(eventTypes, ", "))
		}
		all |= bit
	}
	return all, nil
}

// Resubscribe takes over the channels that the reader is subscribed to now. A
// filter that names channels stays as it is.
func (n *Network) Resubscribe(s *Subscription) {
	if s.fixed || s.reader == "" {
		return
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	if _, p, ok := n.state.party(s.reader); ok {
		s.channels = p.agent.subscribed()
	}
}

// Wants reports whether the reader is told an event of that audience.
func (s *Subscription) Wants(a *Audience) bool {
	switch {
	case a.reader != "" && a.reader != s.reader:
		return false
	case a.urgent:
		return true
	}
	return (s.types == 0 || s.types&a.kind != 0) && (a.channel == 0 || s.channels == 0 || s.channels&a.channel != 0)
}

// Public returns the subscription without what is for its reader alone. Readers
// who want the same of the rest have equal ones.
func (s Subscription) Public() Subscription {
	s.reader = ""
	return s
}

// mayWant reports whether an event of a type could be wanted, before its entry
// is decoded.
func (s *Subscription) mayWant(name string) bool {
	return s.types == 0 || name == EventDispatch || s.types&typeBit(name) != 0
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

// campaignNotice tells of a contract without its texts.
type campaignNotice struct {
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

// campaignChange tells that a contract was topped up or ended.
type campaignChange struct {
	CampaignID uint64        `json:"campaign_id"`
	Sponsor    string        `json:"sponsor"`
	State      ContractState `json:"state"`
	Amount     Credits       `json:"amount" doc:"added, or returned to the sponsor"`
	At         Millis        `json:"at"`
}

// executionNotice tells the public facts of an execution.
type executionNotice struct {
	ExecutionID uint64  `json:"execution_id"`
	CampaignID  uint64  `json:"campaign_id"`
	Agent       string  `json:"agent"`
	Sponsor     string  `json:"sponsor"`
	Tier        Tier    `json:"tier"`
	Payout      Credits `json:"payout"`
	At          Millis  `json:"at"`
}

// sponsorNotice tells that a sponsor was admitted.
type sponsorNotice struct {
	Sponsor string `json:"sponsor"`
	Witness string `json:"witness,omitempty"`
	At      Millis `json:"at"`
}

// exchangeNotice tells that the playbook exchange was opened or closed.
type exchangeNotice struct {
	At Millis `json:"at"`
}

// agentNotice tells of an agent.
type agentNotice struct {
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
	KindExchangeClosed:    {EventExchangeClosed, told((*ExchangeClosed).tell)},
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
	return campaignNotice{CampaignID: e.Seq, Sponsor: f.Sponsor, Kind: f.Contract, Channel: f.Channel,
		Budget: f.Budget, Matching: f.Matching, EndsAt: f.Ends, At: e.At}, f.Channel, nil
}

func (f *CrisisResolved) tell(e *Entry) any { return CrisisEnd{f.Dispatch, f.Running, e.At} }

func (f *ContractFunded) tell(e *Entry) any {
	return campaignChange{CampaignID: f.Campaign, Sponsor: f.Sponsor, Amount: f.Amount, At: e.At}
}

func (f *ContractFinished) tell(e *Entry) any {
	return campaignChange{CampaignID: f.Campaign, Sponsor: f.Sponsor, State: f.State, Amount: f.Returned, At: e.At}
}

func (f *Executed) tell(e *Entry) any {
	return executionNotice{e.Seq, f.Campaign, f.Agent, f.Sponsor, f.Tier, f.Payout, e.At}
}

func (f *AgentSpawned) tell(e *Entry) any { return agentNotice{f.Agent, e.At} }

func (f *AgentReinstated) tell(e *Entry) any { return agentNotice{f.Agent, e.At} }

func (f *SponsorAdmitted) tell(e *Entry) any { return sponsorNotice{f.Sponsor, f.Witness, e.At} }

func (*ExchangeOpened) tell(e *Entry) any { return exchangeNotice{e.At} }

func (*ExchangeClosed) tell(e *Entry) any { return exchangeNotice{e.At} }
