package journaltest

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func testEngineAppend(t *testing.T, e, other journal.Engine) {
	expectEngine(t, e, nil)
	head := journal.Head{}
	for _, n := range []int{1, 2, 64, 300} {
		head = grow(t, e, head, Records(head.Size, n))
		expectEngine(t, other, Records(0, int(head.Size)))
	}
	for _, from := range []uint64{3, 30, 66} {
		for b, err := range e.Batches(t.Context(), from) {
			if err != nil || b.First != 3 || len(b.Public) != 64 {
				t.Errorf("batches from %d on: got %d entries from %d on, %v, want the 64 that begin at 3", from, len(b.Public), b.First, err)
			}
			break
		}
	}
	for _, err := range e.Batches(t.Context(), head.Size+1) {
		if !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("batches beyond the end: got %v, want %v", err, journal.ErrNotFound)
		}
	}
	for range e.Batches(t.Context(), head.Size) {
		t.Error("got a batch at the end, want none")
	}
	if l := e.Limits(); l.Acknowledged == "" {
		t.Error("the engine does not name the place of an acknowledged batch")
	}
}

func testEngineCompareAndSwap(t *testing.T, e, other journal.Engine) {
	one := grow(t, e, journal.Head{}, Records(0, 1))
	two := grow(t, other, one, Records(1, 1))
	forged := two
	forged.Tip[31] ^= 1
	for _, at := range []journal.Head{{}, one, forged, {Size: 3, Tip: two.Tip}} {
		_, err := e.Append(t.Context(), at, sealed(t, e, Records(at.Size, 1)))
		var moved *journal.HeadMovedError
		if !errors.As(err, &moved) || moved.Have != two || moved.Want != at {
			t.Errorf("appending at %d: got %v, want that the head is at 2", at.Size, err)
		}
	}
	expectEngine(t, e, Records(0, 2))
}

// A writer that does not know whether its batch was written repeats it.
func testEngineAgain(t *testing.T, e, other journal.Engine) {
	b := sealed(t, e, Records(0, 3))
	for range 3 {
		head, err := e.Append(t.Context(), journal.Head{}, b)
		if err != nil || head.Size != 3 {
			t.Fatalf("got %v, %v, want the head behind 3 records", head, err)
		}
	}
	for name, b := range map[string]journal.EngineBatch{"sealed again": sealed(t, e, Records(0, 3)), "shorter": sealed(t, e, Records(0, 2))} {
		if _, err := other.Append(t.Context(), journal.Head{}, b); !errors.Is(err, journal.ErrHeadMoved) {
			t.Errorf("%s: got %v, want %v", name, err, journal.ErrHeadMoved)
		}
	}
	expectEngine(t, e, Records(0, 3))
}

func testEngineOneWins(t *testing.T, e, other journal.Engine) {
	const rounds = 10
	for round := range rounds {
		at, err := e.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		engines := []journal.Engine{e, other, e, other, e, other}
		results := make([]error, len(engines))
		var wg sync.WaitGroup
		for w, engine := range engines {
			b := sealed(t, e, Records(at.Size, 1))
			wg.Go(func() { _, results[w] = engine.Append(t.Context(), at, b) })
		}
		wg.Wait()
		won := 0
		for _, err := range results {
			if err == nil {
				won++
			} else if !errors.Is(err, journal.ErrHeadMoved) {
				t.Fatalf("round %d: got %v, want the head to have moved", round, err)
			}
		}
		// Record 2 of 3 has no private part, so that all its batches are the same one.
		if want := 1; at.Size%3 != 2 && won != want {
			t.Fatalf("round %d: %d appends won, want %d", round, won, want)
		}
	}
	expectEngine(t, other, Records(0, rounds))
}

func testEngineBadBatches(t *testing.T, e, _ journal.Engine) {
	head := grow(t, e, journal.Head{}, Records(0, 2))
	short := sealed(t, e, Records(2, 2))
	short.Sealed = short.Sealed[:1]
	tests := map[string]journal.EngineBatch{
		"empty":            {},
		"gap":              sealed(t, e, Records(4, 1)),
		"no public part":   sealed(t, e, []journal.Record{{Seq: 2}}),
		"too long":         sealed(t, e, []journal.Record{{Seq: 2, Public: make([]byte, journal.MaxPublic+1)}}),
		"erase the future": sealed(t, e, Records(2, 1), 9),
		"fewer sealed":     short,
	}
	for name, b := range tests {
		if _, err := e.Append(t.Context(), head, b); !errors.Is(err, journal.ErrBadBatch) {
			t.Errorf("%s: got %v, want %v", name, err, journal.ErrBadBatch)
		}
	}
	expectEngine(t, e, Records(0, 2))
}

func testEngineSizes(t *testing.T, e, other journal.Engine) {
	var want []journal.Record
	for i, n := range []int{1, 2, 100, 4000, 8192, 20_000, journal.MaxPublic} {
		part := bytes.Repeat([]byte{byte(i), 0, 0xff}, n)[:n]
		want = append(want, journal.Record{Seq: uint64(2 * i), Public: part, Private: part}, journal.Record{Seq: uint64(2*i + 1), Public: part})
	}
	head := grow(t, e, journal.Head{}, want)
	// One record may be larger than a batch of several.
	large := journal.Record{Seq: head.Size, Public: []byte("{}"), Private: bytes.Repeat([]byte("0123456789"), 100_000)}
	grow(t, e, head, []journal.Record{large})
	want = append(want, large)
	expectEngine(t, other, want)
}

func testEngineCancelled(t *testing.T, e, _ journal.Engine) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Append(ctx, journal.Head{}, sealed(t, e, Records(0, 1))); !errors.Is(err, context.Canceled) || errors.Is(err, journal.ErrDoubtful) {
		t.Errorf("got %v, want that nothing was written", err)
	}
	expectEngine(t, e, nil)
}
