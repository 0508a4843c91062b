package cluster

import (
	"errors"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// An idle node leads only to retire the cluster. Each node knows the
// retirement afterwards when it starts without the others.
func TestIdleNodeRetiresTheCluster(t *testing.T) {
	t.Parallel()
	nodes := three(t)
	nodes[1].write(t, 7)
	idle := nodes[2]
	idle.stop(t)
	idle.idle = true
	idle.start(t)
	lead, _ := leader(t, nodes)
	until(t, "the idle node gets the lead", func() bool { return lead == idle || lead.node.Transfer(t.Context(), idle.name) == nil })
	until(t, "it passes the lead on", func() bool {
		s := idle.node.Status(t.Context())
		return s.Leader != "" && s.Leader != idle.name
	})
	head := expectAlike(t, nodes...)
	if got, err := idle.node.Retire(t.Context(), "the folder /net"); err != nil || got != head {
		t.Fatalf("got %+v, %v, want the head %+v", got, err, head)
	}
	if s := idle.node.Status(t.Context()); s.Leader != idle.name {
		t.Errorf("got the leader %q, want %q until it closes", s.Leader, idle.name)
	}
	for _, p := range nodes {
		until(t, p.name+" knows the retirement", func() bool { return p.node.machine.retired() != nil })
	}
	for _, p := range nodes {
		p.stop(t)
	}
	for _, p := range nodes {
		p.start(t)
		var moved *journal.RetiredError
		if _, err := p.node.Head(t.Context()); !errors.As(err, &moved) || moved.To != "the folder /net" || moved.Head != head {
			t.Errorf("%s without the others: got %v, want %v", p.name, err, journal.ErrRetired)
		}
		if err := p.node.Beat(t.Context(), 1); !errors.Is(err, journal.ErrRetired) {
			t.Errorf("a beat of %s without the others: got %v, want %v", p.name, err, journal.ErrRetired)
		}
		read := 0
		for b, err := range p.node.Batches(t.Context(), 0) {
			if read += len(b.Public); err != nil {
				t.Errorf("reading %s without the others: got %v", p.name, err)
			}
		}
		if read != 7 {
			t.Errorf("reading %s without the others: got %d entries, want 7", p.name, read)
		}
		p.stop(t)
	}
}

// A node without a vote cannot retire the cluster.
func TestFollowerDoesNotRetire(t *testing.T) {
	t.Parallel()
	a := begin(t, "a")
	b := join(t, a, "b", true)
	a.write(t, 1)
	if _, err := b.node.Retire(t.Context(), "the folder /net"); !errors.Is(err, ErrNoLeader) {
		t.Errorf("got %v, want %v", err, ErrNoLeader)
	}
	a.write(t, 1)
}
