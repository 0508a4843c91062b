package journaltest

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func testEmpty(t *testing.T, s journal.Store) {
	expect(t, s, nil)
	if next := MustAppend(t, s, journal.Head{}, journal.Batch{}); next != (journal.Head{}) {
		t.Errorf("confirming an empty journal: got head %v, want zero", next)
	}
}

func testAppendRead(t *testing.T, s journal.Store) {
	var want []journal.Record
	var head journal.Head
	for _, n := range []int{1, 2, 64, 300} {
		records := Records(head.Size, n)
		head = MustAppend(t, s, head, journal.Batch{Records: records})
		want = append(want, records...)
		expect(t, s, want)
	}
	if got := MustAppend(t, s, head, journal.Batch{}); got != head {
		t.Errorf("confirming: got head %v, want %v", got, head)
	}
}

func testCompareAndSwap(t *testing.T, s journal.Store) {
	one := MustAppend(t, s, journal.Head{}, journal.Batch{Records: Records(0, 1)})
	two := MustAppend(t, s, one, journal.Batch{Records: Records(1, 1)})
	forged := two
	forged.Tip[31] ^= 1
	ahead := journal.Head{Size: 3, Tip: two.Tip}
	for _, at := range []journal.Head{{}, one, forged, ahead} {
		for _, b := range []journal.Batch{{Records: Records(at.Size, 1)}, {}, {Erase: []uint64{0}}} {
			_, err := s.Append(t.Context(), at, b)
			var moved *journal.HeadMovedError
			if !errors.Is(err, journal.ErrHeadMoved) || !errors.As(err, &moved) {
				t.Fatalf("appending %+v at %d: got %v, want a HeadMovedError", b, at.Size, err)
			}
			if moved.Have != two || moved.Want != at {
				t.Errorf("got have %v, want %v, want have %v, want %v", moved.Have, moved.Want, two, at)
			}
		}
	}
	expect(t, s, Records(0, 2))
}

func testOneOfManyWins(t *testing.T, s journal.Store) {
	const writers, rounds = 8, 10
	for round := range rounds {
		at, err := s.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		results := make([]error, writers)
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				_, results[w] = s.Append(t.Context(), at, journal.Batch{Records: Records(at.Size, 1)})
			})
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
		if won != 1 {
			t.Fatalf("round %d: %d appends won, want 1", round, won)
		}
	}
	expect(t, s, Records(0, rounds))
}

func testBadBatches(t *testing.T, s journal.Store) {
	head := MustAppend(t, s, journal.Head{}, journal.Batch{Records: Records(0, 2), Nodes: []journal.Node{{Index: 1}}})
	record := func(seq uint64, public []byte) journal.Batch {
		return journal.Batch{Records: []journal.Record{Record(2), {Seq: seq, Public: public}}}
	}
	tests := map[string]journal.Batch{
		"gap":              record(4, []byte("{}")),
		"repeated seq":     record(2, []byte("{}")),
		"old seq":          {Records: Records(1, 1)},
		"no public part":   record(3, nil),
		"too long":         record(3, make([]byte, journal.MaxPublic+1)),
		"erase the future": {Records: Records(2, 1), Erase: []uint64{0, 9}},
		"erase itself":     {Records: Records(2, 1), Erase: []uint64{2}},
		"node again":       {Records: Records(2, 1), Erase: []uint64{0}, Nodes: []journal.Node{{Index: 1}, {Index: 3}}},
		"node too early":   {Records: Records(2, 1), Nodes: []journal.Node{{Index: 3}, {Index: 4}}},
		"node too late":    {Records: Records(2, 1), Nodes: []journal.Node{{Index: 2}, {Index: 3}}},
		"only a node":      {Nodes: []journal.Node{{Index: 2}}},
		"nodes descending": {Records: Records(2, 2), Nodes: []journal.Node{{Index: 4}, {Index: 3}}},
		"node twice":       {Records: Records(2, 1), Nodes: []journal.Node{{Index: 3}, {Index: 3}}},
		"node too far":     {Records: Records(2, 1), Nodes: []journal.Node{{Index: 1 << 63}}},
	}
	for name, b := range tests {
		if _, err := s.Append(t.Context(), head, b); !errors.Is(err, journal.ErrBadBatch) || errors.Is(err, journal.ErrDoubtful) {
			t.Errorf("%s: got %v, want %v", name, err, journal.ErrBadBatch)
		}
		// Nothing of a refused batch may stay, its good parts included.
		expect(t, s, Records(0, 2))
		if _, err := s.Nodes(t.Context(), []uint64{3}); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("%s: node 3: got %v, want %v", name, err, journal.ErrNotFound)
		}
	}
	MustAppend(t, s, head, journal.Batch{Records: Records(2, 1)})
}

