package simulate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// keptRecords is how many of the latest records a run keeps at least: more than
// agents refer to. A year of a large network would not fit in memory.
const keptRecords = 1 << 18

// recent is a store in memory that forgets its oldest records, but for those that
// are read late. A record that it has forgotten is missing when it is read.
type recent struct {
	mu      sync.RWMutex
	keep    uint64
	head    journal.Head
	batches [][]journal.Record // the oldest first
	late    map[uint64]*journal.Record
	nodes   map[uint64][journal.HashSize]byte
}

// lateKinds are the kinds of record that an agent may come back to after a year:
// dispatches that it has not opened, and the rows that left memory.
var lateKinds = [][]byte{kindField(netkit.KindDispatchPublished), kindField(netkit.KindRowsArchived)}

// kindField is how an entry of that kind names it.
func kindField(k netkit.Kind) []byte { return fmt.Appendf(nil, `"kind":%q`, k) }

// forget drops the oldest batch.
func (s *recent) forget() {
	for _, r := range s.batches[0] {
		if slices.ContainsFunc(lateKinds, func(kind []byte) bool { return bytes.Contains(r.Public, kind) }) {
			s.late[r.Seq] = &copied([]journal.Record{r})[0]
		}
	}
	s.batches[0] = nil
	s.batches = s.batches[1:]
}

var _ journal.Store = (*recent)(nil)

func newRecent(keep uint64) *recent {
	return &recent{keep: keep, late: map[uint64]*journal.Record{}, nodes: map[uint64][journal.HashSize]byte{}}
}

// Head implements [journal.Store].
func (s *recent) Head(context.Context) (journal.Head, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.head, nil
}

// Append implements [journal.Store].
func (s *recent) Append(ctx context.Context, at journal.Head, b journal.Batch) (journal.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at != s.head {
		return journal.Head{}, &journal.HeadMovedError{Have: s.head, Want: at}
	}
	next, err := b.Next(at)
	if err != nil {
		return journal.Head{}, err
	}
	if len(b.Records) > 0 {
		s.batches = append(s.batches, copied(b.Records))
	}
	for _, n := range b.Nodes {
		s.nodes[n.Index] = n.Hash
	}
	for _, seq := range b.Erase {
		if r := s.find(seq); r != nil {
			r.Private = nil
		}
	}
	s.head = next
	for len(s.batches) > 1 && s.batches[1][0].Seq+s.keep <= next.Size {
		s.forget()
	}
	return next, nil
}

// copied copies records into memory that they share.
func copied(records []journal.Record) []journal.Record {
	size := 0
	for i := range records {
		size += len(records[i].Public) + len(records[i].Private)
	}
	all := make([]byte, 0, size)
	keep := func(b []byte) []byte {
		if len(b) == 0 {
			return nil
		}
		all = append(all, b...)
		return all[len(all)-len(b) : len(all) : len(all)]
	}
	out := make([]journal.Record, len(records))
	for i, r := range records {
		out[i] = journal.Record{Seq: r.Seq, Public: keep(r.Public), Private: keep(r.Private)}
	}
	return out
}

// find returns a record that is kept, nil for another. It is called with the
// lock held.
func (s *recent) find(seq uint64) *journal.Record {
	i, found := slices.BinarySearchFunc(s.batches, seq, func(b []journal.Record, seq uint64) int {
		switch {
		case b[0].Seq > seq:
			return 1
		case b[len(b)-1].Seq < seq:
			return -1
		}
		return 0
	})
	if !found {
		return s.late[seq]
	}
	return &s.batches[i][seq-s.batches[i][0].Seq]
}

// Read implements [journal.Store].
func (s *recent) Read(_ context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for seq := from; seq < to; seq++ {
			s.mu.RLock()
			r, end := s.find(seq), seq >= s.head.Size
			s.mu.RUnlock()
			if end {
				return
			}
			if r == nil {
				yield(journal.Record{}, fmt.Errorf("simulate: record %d is forgotten: %w", seq, journal.ErrNotFound))
				return
			}
			if !yield(*r, nil) {
				return
			}
		}
	}
}

// Nodes implements [journal.Store].
func (s *recent) Nodes(_ context.Context, indexes []uint64) ([][journal.HashSize]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([][journal.HashSize]byte, len(indexes))
	for i, index := range indexes {
		h, ok := s.nodes[index]
		if !ok {
			return nil, fmt.Errorf("simulate: node %d: %w", index, journal.ErrNotFound)
		}
		out[i] = h
	}
	return out, nil
}

// WriteSnapshot keeps nothing: a run is never continued.
func (s *recent) WriteSnapshot(context.Context, uint64, func(io.Writer) error) error { return nil }

// ReadSnapshot implements [journal.Store].
func (s *recent) ReadSnapshot(context.Context) (uint64, io.ReadCloser, error) {
	return 0, nil, journal.ErrNoSnapshot
}

// Close implements [journal.Store].
func (s *recent) Close() error { return nil }
