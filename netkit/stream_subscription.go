package netkit

import (
	"maps"
	"slices"
	"strings"
)

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
	types := []string{eventNotice}
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
func (n *Network) Subscribe(by Caller, filter EventFilter) (Subscription, error) {
	s := Subscription{reader: by.Slug, channels: channelBits(filter.Channels), fixed: len(filter.Channels) > 0}
	for _, name := range filter.Types {
		bit := typeBit(name)
		if bit == 0 {
			return s, invalid("type", "type_unknown", "names a type of event that does not exist", "use "+strings.Join(eventTypes, ", "))
		}
		s.types |= bit
	}
	for _, ch := range filter.Channels {
		if ch == NoNiche || checkNiche("channel", ch) != nil {
			return s, invalid("channel", "channel_unknown", "names a channel that does not exist", "use SILICON, LEGAL, POLICY, FINANCE, MEDIA, HEALTH")
		}
	}
	n.Resubscribe(&s)
	return s, nil
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
		s.channels = p.agent.channels
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

// mayWant reports whether an event of a type could be wanted, before its entry
// is decoded.
func (s *Subscription) mayWant(name string) bool {
	return s.types == 0 || name == eventDispatch || s.types&typeBit(name) != 0
}
