package replica

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/timespan"
)

// A node notes in the roster that it runs each time that the writer has beaten so many
// times.
const attendBeats = 3

const (
	silentAfter = 10 * time.Second // a node whose beat stays the same for so long does not run
	removeAfter = time.Hour        // and is removed after this time
)

// Peers returns the other nodes that share the engine, the writer first, by the latest
// look at the roster; the writer only where the engine keeps none.
func (n *Node) Peers() []journal.Peer {
	w := n.Writer()
	known := n.peers.Load()
	if known == nil && w.Node != "" && w.Node != n.cfg.Name {
		return []journal.Peer{{Member: journal.Member{Node: w.Node, Address: w.Address}, Runs: true}}
	}
	if known == nil {
		return nil
	}
	peers, writer := slices.Clone(*known), w.Node
	rank := func(p journal.Peer) int {
		switch {
		case p.Node == writer:
			return 0
		case p.Runs:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(peers, func(a, b journal.Peer) int { return cmp.Compare(rank(a), rank(b)) })
	return peers
}

// Self returns this node as it notes itself in the roster.
func (n *Node) Self() journal.Member {
	return journal.Member{Node: n.cfg.Name, Address: n.cfg.Address, Entries: n.cfg.Store.held.Load()}
}

// attendance is the state of the roster as a node has seen it.
type attendance struct {
	node *Node
	to   journal.Roster
	me   journal.Member // as noted last
	seen map[string]seen
}

// attend keeps the node in the roster of the engine until the context ends.
func (n *Node) attend(ctx context.Context) {
	r, ok := n.engine.(journal.Roster)
	if !ok {
		return
	}
	a := &attendance{node: n, to: r, seen: map[string]seen{}}
	for again := true; again; again = timespan.Wait(ctx, attendBeats*n.cfg.Every) {
		if err := a.look(ctx); err != nil && ctx.Err() == nil {
			n.report(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), handOverTime)
	defer cancel()
	_ = r.Depart(ctx, a.me) // a failure costs the others an hour of a line in a list
}

// look notes that this node runs, and sees which others do.
func (a *attendance) look(ctx context.Context) error {
	n := a.node
	all, err := a.to.Attend(ctx, n.Self())
	if err != nil {
		return err
	}
	peers := []journal.Peer{}
	for _, m := range all {
		if m.Node == n.cfg.Name {
			a.me = m
			continue
		}
		silent := a.silence(m)
		if silent >= removeAfter {
			err = cmp.Or(err, a.to.Depart(ctx, m))
			continue
		}
		peers = append(peers, journal.Peer{Member: m, Runs: silent < silentAfter})
	}
	n.peers.Store(&peers)
	return err
}

// silence returns for how long the beat of a node has stayed the same. A node that is new
// to this one counts as running.
func (a *attendance) silence(m journal.Member) time.Duration {
	last, known := a.seen[m.Node]
	if !known || last.beat != m.Beat {
		last = seen{beat: m.Beat, at: time.Now()}
		a.seen[m.Node] = last
	}
	return time.Since(last.at)
}
