package netkit

import (
	"bytes"
	"context"
	"iter"
	"slices"

	"github.com/agentnet/netctl/netkit/journal"
)

// Event is something that happened, as the stream tells it. ID is the
// sequence number of its entry: a reader resumes behind the last it saw.
type Event struct {
	ID   uint64 `json:"id"`
	Type string `json:"type"`
	Data any    `json:"data"`
}

// EventFilter narrows the stream.
type EventFilter struct {
	Types    []string `json:"types,omitempty" doc:"default: all"`
	Channels []Niche  `json:"channels,omitempty" doc:"of dispatches and contracts; default: the subscribed ones, all if there are none"`
}

// Events tells what happens after an entry, and blocks for more until the
// context ends. Whoever wants only what is new begins after the greatest
// number there is; new is what comes after this call, though the events are
// asked for later. Nothing in it was paid for: P0 dispatches come whole, P1
// and P2 as notices, contracts without their texts. What concerns one agent
// alone reaches that agent alone, as events of type "notice".
func (n *Network) Events(ctx context.Context, by Caller, after uint64, filter EventFilter) iter.Seq2[Event, error] {
	from := n.durable.size() // now, not when the reader comes to it: a call that follows this one is new
	if after < from {
		from = after + 1
	}
	return func(yield func(Event, error) bool) {
		next := from
		for {
			// A lost batch wakes the reader too; then there is nothing new yet.
			if _, err := n.durable.wait(ctx, next+1, n.durable.epoch()); err != nil {
				return
			}
			w := n.watch(by, &filter, next, n.durable.size())
			for e, err := range w.events(ctx) {
				if ctx.Err() != nil || !yield(e, err) || err != nil {
					return
				}
			}
			next = w.to
		}
	}
}

// watcher tells a stretch of the journal to one reader. What the reader's
// subscriptions and notices are is looked up once a stretch, so that a change
// shows with the next one and an entry costs no lock.
type watcher struct {
	n        *Network
	reader   string
	filter   *EventFilter
	channels uint8 // 0 is all
	from, to uint64
	notices  []notice // of the reader, from there on
}

// watch prepares a stretch of durable entries for a reader. The state may be
// ahead of the journal and know notices of entries that will be lost; they lie
// beyond the stretch, and so are never told.
func (n *Network) watch(by Caller, filter *EventFilter, from, to uint64) *watcher {
	w := &watcher{n: n, reader: by.Slug, filter: filter, channels: channelBits(filter.Channels), from: from, to: to}
	n.mu.RLock()
	defer n.mu.RUnlock()
	_, p, ok := n.state.party(by.Slug)
	if !ok {
		return w
	}
	if w.channels == 0 {
		w.channels = p.agent.channels
	}
	for _, t := range n.state.extra(p).notices {
		if t.seq >= from {
			w.notices = append(w.notices, t)
		}
	}
	return w
}

// events yields what the stretch holds for the reader.
func (w *watcher) events(ctx context.Context) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for r, err := range w.n.store.Read(ctx, w.from, w.to) {
			if err != nil {
				yield(Event{}, EntryDamaged(err))
				return
			}
			for _, tell := range []func(context.Context, journal.Record) (Event, error){w.public, w.private} {
				ev, err := tell(ctx, r)
				if (err != nil || ev.Type != "") && !yield(ev, err) {
					return
				}
			}
		}
	}
}

// wants reports whether the reader asked for events of a type.
func (w *watcher) wants(name string) bool {
	return len(w.filter.Types) == 0 || slices.Contains(w.filter.Types, name)
}

// public makes the event that everybody may see; one without a type is none.
func (w *watcher) public(_ context.Context, r journal.Record) (Event, error) {
	told, ok := tellings[peekKind(r.Public)]
	if !ok || !w.wants(told.name) {
		return Event{}, nil
	}
	e, p, err := w.n.decode(r)
	if err != nil {
		return Event{}, err
	}
	data, channel, err := told.data(e, p)
	if err != nil || channel != NoNiche && w.channels != 0 && w.channels&channelBits([]Niche{channel}) == 0 {
		return Event{}, err
	}
	return Event{ID: e.Seq, Type: told.name, Data: data}, nil
}

// private makes the notice that the entry is to the reader, if it is one.
func (w *watcher) private(ctx context.Context, r journal.Record) (Event, error) {
	for len(w.notices) > 0 && w.notices[0].seq < r.Seq {
		w.notices = w.notices[1:]
	}
	if len(w.notices) == 0 || w.notices[0].seq != r.Seq || !w.wants(eventNotice) {
		return Event{}, nil
	}
	v, err := w.n.notice(ctx, w.reader, w.notices[0])
	return Event{ID: r.Seq, Type: eventNotice, Data: v}, err
}

// peekKind finds an entry's kind without decoding it: what stands before it
// are numbers, so the first field of that name is the one.
func peekKind(public []byte) Kind {
	_, rest, _ := bytes.Cut(public, []byte(`"kind":"`))
	kind, _, _ := bytes.Cut(rest, []byte{'"'})
	return Kind(kind)
}
