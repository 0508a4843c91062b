package replica_test

import (
	"context"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/replica"
)

// applying is a network that counts the entries that it has applied.
type applying struct {
	idle
	store   *replica.Store
	entries uint64
}

func (a *applying) CatchUp(ctx context.Context) (uint64, error) {
	head, err := a.store.Head(ctx)
	a.entries = head.Size
	return head.Size, err
}

// A node that confirms its position applies entries that another goroutine copied into
// the folder, and that its network does not have yet.
func TestFreshAppliesCopiedEntries(t *testing.T) {
	e := new(journaltest.Engine)
	writer, s := node(t, e), node(t, e)
	net := &applying{store: s}
	n := replica.NewNode(replica.NodeConfig{Store: s, Name: "b", Address: "http://b"}, net)
	if _, err := writer.Append(t.Context(), journal.Head{}, journal.Batch{Records: journaltest.Records(0, 3)}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Pull(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := n.Fresh(t.Context()); err != nil || net.entries != 3 {
		t.Errorf("got %d entries, %v, want 3", net.entries, err)
	}
}
