package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// client appends as the clerk of a node does: what is doubtful is repeated.
type client struct {
	at    journal.Head
	batch *journal.EngineBatch // in doubt
	tree  journal.Tree
	next  int
	acked map[uint64][]byte // by number of the entry, its public part
}

// append tries one append through a node.
func (s *simulation) append(c *client, n *simulated) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if c.batch == nil && !s.read(ctx, c, n) {
		return
	}
	if c.batch == nil {
		c.batch = c.draw(s.t)
	}
	head, err := n.node.Append(ctx, c.at, *c.batch)
	s.note("append at %d through %s: %v", c.at.Size, n.member.ID, err)
	switch {
	case err == nil:
		for i, public := range c.batch.Public {
			c.acked[c.batch.First+uint64(i)] = public
			c.tree.Append(journal.Leaf(public), nil)
		}
		c.at, c.batch = head, nil
	case !errors.Is(err, journal.ErrDoubtful):
		c.batch = nil
	}
}

// read brings a client to the head of the cluster.
func (s *simulation) read(ctx context.Context, c *client, n *simulated) bool {
	for b, err := range n.node.Batches(ctx, 0) {
		if err != nil {
			s.note("read through %s: %v", n.member.ID, err)
			return false
		}
		if b.First < c.at.Size {
			continue
		}
		for _, public := range b.Public {
			c.tree.Append(journal.Leaf(public), nil)
			c.at = journal.Head{Size: c.at.Size + 1, Tip: journal.Leaf(public)}
		}
	}
	for seq := range c.acked {
		if seq >= c.at.Size {
			s.t.Errorf("a read through %s ends at %d and lacks the acknowledged entry %d", n.member.ID, c.at.Size, seq)
			return false
		}
	}
	return true
}

func (c *client) draw(t *testing.T) *journal.EngineBatch {
	c.next++
	var records []journal.Record
	for i := range 1 + c.next%3 {
		seq := c.at.Size + uint64(i)
		records = append(records, journal.Record{Seq: seq, Public: fmt.Appendf(nil, `{"n":%d,"i":%d}`, c.next, i), Private: journaltest.Record(seq).Private})
	}
	b, err := journal.Seal(journal.Batch{Records: records}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	grown := c.tree
	for _, r := range records {
		grown.Append(journal.Leaf(r.Public), nil)
	}
	b.Root = grown.Root()
	return &b
}
