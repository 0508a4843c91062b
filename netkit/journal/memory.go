package journal

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
)

// Memory is a [Store] that lives and dies with the process: for tests and
// simulations. Make one with [NewMemory].
type Memory struct {
	mu       sync.RWMutex
	closed   bool
	head     Head
	records  []Record
	nodes    map[uint64][HashSize]byte
	snapshot []byte // nil until there is one
	snapSize uint64
}

var _ Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{nodes: make(map[uint64][HashSize]byte)}
}

// Head implements [Store].
func (m *Memory) Head(ctx context.Context) (Head, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.head, m.usable(ctx)
}

// usable is called with the lock held.
func (m *Memory) usable(ctx context.Context) error {
	if m.closed {
		return ErrClosed
	}
	return ctx.Err()
}

// Append implements [Store].
func (m *Memory) Append(ctx context.Context, at Head, b Batch) (Head, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return Head{}, err
	}
	if at != m.head {
		return Head{}, &HeadMovedError{Have: m.head, Want: at}
	}
	next, err := b.Next(at)
	if err != nil {
		return Head{}, err
	}
	m.write(b)
	m.head = next
	return next, nil
}

// write carries out a batch that was found good; it cannot fail.
func (m *Memory) write(b Batch) {
	for _, r := range b.Records {
		r.Public, r.Private = bytes.Clone(r.Public), bytes.Clone(r.Private)
		if len(r.Private) == 0 {
			r.Private = nil
		}
		m.records = append(m.records, r)
	}
	for _, n := range b.Nodes {
		m.nodes[n.Index] = n.Hash
	}
	for _, seq := range b.Erase {
		m.records[seq].Private = nil
	}
}

// Read implements [Store].
func (m *Memory) Read(ctx context.Context, from, to uint64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		// The lock is not held while the body runs, which may append.
		for seq := from; seq < to; seq++ {
			r, ok, err := m.record(ctx, seq)
			if err != nil {
				yield(Record{}, err)
				return
			}
			if !ok || !yield(r, nil) {
				return
			}
		}
		if from >= to {
			if _, err := m.Head(ctx); err != nil {
				yield(Record{}, err)
			}
		}
	}
}

func (m *Memory) record(ctx context.Context, seq uint64) (r Record, ok bool, err error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if err := m.usable(ctx); err != nil || seq >= m.head.Size {
		return Record{}, false, err
	}
	return m.records[seq], true, nil
}

// Nodes implements [Store].
func (m *Memory) Nodes(ctx context.Context, indexes []uint64) ([][HashSize]byte, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if err := m.usable(ctx); err != nil {
		return nil, err
	}
	hashes := make([][HashSize]byte, 0, len(indexes))
	for _, index := range indexes {
		h, ok := m.nodes[index]
		if !ok {
			return nil, fmt.Errorf("%w: node %d", ErrNotFound, index)
		}
		hashes = append(hashes, h)
	}
	return hashes, nil
}

// WriteSnapshot implements [Store].
func (m *Memory) WriteSnapshot(ctx context.Context, size uint64, write func(io.Writer) error) error {
	if _, err := m.Head(ctx); err != nil {
		return err
	}
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		return fmt.Errorf("journal: writing the snapshot at %d: %w", size, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	if m.snapshot == nil || size >= m.snapSize {
		m.snapshot, m.snapSize = slices.Clip(append([]byte{}, buf.Bytes()...)), size
	}
	return nil
}

// ReadSnapshot implements [Store].
func (m *Memory) ReadSnapshot(ctx context.Context) (uint64, io.ReadCloser, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if err := m.usable(ctx); err != nil {
		return 0, nil, err
	}
	if m.snapshot == nil {
		return 0, nil, ErrNoSnapshot
	}
	return m.snapSize, io.NopCloser(bytes.NewReader(m.snapshot)), nil
}

// Close implements [Store].
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}