func testSizes(t *testing.T, s journal.Store) {
	var want []journal.Record
	for i, n := range []int{1, 2, 100, 4000, 4096, 8192, 20_000, journal.MaxPublic} {
		seq := uint64(2 * i)
		part := bytes.Repeat([]byte{byte(i), 0, 0xff}, n)[:n]
		want = append(want,
			journal.Record{Seq: seq, Public: part, Private: part},
			journal.Record{Seq: seq + 1, Public: part})
	}
	huge := bytes.Repeat([]byte("0123456789"), 100_000)
	want = append(want, journal.Record{Seq: uint64(len(want)), Public: []byte("{}"), Private: huge})
	stored := slices.Clone(want)
	stored[1].Private = []byte{} // an empty part comes back as none
	MustAppend(t, s, journal.Head{}, journal.Batch{Records: stored})
	expect(t, s, want)
}

func testOwnership(t *testing.T, s journal.Store) {
	records := Records(0, 3)
	MustAppend(t, s, journal.Head{}, journal.Batch{Records: records})
	for _, r := range records {
		clear(r.Public)
		clear(r.Private)
	}
	expect(t, s, Records(0, 3))
}

func testErase(t *testing.T, s journal.Store) {
	want := Records(0, 6)
	head := MustAppend(t, s, journal.Head{}, journal.Batch{Records: Records(0, 6)})
	got := MustAppend(t, s, head, journal.Batch{Erase: []uint64{3, 1, 3, 2}})
	if got != head {
		t.Errorf("erasing moved the head from %v to %v", head, got)
	}
	want[1].Private, want[2].Private, want[3].Private = nil, nil, nil
	expect(t, s, want)
	// Erasing again is not an error, since a doubtful batch is repeated.
	MustAppend(t, s, head, journal.Batch{Records: Records(6, 1), Erase: []uint64{0, 1}})
	want[0].Private = nil
	expect(t, s, append(want, Record(6)))
}

func testNodes(t *testing.T, s journal.Store) {
	hash := func(b byte) (h [journal.HashSize]byte) { h[0], h[31] = b, b; return h }
	head := MustAppend(t, s, journal.Head{}, journal.Batch{
		Records: Records(0, 3),
		Nodes:   []journal.Node{{Index: 0, Hash: hash(1)}, {Index: 1, Hash: hash(2)}, {Index: 2, Hash: hash(4)}},
	})
	MustAppend(t, s, head, journal.Batch{Records: Records(3, 2), Nodes: []journal.Node{{Index: 6, Hash: hash(3)}}})
	got, err := s.Nodes(t.Context(), []uint64{6, 0, 2, 0, 1})
	want := [][journal.HashSize]byte{hash(3), hash(1), hash(4), hash(1), hash(2)}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %x, %v, want %x", got, err, want)
	}
	if got, err := s.Nodes(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("no indexes: got %x, %v, want none", got, err)
	}
	for _, index := range []uint64{3, 5, 1 << 40, 1 << 63, 1<<64 - 1} {
		if _, err := s.Nodes(t.Context(), []uint64{0, index}); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("node %d: got %v, want %v", index, err, journal.ErrNotFound)
		}
	}
}
