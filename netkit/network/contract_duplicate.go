package network

import (
	"context"
	"sync"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/neardup"
	"github.com/agentnet/netctl/netkit/rules"
)

// Which signals are nearly the same is a hint to those who may read them. It is
// found when a signal is read, from an index of sketches in memory that is no part
// of the state: no rule looks at it, and no score changes by it.

const (
	// duplicateTexts is how many of the newest signals are compared.
	duplicateTexts = 10_000
	// duplicateEntries is how many of the newest entries are searched for them when
	// the first signal is read after a start.
	duplicateEntries = 200_000
)

// duplicates is the index and how far of the journal it has.
type duplicates struct {
	mu    sync.Mutex
	index *neardup.Index
	upto  uint64
}

// nearDuplicate returns the earliest execution whose signal is nearly the same as
// that of one, 0 if there is none among the newest.
func (n *Network) nearDuplicate(ctx context.Context, id uint64) (uint64, error) {
	d := &n.duplicates
	d.mu.Lock()
	defer d.mu.Unlock()
	size := n.durable.Size()
	if d.index == nil {
		d.index = neardup.NewIndex(duplicateTexts)
		d.upto = max(size, duplicateEntries) - duplicateEntries
	}
	for r, err := range n.store.Read(ctx, d.upto, max(size, d.upto)) {
		if err != nil {
			return 0, netkit.EntryDamaged(err)
		}
		e, p, err := n.decode(r)
		if err != nil {
			return 0, err
		}
		if _, ok := e.Fact.(*rules.Executed); ok && p != nil && len(p.Text) > 0 {
			var g signalText
			if err := p.Read(&g); err != nil {
				return 0, err
			}
			d.index.Add(e.Seq, g.Headline+" "+g.Body)
		}
		d.upto = e.Seq + 1
	}
	return d.index.SameAs(id), nil
}
