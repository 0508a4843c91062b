package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// dueNow reports whether an entry has fallen due.
func (n *Network) dueNow() bool {
	now := n.Now()
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.state.FallsDue(now)
}

// Tick appends the entries that have fallen due and does long work to its end, a
// command a step, so that others come between. A server calls it about once a
// second; every command does its first step too. A network that follows appends
// nothing.
func (n *Network) Tick(ctx context.Context) error {
	for !n.follows.Load() {
		err := do(ctx, n.As(netkit.NetworkActor), tick{})
		if err != nil {
			return err
		}
		if !n.workLeft() {
			return n.owed(ctx)
		}
	}
	return nil
}

// tick is a command without content of its own.
type tick struct{}

func (tick) Route() string { return "tick" }

func (tick) Decide(*rules.State, *rules.Call) error { return nil }

// workLeft reports whether an entry has fallen due or a step of long work is left.
func (n *Network) workLeft() bool {
	now := n.Now()
	n.mu.RLock()
	defer n.mu.RUnlock()
	_, long := n.state.LongWork()
	return long || n.state.FallsDue(max(now, n.state.Time()))
}
