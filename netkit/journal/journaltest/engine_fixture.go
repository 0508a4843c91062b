package journaltest

import (
	"crypto/rand"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

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

// expectEngine compares the records and the head of an engine with those expected.
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
