package network

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

const (
	blockEntries = 256 // entries of a block
	maxBlocks    = 32  // blocks in memory
)

// eventBlocks holds the entries that readers of events have read lately: the ring
// of the event streams, webhooks, and streams that catch up. Readers of the same
// span cause one read of the journal, and an entry is decoded once for all of them.
type eventBlocks struct {
	mu     sync.Mutex
	blocks []*eventBlock // the block that was used last is the last
}

// eventBlock holds the entries from first on, without a gap. One goroutine reads
// the journal for it while others wait.
type eventBlock struct {
	first   uint64
	mu      sync.Mutex
	entries []*sharedEntry
}

// sharedEntry is a durable entry that is decoded when the first reader needs it.
type sharedEntry struct {
	seq  uint64
	kind netkit.Kind

	mu    sync.Mutex
	raw   journal.Record // until it is decoded
	entry *rules.Entry
	text  *rules.Private
}

// block returns the block that holds an entry, and drops the one that was not used
// for longest if there are too many.
func (x *eventBlocks) block(seq uint64) *eventBlock {
	x.mu.Lock()
	defer x.mu.Unlock()
	first := seq - seq%blockEntries
	k := slices.IndexFunc(x.blocks, func(b *eventBlock) bool { return b.first == first })
	b := &eventBlock{first: first}
	if k >= 0 {
		b = x.blocks[k]
		x.blocks = slices.Delete(x.blocks, k, k+1)
	} else if len(x.blocks) == maxBlocks {
		x.blocks = slices.Delete(x.blocks, 0, 1)
	}
	x.blocks = append(x.blocks, b)
	return b
}

// drop forgets the block of an entry, whose text was erased.
func (x *eventBlocks) drop(seq uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.blocks = slices.DeleteFunc(x.blocks, func(b *eventBlock) bool { return b.first == seq-seq%blockEntries })
}

// read returns the entries [from, to) of the block, to not beyond its end. With an
// error come the entries before the one that cannot be read.
func (b *eventBlock) read(ctx context.Context, n *Network, from, to uint64) ([]*sharedEntry, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := b.first + uint64(len(b.entries))
	if next >= to {
		return b.entries[from-b.first : to-b.first], nil
	}
	more, err := n.readShared(ctx, next, min(b.first+blockEntries, n.Size()))
	b.entries = append(b.entries, more...)
	switch next += uint64(len(more)); {
	case next >= to: // an error lies behind the requested range
		return b.entries[from-b.first : to-b.first], nil
	case next < from: // the block ends at a damaged entry
		return n.readShared(ctx, from, to)
	}
	return b.entries[from-b.first:], err
}

// readShared reads entries of the journal. With an error come those before it.
func (n *Network) readShared(ctx context.Context, from, to uint64) (all []*sharedEntry, err error) {
	for r, err := range n.store.Read(ctx, from, to) {
		if err != nil {
			return all, err
		}
		all = append(all, &sharedEntry{seq: r.Seq, kind: peekKind(r.Public), raw: journal.Record{Seq: r.Seq, Public: bytes.Clone(r.Public), Private: bytes.Clone(r.Private)}})
	}
	return all, nil
}

// sharedEntries yields the durable entries [from, to), or an error for the first
// that is missing: a reader moves past the whole range.
func (n *Network) sharedEntries(ctx context.Context, from, to uint64) iter.Seq2[*sharedEntry, error] {
	return func(yield func(*sharedEntry, error) bool) {
		for from < to {
			b := n.events.block(from)
			end := min(to, b.first+blockEntries)
			entries, err := b.read(ctx, n, from, end)
			for _, x := range entries {
				if !yield(x, nil) {
					return
				}
			}
			if from += uint64(len(entries)); err == nil && from < end {
				err = fmt.Errorf("netkit: entry %d is not durable yet, read it later", from)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// decode returns the entry with its private part, nil where it has none or it was
// erased. Readers share both and change neither.
func (x *sharedEntry) decode(n *Network) (*rules.Entry, *rules.Private, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.entry == nil {
		e, p, err := n.decode(x.raw)
		if err != nil {
			return nil, nil, err
		}
		x.entry, x.text, x.raw = e, p, journal.Record{}
	}
	if x.text != nil && n.erased(x.seq) {
		x.text = nil
	}
	return x.entry, x.text, nil
}
