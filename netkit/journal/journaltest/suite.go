// Package journaltest tests stores and what is built on them: [Run] is the
// contract of journal.Store as a test suite, and [Faulty] a store that fails
// when it is told to.
package journaltest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

// Driver gives the suite the stores to test.
type Driver struct {
	// Open returns a new empty store.
	Open func(t *testing.T) journal.Store
	// Reopen closes s and opens the same journal again; nil where nothing
	// outlives a store.
	Reopen func(t *testing.T, s journal.Store) journal.Store
}

// Run tests that the stores of d keep the contract of journal.Store.
func Run(t *testing.T, d Driver) {
	tests := []struct {
		name string
		run  func(*testing.T, journal.Store)
	}{
		{"Empty", testEmpty},
		{"AppendRead", testAppendRead},
		{"CompareAndSwap", testCompareAndSwap},
		{"OneOfManyWins", testOneOfManyWins},
		{"BadBatches", testBadBatches},
		{"Sizes", testSizes},
		{"Ownership", testOwnership},
		{"Windows", testWindows},
		{"ReadInsideRead", testReadInsideRead},
		{"ReadersBesideWriter", testReadersBesideWriter},
		{"Erase", testErase},
		{"Nodes", testNodes},
		{"Tree", testTree},
		{"Snapshots", testSnapshots},
		{"Cancelled", testCancelled},
		{"Closed", testClosed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := d.Open(t)
			t.Cleanup(func() { s.Close() })
			test.run(t, s)
		})
	}
	if d.Reopen != nil {
		t.Run("Reopen", func(t *testing.T) { testReopen(t, d) })
	}
}

// Record makes a record for tests, different for each seq, every third without
// a private part.
func Record(seq uint64) journal.Record {
	r := journal.Record{Seq: seq, Public: fmt.Appendf(nil, `{"seq":%d}`, seq)}
	if seq%3 != 2 {
		r.Private = fmt.Appendf(nil, `{"salt":"%d"}`, seq*7)
	}
	return r
}

// Records makes the n records that follow from.
func Records(from uint64, n int) []journal.Record {
	out := make([]journal.Record, n)
	for i := range out {
		out[i] = Record(from + uint64(i))
	}
	return out
}

// MustAppend appends b at the head and returns the new one.
func MustAppend(t testing.TB, s journal.Store, at journal.Head, b journal.Batch) journal.Head {
	t.Helper()
	next, err := s.Append(t.Context(), at, b)
	if err != nil {
		t.Fatalf("appending %d records at %d: %v", len(b.Records), at.Size, err)
	}
	return next
}

// ReadAll returns copies of the records of [from, to).
func ReadAll(t testing.TB, s journal.Store, from, to uint64) []journal.Record {
	t.Helper()
	var out []journal.Record
	for r, err := range s.Read(t.Context(), from, to) {
		if err != nil {
			t.Fatalf("reading [%d,%d): %v", from, to, err)
		}
		out = append(out, clone(r))
	}
	return out
}

// clone copies what a store owns, keeping the difference of nil and empty.
func clone(r journal.Record) journal.Record {
	r.Public = append([]byte{}, r.Public...)
	if r.Private != nil {
		r.Private = append([]byte{}, r.Private...)
	}
	return r
}

// exact compares parts at once, much faster than byte by byte, and tells nil
// from empty.
var exact = cmp.Comparer(func(a, b []byte) bool {
	return (a == nil) == (b == nil) && bytes.Equal(a, b)
})

// expect compares the whole journal with records.
func expect(t testing.TB, s journal.Store, want []journal.Record) {
	t.Helper()
	if diff := cmp.Diff(want, ReadAll(t, s, 0, 1<<40), exact); diff != "" {
		t.Errorf("the journal differs (-want +got):\n%s", diff)
	}
	wantHead := journal.Head{Size: uint64(len(want))}
	if n := len(want); n > 0 {
		wantHead.Tip = journal.Leaf(want[n-1].Public)
	}
	head, err := s.Head(t.Context())
	if err != nil || head != wantHead {
		t.Errorf("got head %v, %v, want %v", head, err, wantHead)
	}
}
