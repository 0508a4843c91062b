package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// EventTypes lists the types of event, in alphabetical order.
func EventTypes() []string { return slices.Clone(sortedEventTypes) }

var sortedEventTypes = listEventTypes()

// listEventTypes collects the types from the tellings, so that a new one is
// known to filters at once.
func listEventTypes() []string {
	types := []string{netkit.EventNotice, netkit.EventDelivered}
	for t := range maps.Values(tellings) {
		types = append(types, t.Name)
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// TypeSet is a set of event types, one bit for each in eventTypes.
type TypeSet uint32

// typeBit returns the set of one type, empty for an unknown one.
func typeBit(name string) TypeSet {
	i, ok := slices.BinarySearch(sortedEventTypes, name)
	if !ok {
		return 0
	}
	return 1 << i
}

// Audience says who is told an event. It is computed once for each event, and
// compared with the [Subscription] of each reader.
type Audience struct {
	Kind       TypeSet
	channel    uint8  // bit of the channel, 0 if the event has none
	urgent     bool   // a P0 dispatch: passes every filter
	ReaderSlug string // slug of the only reader, "" if everybody may see it
}

// Reader returns the slug of the only reader, "" if everybody may see the event.
func (a *Audience) Reader() string { return a.ReaderSlug }

// Subscription is what one reader is told: a checked filter, and the reader's
// subscribed channels where the filter names none.
type Subscription struct {
	Reader   string
	Types    TypeSet // empty means all
	Channels uint8   // 0 means all
	Fixed    bool    // the filter names channels
}

// Wants reports whether the reader is told an event of that audience.
func (s *Subscription) Wants(a *Audience) bool {
	switch {
	case a.ReaderSlug != "" && a.ReaderSlug != s.Reader:
		return false
	case a.urgent:
		return true
	}
	return (s.Types == 0 || s.Types&a.Kind != 0) && (a.channel == 0 || s.Channels == 0 || s.Channels&a.channel != 0)
}

// Public returns the subscription without what is for its reader alone. Readers
// who want the same of the rest have equal ones.
func (s Subscription) Public() Subscription {
	s.Reader = ""
	return s
}

// MayWant reports whether an event of a type could be wanted, before its entry
// is decoded.
func (s *Subscription) MayWant(name string) bool {
	return s.Types == 0 || name == netkit.EventDispatch || s.Types&typeBit(name) != 0
}

// NewSubscription checks a filter for a reader. It refuses types and channels that
// do not exist.
func NewSubscription(reader string, filter netkit.EventFilter) (Subscription, error) {
	s := Subscription{Reader: reader, Channels: channelBits(filter.Channels), Fixed: len(filter.Channels) > 0}
	var err error
	if s.Types, err = TypesOf("type", filter.Types); err != nil {
		return s, err
	}
	for _, ch := range filter.Channels {
		if ch == netkit.NoNiche || CheckNiche("channel", ch) != nil {
			return s, netkit.Invalid("channel", code.ChannelUnknown, "names a channel that does not exist", "use "+netkit.NicheList())
		}
	}
	return s, nil
}

// TypesOf returns the set of types that a field names.
func TypesOf(field string, names []string) (all TypeSet, err error) {
	for _, name := range names {
		bit := typeBit(name)
		if bit == 0 {
			return all, netkit.Invalid(field, code.TypeUnknown, "names a type of event that does not exist", "use "+strings.Join(sortedEventTypes, ", "))
		}
		all |= bit
	}
	return all, nil
}

// Resubscribe takes over the channels that the reader is subscribed to now. A
// filter that names channels stays as it is.
func (s *State) Resubscribe(x *Subscription) {
	if x.Fixed || x.Reader == "" {
		return
	}
	if _, p, ok := s.party(x.Reader); ok {
		x.Channels = p.Agent.subscribed()
	}
}
