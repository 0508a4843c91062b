package journaltest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

// RunEngine tests that engines keep the contract of journal.Engine. Open returns a
// new empty one, and share another connection to the same batches.
func RunEngine(t *testing.T, open func(*testing.T) journal.Engine, share func(*testing.T, journal.Engine) journal.Engine) {
	tests := []struct {
		name string
		run  func(*testing.T, journal.Engine, journal.Engine)
	}{
		{"Append", testEngineAppend},
		{"CompareAndSwap", testEngineCompareAndSwap},
		{"Again", testEngineAgain},
		{"OneOfManyWins", testEngineOneWins},
		{"BadBatches", testEngineBadBatches},
		{"Sizes", testEngineSizes},
		{"Erase", testEngineErase},
		{"Wait", testEngineWait},
		{"Writer", testEngineWriter},
		{"Roster", testEngineRoster},
		{"Cancelled", testEngineCancelled},
		{"Retire", testEngineRetire},
		{"RetireUnderLoad", testEngineRetireRace},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := open(t)
			t.Cleanup(func() { e.Close() })
			other := share(t, e)
			t.Cleanup(func() { other.Close() })
			test.run(t, e, other)
		})
	}
}

// sealed returns a batch of records with the root that it leads to behind the entries
// that an engine holds before it.
func sealed(t testing.TB, e journal.Engine, records []journal.Record, erase ...uint64) journal.EngineBatch {
	t.Helper()
	b, err := journal.Seal(journal.Batch{Records: records, Erase: erase}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var tree journal.Tree
	for held, err := range e.Batches(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if held.First >= b.First {
			break
		}
		for _, public := range held.Public {
			tree.Append(journal.Leaf(public), nil)
		}
	}
	for _, r := range records {
		tree.Append(journal.Leaf(r.Public), nil)
	}
	b.Root = tree.Root()
	return b
}

// grow appends records to an engine and returns its head.
func grow(t testing.TB, e journal.Engine, at journal.Head, records []journal.Record, erase ...uint64) journal.Head {
	t.Helper()
	next, err := e.Append(t.Context(), at, sealed(t, e, records, erase...))
	if err != nil {
		t.Fatalf("appending %d records at %d: %v", len(records), at.Size, err)
	}
	return next
}

// expectEngine compares what an engine holds with records.
func expectEngine(t testing.TB, e journal.Engine, want []journal.Record) {
	t.Helper()
	expectBatches(t, e, want)
	head, err := e.Head(t.Context())
	if n := len(want); err != nil || head.Size != uint64(n) || n > 0 && head.Tip != journal.Leaf(want[n-1].Public) {
		t.Errorf("got head %v, %v, want one of %d records", head, err, n)
	}
}

// expectBatches compares the batches of an engine with records.
func expectBatches(t testing.TB, e journal.Engine, want []journal.Record) {
	t.Helper()
	var got []journal.Record
	var tree journal.Tree
	for b, err := range e.Batches(t.Context(), 0) {
		if err != nil {
			t.Fatalf("reading the batches: %v", err)
		}
		for _, public := range b.Public {
			tree.Append(journal.Leaf(public), nil)
		}
		if b.Root != tree.Root() {
			t.Errorf("the batch at %d has another root", b.First)
		}
		records, err := b.Open()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			got = append(got, clone(r))
		}
	}
	if diff := cmp.Diff(want, got, exact); diff != "" {
		t.Errorf("the batches differ (-want +got):\n%s", diff)
	}
}

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
		t.Error("the engine does not say where an acknowledged batch is")
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
	for name, b := range map[string]journal.EngineBatch{"sealed once more": sealed(t, e, Records(0, 3)), "shorter": sealed(t, e, Records(0, 2))} {
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

// erasing returns the record of an entry that erases another one.
func erasing(seq, erased uint64) journal.Record {
	return journal.Record{Seq: seq, Public: fmt.Appendf(nil, `{"seq":%d,"kind":"private.erased","fact":{"entry":%d}}`, seq, erased)}
}

func testEngineErase(t *testing.T, e, other journal.Engine) {
	want := Records(0, 6)
	head := grow(t, e, journal.Head{}, want)
	for _, seqs := range [][]uint64{{3}, {1, 0}, {3, 2}, {4}} {
		b := Records(head.Size, 1)
		for _, seq := range seqs {
			b = append(b, erasing(head.Size+uint64(len(b)), seq))
		}
		head = grow(t, e, head, b, seqs...)
		want = append(want, b...)
		for _, seq := range seqs {
			want[seq].Private = nil
		}
		expectEngine(t, other, want)
	}
	// A key does not come back, and a batch that says nothing of an erasure takes none.
	if _, err := e.Append(t.Context(), head, sealed(t, e, Records(head.Size, 1), head.Size-2)); err == nil {
		want = append(want, Records(head.Size, 1)...)
	}
	expectEngine(t, other, want)
}

func testEngineWait(t *testing.T, e, other journal.Engine) {
	head := grow(t, e, journal.Head{}, Records(0, 1))
	if err := other.Wait(t.Context(), 0); err != nil {
		t.Error(err)
	}
	done := make(chan error)
	go func() { done <- other.Wait(t.Context(), 1) }()
	grow(t, e, head, Records(1, 1))
	if err := <-done; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { done <- other.Wait(ctx, 2) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func testEngineCancelled(t *testing.T, e, _ journal.Engine) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Append(ctx, journal.Head{}, sealed(t, e, Records(0, 1))); !errors.Is(err, context.Canceled) || errors.Is(err, journal.ErrDoubtful) {
		t.Errorf("got %v, want that nothing was written", err)
	}
	expectEngine(t, e, nil)
}

func testEngineWriter(t *testing.T, e, other journal.Engine) {
	if w, err := e.Writer(t.Context()); err != nil || w.Term != 0 || w.Node != "" {
		t.Errorf("a new engine: got %+v, %v, want no writer", w, err)
	}
	a, err := e.Claim(t.Context(), 0, "a", "http://a")
	if err != nil || a.Term != 1 || a.Node != "a" || a.Address != "http://a" {
		t.Fatalf("got %+v, %v, want a in term 1", a, err)
	}
	if _, err := other.Claim(t.Context(), 0, "b", "http://b"); !errors.Is(err, journal.ErrClaimed) {
		t.Errorf("got %v, want %v", err, journal.ErrClaimed)
	}
	if err := e.Beat(t.Context(), 1); err != nil {
		t.Error(err)
	}
	if w, err := other.Writer(t.Context()); err != nil || w.Beat <= a.Beat || w.Node != "a" {
		t.Errorf("got %+v, %v, want a beat after %d", w, err, a.Beat)
	}
	if b, err := other.Claim(t.Context(), 1, "b", "http://b"); err != nil || b.Term != 2 {
		t.Errorf("got %+v, %v, want b in term 2", b, err)
	}
	if err := e.Beat(t.Context(), 1); !errors.Is(err, journal.ErrClaimed) {
		t.Errorf("got %v, want %v", err, journal.ErrClaimed)
	}
}
