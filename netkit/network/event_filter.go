package network

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Subscribe checks a filter for a reader. It refuses types and channels that
// do not exist.
func (ses *Session) Subscribe(filter netkit.EventFilter) (rules.Subscription, error) {
	s, err := rules.NewSubscription(ses.by.Slug, filter)
	if err != nil {
		return s, err
	}
	ses.n.Resubscribe(&s)
	return s, nil
}

// Resubscribe takes over the channels that the reader is subscribed to now. A
// filter that names channels stays as it is.
func (n *Network) Resubscribe(s *rules.Subscription) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	n.state.Resubscribe(s)
}
