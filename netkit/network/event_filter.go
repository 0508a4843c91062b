package network

import (
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// Subscribe checks a filter for a reader. It refuses types and channels that
// do not exist.
func (ses *Session) Subscribe(filter netkit.EventFilter) (rules.Subscription, error) {
	s := rules.Subscription{Reader: ses.by.Slug, Channels: rules.ChannelBits(filter.Channels), Fixed: len(filter.Channels) > 0}
	var err error
	if s.Types, err = typesOf("type", filter.Types); err != nil {
		return s, err
	}
	for _, ch := range filter.Channels {
		if ch == netkit.NoNiche || rules.CheckNiche("channel", ch) != nil {
			return s, netkit.Invalid("channel", code.ChannelUnknown, "names a channel that does not exist", "use "+netkit.NicheList())
		}
	}
	ses.n.Resubscribe(&s)
	return s, nil
}

// typesOf returns the set of types that a field names.
func typesOf(field string, names []string) (all rules.TypeSet, err error) {
	for _, name := range names {
		bit := rules.TypeBit(name)
		if bit == 0 {
			return all, netkit.Invalid(field, code.TypeUnknown, "names a type of event that does not exist", "use "+strings.Join(rules.SortedEventTypes, ", "))
		}
		all |= bit
	}
	return all, nil
}

// Resubscribe takes over the channels that the reader is subscribed to now. A
// filter that names channels stays as it is.
func (n *Network) Resubscribe(s *rules.Subscription) {
	if s.Fixed || s.Reader == "" {
		return
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	if _, p, ok := n.state.Party(s.Reader); ok {
		s.Channels = p.Agent.Subscribed()
	}
}
