package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// ToldEvent is an event with who is told it.
type ToldEvent struct {
	netkit.Event
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
	// read these entries with network.Network.EventsBetween for each reader.
	Partial bool
}
