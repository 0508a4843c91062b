package network

import (
	"context"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Following reports whether another process writes the journal, so that this
// network shows it and refuses every command.
func (n *Network) Following() bool { return n.follows.Load() }

// CatchUp applies the entries that others appended to the store, and returns how
// many the network has now. It is for a network that follows; what streams and
// waits sees the entries as soon as they are applied. A store that has become
// shorter is an error, and nothing is taken back.
func (n *Network) CatchUp(ctx context.Context) (uint64, error) {
	err := n.clerk.CatchUp(ctx)
	return n.durable.Size(), err
}

// Lead lets a network that follows take commands, once it has applied what the
// store holds. Whoever calls it has seen to it that no other process writes, or that
// the store refuses one of the two.
func (n *Network) Lead(ctx context.Context) error {
	if _, err := n.CatchUp(ctx); err != nil {
		return err
	}
	n.mu.Lock()
	n.state.PlanDeadlines() // those that the other process has carried out
	n.mu.Unlock()
	n.setFollowing(false)
	return n.Tick(ctx)
}

// Yield has the network follow again and refuse commands; those under way end.
func (n *Network) Yield() { n.setFollowing(true) }

// setFollowing changes what Following reports, and ends the waits for that.
func (n *Network) setFollowing(following bool) {
	n.turning.Lock()
	defer n.turning.Unlock()
	if n.follows.Swap(following) != following && n.turned != nil {
		close(n.turned)
		n.turned = nil
	}
}

// WaitFollowing waits until Following reports that, and reports whether it does; the
// context ended otherwise.
func (n *Network) WaitFollowing(ctx context.Context, following bool) bool {
	for {
		n.turning.Lock()
		if n.turned == nil {
			n.turned = make(chan struct{})
		}
		turned, reached := n.turned, n.follows.Load() == following
		n.turning.Unlock()
		if reached || ctx.Err() != nil {
			return reached && ctx.Err() == nil
		}
		select {
		case <-turned:
		case <-ctx.Done():
		}
	}
}

// refuseFollowing refuses a command where another process writes.
func (n *Network) refuseFollowing() error {
	if !n.follows.Load() {
		return nil
	}
	return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.NotWriter, What: "another node writes the journal, and nothing of this was kept",
		Next: "send it to that node, or try again in a second", After: time.Second}
}
