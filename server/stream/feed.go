package stream

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/timespan"
)

const (
	blockEntries = 1024                  // entries of a block at most
	gap          = 25 * time.Millisecond // between two blocks at least, while there is much to tell
	// each is what a round of waking takes for each reader at least. It bounds
	// the writes of all readers together to 20,000 a second: the more readers,
	// the more events each gets in one write.
	each = 50 * time.Microsecond
)

// feed fills a ring from the journal until the context ends, or the journal
// cannot be read.
func (h *Hub) feed(ctx context.Context, r *ring) {
	for next := r.next; ; {
		size, err := h.cfg.Network.WaitDurable(ctx, next+1)
		if err != nil {
			return
		}
		begun := time.Now()
		to := min(size, next+blockEntries)
		if err := h.extend(ctx, r, next, to); err != nil {
			if ctx.Err() == nil {
				h.cfg.Logger.Error("event stream", "error", err.Error())
				r.fail(err)
			}
			return
		}
		next = to
		r.sweep(ctx)
		timespan.Wait(ctx, gap-time.Since(begun))
	}
}

// sweep wakes all readers, one shard after the other, so that they do not all
// ask for the processors at the same time as the writers of the network.
func (r *ring) sweep(ctx context.Context) {
	rest := time.Duration(r.readers.Load()) * each / shards
	for shard := range shards {
		r.wake(shard)
		if rest > time.Millisecond {
			timespan.Wait(ctx, rest)
		}
	}
}

// extend reads the entries [from, to) and adds what they tell to the ring.
func (h *Hub) extend(ctx context.Context, r *ring, from, to uint64) error {
	s, err := h.cfg.Network.Stretch(ctx, from, to)
	if err != nil {
		return err
	}
	if s.Partial {
		r.skip(to, s.Changes)
		return nil
	}
	b := &block{from: from, to: to}
	for i := range s.Events {
		e := &s.Events[i]
		if err := h.encode(b, &e.Event); err != nil {
			return err
		}
		b.frames = append(b.frames, frame{e.ID, uint32(len(b.bytes)), e.Audience})
		h.encoded.Add(1)
	}
	if s.Erased != 0 {
		r.forget(s.Erased)
	}
	r.add(b, s.Changes)
	return nil
}

// encode appends an event to the bytes of a block.
func (h *Hub) encode(b *block, e *netkit.Event) error {
	data, err := json.Marshal(h.cfg.Complete(e.Data))
	if err != nil {
		return err
	}
	b.bytes = append(b.bytes, "id: "...)
	b.bytes = strconv.AppendUint(b.bytes, e.ID, 10)
	b.bytes = append(b.bytes, "\nevent: "...)
	b.bytes = append(b.bytes, e.Type...)
	b.bytes = append(b.bytes, "\ndata: "...)
	b.bytes = append(b.bytes, data...)
	b.bytes = append(b.bytes, "\n\n"...)
	return nil
}
