package network

import (
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit/journal"
)

// aheadChunk is how many records are handed over at once.
const aheadChunk = 256

// chunk is a run of decoded records. An error follows the records before it.
type chunk[T any] struct {
	items []T
	err   error
}

// decodeAhead yields records in runs of up to [aheadChunk], decoded in a goroutine
// of its own, which has ended when the loop has. It ends with the first error,
// which is the context's if that is done. A run is used again once its iteration is
// over, and so are its items: decode gets them as they were left.
func decodeAhead[T any](ctx context.Context, records iter.Seq2[journal.Record, error], decode func(*T, journal.Record) error) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		outer := ctx
		ctx, cancel := context.WithCancel(outer)
		full, free := make(chan chunk[T]), make(chan []T, 3)
		for range cap(free) {
			free <- make([]T, 0, aheadChunk)
		}
		defer func() { // nobody reads the records any more once this returns
			cancel()
			for range full {
			}
		}()
		go func() {
			defer close(full)
			fillChunks(ctx, records, decode, full, free)
		}()
		for c := range full {
			if len(c.items) > 0 && !yield(c.items, nil) {
				return
			}
			if c.err != nil {
				yield(nil, c.err)
				return
			}
			free <- c.items[:0]
		}
		if err := outer.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// fillChunks decodes records into chunks until they or the context end, or with
// the first error.
func fillChunks[T any](ctx context.Context, records iter.Seq2[journal.Record, error], decode func(*T, journal.Record) error, full chan<- chunk[T], free <-chan []T) {
	hand := func(c chunk[T]) bool {
		select {
		case full <- c:
			return true
		case <-ctx.Done():
			return false
		}
	}
	items := <-free
	for r, err := range records {
		if err == nil {
			items = items[:len(items)+1]
			if err = decode(&items[len(items)-1], r); err != nil {
				items = items[:len(items)-1]
			}
		}
		if err != nil {
			hand(chunk[T]{items, err})
			return
		}
		if len(items) < cap(items) {
			continue
		}
		if !hand(chunk[T]{items: items}) {
			return
		}
		select {
		case items = <-free:
		case <-ctx.Done():
			return
		}
	}
	hand(chunk[T]{items: items})
}
