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
// of the state: no rule reads a text, and no score changes by the hint. What a
// return under an exclusive contract says of it is in its entry, as the network
// declared it.

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
	index *neardup.Index[*delivery]
	upto  uint64
}

// delivery is the signal of an execution as the index keeps it, with the earlier
// ones that it is nearly the same as.
type delivery struct {
	sponsor   string
	at        netkit.Millis
	same      uint64        // the earliest, 0 without one
	own       uint64        // the earliest for the same sponsor, 0 without one
	elsewhere netkit.Millis // when the latest was delivered to another sponsor, 0 is never
}

// resembles records an earlier signal that this one is nearly the same as.
func (d *delivery) resembles(id uint64, earlier *delivery) {
	d.same = lower(d.same, id)
	if earlier.sponsor == d.sponsor {
		d.own = lower(d.own, id)
	} else {
		d.elsewhere = max(d.elsewhere, earlier.at)
	}
}

// lower returns the lower of two numbers of executions, of which a is 0 for none.
func lower(a, b uint64) uint64 {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// nearDuplicate returns how the signal of an execution resembles earlier ones; its
// zero value if it resembles none of the newest.
func (n *Network) nearDuplicate(ctx context.Context, id uint64) (delivery, error) {
	d := &n.duplicates
	d.mu.Lock()
	defer d.mu.Unlock()
	size := n.durable.Size()
	if d.index == nil {
		d.index = neardup.NewIndex[*delivery](duplicateTexts)
		d.upto = max(size, duplicateEntries) - duplicateEntries
	}
	for r, err := range n.store.Read(ctx, d.upto, max(size, d.upto)) {
		if err != nil {
			return delivery{}, netkit.EntryDamaged(err)
		}
		e, p, err := n.decode(r)
		if err != nil {
			return delivery{}, err
		}
		if f, ok := e.Fact.(*rules.Executed); ok && p != nil && len(p.Text) > 0 {
			var g signalText
			if err := p.Read(&g); err != nil {
				return delivery{}, err
			}
			x := &delivery{sponsor: f.Sponsor, at: e.At}
			d.index.Add(e.Seq, g.Headline+" "+g.Body, x, x.resembles)
		}
		d.upto = e.Seq + 1
	}
	if x, ok := d.index.Find(id); ok {
		return *x, nil
	}
	return delivery{}, nil
}

// resold reports whether the signal of an execution is nearly the same as one that
// was delivered to another sponsor within the days of the constitution.
func (n *Network) resold(ctx context.Context, e *rules.Entry) (bool, error) {
	d, err := n.nearDuplicate(ctx, e.Seq)
	if err != nil {
		return false, err
	}
	return view(ctx, n, func(s *rules.State) (bool, error) { return s.Resold(e.At, d.elsewhere), nil })
}
