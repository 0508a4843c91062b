package stream

import (
	"sort"
	"sync"
	"sync/atomic"

	"github.com/agentnet/netctl/netkit/rules"
)

// frame is one encoded event in the bytes of its block.
type frame struct {
	seq uint64
	end uint32 // it begins where the frame before it ends
	rules.Audience
}

// block is a run of journal entries with the events that they tell. It never
// changes once it is in the ring, so that readers write its bytes as they are.
type block struct {
	from, to uint64 // entries [from, to)
	bytes    []byte
	frames   []frame
}

// shards is into how many groups the readers of a ring are divided. They are
// woken one group after the other.
const shards = 16

// ring holds the latest blocks, without a gap between them. One goroutine
// feeds it; readers hold its lock only while they copy slice headers.
type ring struct {
	maxEntries, maxBytes int
	readers              atomic.Int64

	mu      sync.Mutex
	blocks  []*block
	bytes   int    // of all blocks
	next    uint64 // entry behind the last one
	changes uint64 // see netkit.Stretch
	wakes   [shards]chan struct{}
	err     error         // why feeding ended
	dead    chan struct{} // closed when feeding ended with an error
}

func newRing(next uint64, entries, bytes int) *ring {
	r := &ring{maxEntries: entries, maxBytes: bytes, next: next, dead: make(chan struct{})}
	for i := range r.wakes {
		r.wakes[i] = make(chan struct{})
	}
	return r
}

// first returns the first entry that the ring covers.
func (r *ring) first() uint64 {
	if len(r.blocks) == 0 {
		return r.next
	}
	return r.blocks[0].from
}

// add appends a block and drops the oldest ones beyond the limits.
func (r *ring) add(b *block, changes uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.blocks = append(r.blocks, b)
	r.bytes += len(b.bytes)
	r.next, r.changes = b.to, changes
	for len(r.blocks) > 1 && (r.bytes > r.maxBytes || r.next-r.first() > uint64(r.maxEntries)) {
		r.drop()
	}
}

// drop removes the oldest block.
func (r *ring) drop() {
	r.bytes -= len(r.blocks[0].bytes)
	r.blocks[0] = nil
	r.blocks = r.blocks[1:]
}

// forget drops everything up to entry seq: its text was erased. Readers that
// have not come that far read the journal instead.
func (r *ring) forget(seq uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.blocks) > 0 && r.first() <= seq {
		r.drop()
	}
}

// skip drops all blocks and goes on with entry next.
func (r *ring) skip(next, changes uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.blocks, r.bytes, r.next, r.changes = nil, 0, next, changes
}

// fail ends the readers of the ring.
func (r *ring) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
		close(r.dead)
	}
}

func (r *ring) failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err != nil
}

// wake lets the readers of one shard look again.
func (r *ring) wake(shard int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.wakes[shard])
	r.wakes[shard] = make(chan struct{})
}

// view is the ring as a reader at a position sees it.
type view struct {
	first, next uint64
	changes     uint64
	block       *block        // holds the position; nil if there is nothing at it yet, or no longer
	wake        chan struct{} // closed when there may be more
}

// at looks at the ring from a position.
func (r *ring) at(position uint64, shard int) view {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := view{first: r.first(), next: r.next, changes: r.changes, wake: r.wakes[shard]}
	if position >= v.first && position < v.next {
		i := sort.Search(len(r.blocks), func(i int) bool { return r.blocks[i].to > position })
		v.block = r.blocks[i]
	}
	return v
}

// The limits of one write, so that a reader who does not take it keeps little
// memory from being freed.
const (
	maxParts = 256
	maxSent  = 128 << 10
)

// wanted returns the bytes of the frames that concern a subscription, from a
// position on, and the position behind them. Frames that follow each other are
// one part.
func (b *block) wanted(sub *rules.Subscription, position uint64) (parts [][]byte, next uint64) {
	sent, last := 0, uint32(0) // last is where the last part ends
	i := sort.Search(len(b.frames), func(i int) bool { return b.frames[i].seq >= position })
	for ; i < len(b.frames); i++ {
		f := &b.frames[i]
		if !sub.Wants(&f.Audience) {
			continue
		}
		full := sent >= maxSent || len(parts) >= maxParts
		if full && b.frames[i-1].seq != f.seq { // an entry is told whole
			return parts, f.seq
		}
		begin := uint32(0)
		if i > 0 {
			begin = b.frames[i-1].end
		}
		if n := len(parts); n > 0 && last == begin {
			parts[n-1] = b.bytes[begin-uint32(len(parts[n-1])) : f.end]
		} else {
			parts = append(parts, b.bytes[begin:f.end])
		}
		sent, last = sent+int(f.end-begin), f.end
	}
	return parts, b.to
}
