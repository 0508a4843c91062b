package simulate

import (
	"errors"
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestRecentForgetsTheOldest(t *testing.T) {
	s := newRecent(20)
	var head journal.Head
	for i := range 10 {
		var b journal.Batch
		for k := range 7 {
			seq := uint64(7*i + k)
			public := fmt.Append(nil, seq)
			if seq == 5 {
				public = []byte(`{"seq":5,"kind":"dispatch.published"}`)
			}
			b.Records = append(b.Records, journal.Record{Seq: seq, Public: public, Private: []byte("p")})
		}
		next, err := s.Append(t.Context(), head, b)
		if err != nil {
			t.Fatal(err)
		}
		head = next
	}
	seen := uint64(49)
	for r, err := range s.Read(t.Context(), 49, 99) {
		if err != nil || r.Seq != seen || string(r.Public) != fmt.Sprint(seen) || string(r.Private) != "p" {
			t.Fatalf("got record %d %q, %v, want %d", r.Seq, r.Public, err, seen)
		}
		seen++
	}
	if seen != 70 {
		t.Errorf("got records up to %d, want up to 70", seen)
	}
	for _, err := range s.Read(t.Context(), 3, 4) {
		if !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("got %v for a record of long ago, want %v", err, journal.ErrNotFound)
		}
	}
	for r, err := range s.Read(t.Context(), 5, 6) {
		if err != nil || r.Seq != 5 || string(r.Private) != "p" {
			t.Errorf("got record %d, %v, want the dispatch of long ago", r.Seq, err)
		}
	}
	if len(s.batches) > 4 {
		t.Errorf("got %d batches in memory, want few", len(s.batches))
	}
	if _, err := s.Append(t.Context(), journal.Head{}, journal.Batch{}); !errors.Is(err, journal.ErrHeadMoved) {
		t.Errorf("got %v on an old head, want %v", err, journal.ErrHeadMoved)
	}
}
