package network

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/synctest"

	"github.com/agentnet/netctl/netkit/journal"
)

// numbered yields records without contents, and then an error if there is one.
func numbered(n uint64, err error) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for seq := range n {
			if !yield(journal.Record{Seq: seq}, nil) {
				return
			}
		}
		if err != nil {
			yield(journal.Record{}, err)
		}
	}
}

// An error comes after all records before it, whether the store or a record has it;
// what was decoded into a run before is there for the next.
func TestDecodeAhead(t *testing.T) {
	broken := errors.New("broken")
	for _, x := range []struct {
		name   string
		n, bad uint64 // records, and the one that cannot be decoded
		err    error  // of the store
		want   uint64 // records that arrive
	}{
		{name: "none"}, {"whole runs", 4 * aheadChunk, 1 << 20, nil, 4 * aheadChunk}, {"a part of a run", 1000, 1 << 20, nil, 1000},
		{"an error of the store", 700, 1 << 20, broken, 700}, {"a record that is wrong", 900, 777, nil, 777}, {"the first is wrong", 9, 0, nil, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			type item struct{ seq, uses uint64 }
			decode := func(i *item, r journal.Record) error {
				if r.Seq == x.bad {
					return broken
				}
				i.seq, i.uses = r.Seq, i.uses+1
				return nil
			}
			next, again := uint64(0), false
			var failed error
			for items, err := range decodeAhead(t.Context(), numbered(x.n, x.err), decode) {
				for _, i := range items {
					if i.seq != next {
						t.Fatalf("got record %d, want %d", i.seq, next)
					}
					again = again || i.uses > 1
					next++
				}
				failed = err
			}
			if next != x.want || (failed != nil) != (x.want < x.n || x.err != nil) {
				t.Errorf("got %d records and %v, want %d", next, failed, x.want)
			}
			if again != (x.want > 3*aheadChunk) {
				t.Errorf("got memory used again: %v", again)
			}
		})
	}
}

// The goroutine has ended when the loop has, also when the loop or the context
// ends first. The bubble of the test would not end otherwise.
func TestDecodeAheadEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		reading := 0
		records := func(yield func(journal.Record, error) bool) {
			reading++
			defer func() { reading-- }()
			numbered(1<<40, nil)(yield)
		}
		decode := func(*struct{}, journal.Record) error { return nil }
		for range decodeAhead(ctx, records, decode) {
			break
		}
		if reading != 0 {
			t.Error("the records are still read after the loop")
		}
		var failed error
		runs := 0
		for _, err := range decodeAhead(ctx, records, decode) {
			if runs++; runs == 3 {
				cancel()
			}
			failed = err
		}
		if !errors.Is(failed, context.Canceled) || reading != 0 {
			t.Errorf("got %v, %d reads under way, want %v and none", failed, reading, context.Canceled)
		}
	})
}
