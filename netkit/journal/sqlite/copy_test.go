package sqlite

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// filled makes a journal of batches of several sizes, of which it erases a part, a
// whole batch, and nothing.
func filled(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	var tree journal.Tree
	head := journal.Head{}
	for k, n := range []int{1, 7, 3, 300, 2} {
		b := journal.Batch{}
		for i := range n {
			r := journal.Record{Seq: head.Size + uint64(i), Public: fmt.Appendf(nil, `{"batch":%d,"entry":%d}`, k, i)}
			if i%3 != 1 {
				r.Private = fmt.Appendf(nil, "private text %d of batch %d", i, k)
			}
			b.Records = append(b.Records, r)
			b.Nodes = tree.Append(journal.Leaf(r.Public), b.Nodes)
		}
		if k == 4 {
			b.Erase = []uint64{3, 8, 10, 40, 41}
		}
		if head, err = s.Append(t.Context(), head, b); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// readAll reads a whole journal.
func readAll(t *testing.T, s *Store) (all []journal.Record) {
	t.Helper()
	for r, err := range s.Read(t.Context(), 0, math.MaxUint64) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, journal.Record{Seq: r.Seq, Public: slices.Clone(r.Public), Private: slices.Clone(r.Private)})
	}
	return all
}

// copyInto restores what a journal holds into another folder, with the keys of the
// batches that keep returns true for.
func copyInto(t *testing.T, s *Store, dir string, keep func(i int) bool) error {
	t.Helper()
	head, keys, err := s.BatchKeys(t.Context(), 0, math.MaxUint64)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Restore(t.Context(), dir, func(add func(journal.SealedBatch, journal.BatchKeys) error) error {
		i := 0
		for b, err := range s.SealedBatches(t.Context(), 0, head.Size) {
			if err != nil {
				return err
			}
			k := keys[i]
			k.Held = k.Held && keep(i)
			if err := add(b, k); err != nil {
				return err
			}
			i++
		}
		return nil
	})
	return err
}

// A journal that was copied and restored holds the same entries, private parts and
// erasures, passes its own checks, and can be written and erased in.
func TestRestoreGivesTheSameJournal(t *testing.T) {
	s := filled(t, t.TempDir())
	dir := t.TempDir()
	if err := copyInto(t, s, dir, func(int) bool { return true }); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), Config{Dir: dir, Existing: true})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := again.Check(t.Context()); err != nil {
		t.Errorf("its guards: %v", err)
	}
	want, got := readAll(t, s), readAll(t, again)
	if !slices.EqualFunc(want, got, func(a, b journal.Record) bool {
		return a.Seq == b.Seq && string(a.Public) == string(b.Public) && string(a.Private) == string(b.Private)
	}) {
		t.Errorf("got %d entries that differ from the %d copied", len(got), len(want))
	}
	for _, seq := range []uint64{3, 8, 10, 40, 41} {
		if got[seq].Private != nil {
			t.Errorf("entry %d was erased, and is there again", seq)
		}
	}
	if seq, found, err := again.FirstUnheld(t.Context(), func(seq uint64) bool { return slices.Contains([]uint64{3, 8, 10, 40, 41}, seq) }); err != nil || found {
		t.Errorf("got entry %d without a key and %v, want none besides the erased ones", seq, err)
	}
	head, err := again.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if h, err := s.Head(t.Context()); err != nil || h != head {
		t.Errorf("got head %v, want %v", head, h)
	}
	tree, err := journal.OpenTree(t.Context(), again, head.Size)
	if err != nil {
		t.Fatal(err)
	}
	public := []byte(`{"later":true}`)
	if _, err := again.Append(t.Context(), head, journal.Batch{Records: []journal.Record{{Seq: head.Size, Public: public}}, Nodes: tree.Append(journal.Leaf(public), nil), Erase: []uint64{0, 11, 12, 309}}); err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, again); got[0].Private != nil || got[11].Private != nil || got[309].Private != nil || got[13].Private == nil {
		t.Error("an erasure in the restored journal did not take what it named, or more")
	}
}

// A copy without some keys holds the public parts, and says which entry it cannot open.
func TestRestoreWithoutKeys(t *testing.T) {
	s := filled(t, t.TempDir())
	dir := t.TempDir()
	if err := copyInto(t, s, dir, func(i int) bool { return i != 2 }); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), Config{Dir: dir, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if seq, found, err := again.FirstUnheld(t.Context(), func(seq uint64) bool { return seq < 8 }); err != nil || !found || seq != 8 {
		t.Errorf("got entry %d, %v and %v, want 8, whose keys are not held", seq, found, err)
	}
}

// A journal is never restored over another one, nor with a batch missing.
func TestRestoreRefuses(t *testing.T) {
	s := filled(t, t.TempDir())
	dir := t.TempDir()
	filled(t, dir).Close()
	if err := copyInto(t, s, dir, func(int) bool { return true }); err == nil {
		t.Error("restored over a journal")
	}
	empty := t.TempDir()
	_, err := Restore(t.Context(), empty, func(add func(journal.SealedBatch, journal.BatchKeys) error) error {
		return add(journal.SealedBatch{First: 1, Public: [][]byte{[]byte("{}")}, Sealed: [][]byte{nil}}, journal.BatchKeys{})
	})
	if err == nil {
		t.Error("restored without entry 0")
	}
}
