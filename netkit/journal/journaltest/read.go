package journaltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

func testWindows(t *testing.T, s journal.Store) {
	const size = 1000
	MustAppend(t, s, journal.Head{}, journal.Batch{Records: Records(0, size)})
	for _, w := range []struct{ from, to uint64 }{
		{0, 0}, {0, 1}, {5, 5}, {9, 3}, {999, 1000}, {1000, 2000}, {5000, 9000}, {990, math.MaxUint64},
		{math.MaxUint64 - 1, math.MaxUint64}, {0, 256}, {0, 257}, {1, 513}, {0, 1000},
	} {
		var want []journal.Record
		if w.from < w.to && w.from < size {
			want = Records(w.from, int(min(w.to, size)-w.from))
		}
		if diff := cmp.Diff(want, ReadAll(t, s, w.from, w.to)); diff != "" {
			t.Errorf("[%d,%d) differs (-want +got):\n%s", w.from, w.to, diff)
		}
	}
	for stop := range uint64(3) {
		n := uint64(0)
		for range s.Read(t.Context(), 0, size) {
			if n++; n > stop {
				break
			}
		}
	}
	expect(t, s, Records(0, size))
}

// testReadInsideRead nests more reads than a pool would hold connections, and
// appends from within.
func testReadInsideRead(t *testing.T, s journal.Store) {
	head := MustAppend(t, s, journal.Head{}, journal.Batch{Records: Records(0, 3)})
	var nest func(depth int)
	nest = func(depth int) {
		for r, err := range s.Read(t.Context(), 0, 3) {
			if err != nil {
				t.Fatal(err)
			}
			if depth > 0 && r.Seq == 1 {
				nest(depth - 1)
			}
			if want := Record(r.Seq); !cmp.Equal(clone(r), want) {
				t.Errorf("depth %d: got %v, want %v", depth, r, want)
			}
		}
		head = MustAppend(t, s, head, journal.Batch{Records: Records(head.Size, 1)})
	}
	nest(12)
	expect(t, s, Records(0, 16))
}

func testReadersBesideWriter(t *testing.T, s journal.Store) {
	const batches, each = 30, 20
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for last := uint64(0); ; {
				select {
				case <-done:
					return
				default:
				}
				n, err := readWhole(s)
				if err != nil || n < last {
					t.Errorf("got %d records after %d, %v", n, last, err)
					return
				}
				last = n
			}
		})
	}
	var head journal.Head
	for range batches {
		head = MustAppend(t, s, head, journal.Batch{Records: Records(head.Size, each)})
	}
	close(done)
	wg.Wait()
	expect(t, s, Records(0, batches*each))
}

// readWhole reads what the head promises and more, and checks each record.
func readWhole(s journal.Store) (uint64, error) {
	head, err := s.Head(context.Background())
	if err != nil {
		return 0, err
	}
	n := uint64(0)
	for r, err := range s.Read(context.Background(), 0, math.MaxUint64) {
		if err != nil {
			return n, err
		}
		if want := Record(n); r.Seq != n || !bytes.Equal(r.Public, want.Public) || !bytes.Equal(r.Private, want.Private) {
			return n, fmt.Errorf("got %v, want %v", r, Record(n))
		}
		n++
	}
	if n < head.Size {
		return n, fmt.Errorf("the head promised %d records, got %d", head.Size, n)
	}
	return n, nil
}

func testCancelled(t *testing.T, s journal.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range everyMethod(ctx, s) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want %v", name, err, context.Canceled)
		}
	}
	expect(t, s, nil)
	if _, _, err := s.ReadSnapshot(t.Context()); !errors.Is(err, journal.ErrNoSnapshot) {
		t.Errorf("got %v, want %v", err, journal.ErrNoSnapshot)
	}
}

func testClosed(t *testing.T, s journal.Store) {
	MustAppend(t, s, journal.Head{}, journal.Batch{Records: Records(0, 3)})
	for r, err := range s.Read(t.Context(), 0, 3) {
		// Closing in the middle of a read may end it, with that error only.
		if err != nil {
			if !errors.Is(err, journal.ErrClosed) {
				t.Errorf("got %v, want %v", err, journal.ErrClosed)
			}
			break
		}
		if r.Seq == 1 {
			if err := errors.Join(s.Close(), s.Close()); err != nil {
				t.Fatalf("closing twice: %v", err)
			}
		}
	}
	for name, err := range everyMethod(t.Context(), s) {
		if !errors.Is(err, journal.ErrClosed) {
			t.Errorf("%s: got %v, want %v", name, err, journal.ErrClosed)
		}
	}
}

// everyMethod calls all that takes a context and gathers the errors.
func everyMethod(ctx context.Context, s journal.Store) map[string]error {
	errs := make(map[string]error)
	_, errs["Head"] = s.Head(ctx)
	_, errs["Append"] = s.Append(ctx, journal.Head{}, journal.Batch{Records: Records(0, 1)})
	_, errs["Append nothing"] = s.Append(ctx, journal.Head{}, journal.Batch{})
	_, errs["Nodes"] = s.Nodes(ctx, nil)
	for _, window := range [][2]uint64{{0, 1}, {1, 1}} {
		name := fmt.Sprint("Read ", window)
		errs[name] = nil
		for _, errs[name] = range s.Read(ctx, window[0], window[1]) {
		}
	}
	errs["WriteSnapshot"] = s.WriteSnapshot(ctx, 0, func(io.Writer) error { return nil })
	_, _, errs["ReadSnapshot"] = s.ReadSnapshot(ctx)
	return errs
}
