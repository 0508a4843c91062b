package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/netkit/timespan"
)

// Folder is the journal of a node on its own disk, which other nodes can copy;
// *sqlite.Store is one.
type Folder interface {
	replica.Folder
	journal.Copier
	// BatchOf returns the first entry of the batch that holds an entry.
	BatchOf(ctx context.Context, seq uint64) (uint64, error)
}

// machine is the state machine of raft. What becomes of an entry follows from its
// state; the folder is only written. It may be ahead of the state, after a
// restart or a copy from another node; then entries that it has are not written again.
type machine struct {
	folder Folder
	ctx    context.Context // ends when the node closes
	report func(error)     // a folder that cannot be written for now, nil when it can again
	halt   func(error)     // a folder with other entries than the cluster agreed on

	disk sync.Mutex // held while the folder is written
	edge edge       // of the folder; guarded by disk

	mu     sync.Mutex
	state  state
	tree   journal.Tree  // of the state
	held   journal.Head  // of the folder
	grown  chan struct{} // closed when held grows
	broken error
}

// edge is the end of a folder.
type edge struct {
	head journal.Head
	tree journal.Tree
}

var _ raft.BatchingFSM = (*machine)(nil)

// newMachine returns the state machine at a state, with a folder that holds at least
// the entries of the state.
func newMachine(ctx context.Context, folder Folder, s state) (*machine, error) {
	m := &machine{folder: folder, ctx: ctx, grown: make(chan struct{}), report: func(error) {}, halt: func(error) {}}
	if err := m.lookAtFolder(ctx); err != nil {
		return nil, err
	}
	return m, m.loadState(ctx, s)
}

// lookAtFolder reads the end of the folder. Only its writer may call it.
func (m *machine) lookAtFolder(ctx context.Context) error {
	head, err := m.folder.Head(ctx)
	if err != nil {
		return err
	}
	tree, err := journal.OpenTree(ctx, m.folder, head.Size)
	if err != nil {
		return nameDamage(err)
	}
	m.edge = edge{head, *tree}
	m.publishHead(head)
	return nil
}

// loadState begins at a state, if the folder has its entries.
func (m *machine) loadState(ctx context.Context, s state) error {
	tree, err := journal.OpenTree(ctx, m.folder, s.Head.Size)
	if err != nil {
		return nameDamage(err)
	}
	if s.Head.Size > 0 && tree.Root() != s.Root {
		return fmt.Errorf("%w: its first %d entries have the root %x, and the cluster agreed on %x", ErrDamaged, s.Head.Size, tree.Root(), s.Root)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state, m.tree = s, *tree
	return nil
}

// nameDamage names an error of a folder that lacks parts of its tree.
func nameDamage(err error) error {
	if errors.Is(err, journal.ErrNotFound) || errors.Is(err, journal.ErrNotJournal) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// publishHead publishes the head of the folder.
func (m *machine) publishHead(head journal.Head) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held = head; m.grown != nil {
		close(m.grown)
	}
	m.grown = make(chan struct{})
}

// head returns the head of the folder, and a channel that is closed when it grows.
func (m *machine) head() (journal.Head, <-chan struct{}, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.held, m.grown, m.broken
}

// wait waits until the folder holds size entries.
func (m *machine) wait(ctx context.Context, size uint64) error {
	for {
		head, grown, err := m.head()
		if err != nil || head.Size >= size {
			return err
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return ctx.Err()
		case <-m.ctx.Done():
			return journal.ErrClosed
		}
	}
}

func (m *machine) writer() writer {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state.Writer
}

// Apply implements [raft.FSM].
func (m *machine) Apply(l *raft.Log) any { return m.ApplyBatch([]*raft.Log{l})[0] }

// ApplyBatch implements [raft.BatchingFSM]. The answer to an entry is an error, nil
// where it was accepted, or the head of an accepted batch.
func (m *machine) ApplyBatch(logs []*raft.Log) []any {
	m.disk.Lock()
	defer m.disk.Unlock()
	answers := make([]any, len(logs))
	var c copies
	for i, l := range logs {
		if l.Type == raft.LogCommand {
			answers[i] = m.decideEntry(l.Data, &c)
		}
	}
	if err := m.write(&c); err != nil {
		for i := range answers {
			answers[i] = fmt.Errorf("%w: %w", journal.ErrDoubtful, err)
		}
	}
	return answers
}

// copies are accepted batches that the folder lacks.
type copies struct {
	batches []journal.SealedBatch
	keys    []journal.BatchKeys
	erase   []uint64
}

// decideEntry decides about an entry, and adds a batch that the folder lacks to c.
func (m *machine) decideEntry(entry []byte, c *copies) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(entry) > 0 && entry[0] == kindControl {
		var in control
		if err := json.Unmarshal(entry[1:], &in); err != nil {
			return errEntry
		}
		return m.state.carryOut(&in)
	}
	at, b, err := parseBatch(entry)
	if err == nil {
		err = m.state.acceptBatch(&m.tree, at, &b)
	}
	if err != nil {
		return err
	}
	if m.state.Head.Size > m.edge.head.Size {
		c.batches = append(c.batches, b.SealedBatch)
		c.keys = append(c.keys, journal.BatchKeys{First: b.First, Records: uint64(len(b.Public)), Held: true, Keys: b.Keys})
		c.erase = append(c.erase, b.Erase...)
	}
	return m.state.Head
}

// retryWrite is the pause before a failed write to the folder is repeated.
const retryWrite = 200 * time.Millisecond

// write writes accepted batches. They are decided, so that a disk without room holds
// the node up until it has room, and a folder with other entries stops it.
func (m *machine) write(c *copies) error {
	if _, _, err := m.head(); err != nil {
		return err
	}
	for failed := false; len(c.batches) > 0; failed = true {
		head, err := m.folder.AppendCopies(m.ctx, m.edge.head, &m.edge.tree, c.batches, c.keys, c.erase)
		if err == nil {
			m.edge.head = head
			if failed {
				m.report(nil)
			}
			break
		}
		if err := m.considerFailure(err, c); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.edge.head == m.state.Head && m.edge.tree.Root() != m.state.Root || m.edge.head.Size == m.state.Head.Size && m.edge.head != m.state.Head {
		return m.breakOff(fmt.Errorf("%w: its %d entries have the root %x, and the cluster agreed on %x", ErrDamaged, m.edge.head.Size, m.edge.tree.Root(), m.state.Root))
	}
	if len(c.batches) > 0 {
		m.held = m.edge.head
		close(m.grown)
		m.grown = make(chan struct{})
	}
	return nil
}

// considerFailure looks at an append that failed. A returned error ends the node; otherwise
// the append is to be repeated.
func (m *machine) considerFailure(err error, c *copies) error {
	if m.ctx.Err() != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.broken = journal.ErrClosed
		return m.broken
	}
	if errors.Is(err, journal.ErrNotJournal) || errors.Is(err, journal.ErrHeadMoved) || errors.Is(err, journal.ErrBadBatch) {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.breakOff(fmt.Errorf("%w: %w", ErrDamaged, err))
	}
	m.report(err)
	timespan.Wait(m.ctx, retryWrite)
	if head, err := m.folder.Head(m.ctx); err == nil && head.Size > m.edge.head.Size { // the append got through
		c.batches, c.keys, c.erase = nil, nil, nil
		m.mu.Lock()
		defer m.mu.Unlock()
		if head != m.state.Head {
			return m.breakOff(fmt.Errorf("%w: it has %d entries, want %d", ErrDamaged, head.Size, m.state.Head.Size))
		}
		m.edge, m.held = edge{head, m.tree}, head
		close(m.grown)
		m.grown = make(chan struct{})
	}
	return nil
}

// breakOff ends the part that this node takes, with mu held.
func (m *machine) breakOff(err error) error {
	if m.broken == nil {
		m.broken = err
		go m.halt(err)
	}
	return m.broken
}

// fill copies missing batches up to a head from the first node that has them.
func (m *machine) fill(ctx context.Context, want journal.Head, from []journal.Engine) error {
	m.disk.Lock()
	defer m.disk.Unlock()
	if m.edge.head.Size >= want.Size {
		return nil
	}
	failed := fmt.Errorf("cluster: the folder has %d entries of %d, and no other node is known", m.edge.head.Size, want.Size)
	for _, e := range from {
		_, err := replica.Open(ctx, replica.Config{Engine: e, Folder: m.folder})
		if err := m.lookAtFolder(ctx); err != nil {
			return err
		}
		if m.edge.head.Size >= want.Size {
			return nil
		}
		if err != nil {
			failed = err
		}
		if errors.Is(err, replica.ErrFork) || ctx.Err() != nil {
			break
		}
	}
	return failed
}

// Snapshot implements [raft.FSM]: a reference to the folder at a head. All that it
// names is synced.
func (m *machine) Snapshot() (raft.FSMSnapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken != nil {
		return nil, m.broken
	}
	return reference(m.state.bytes()), nil
}

// Restore implements [raft.FSM]. The store of snapshots has filled the folder before.
func (m *machine) Restore(from io.ReadCloser) error {
	b, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	s, err := parseState(b)
	if err == nil {
		err = m.loadState(m.ctx, s)
	}
	if err != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.breakOff(err)
	}
	return nil
}

// reference is the content of a snapshot.
type reference []byte

// Persist implements [raft.FSMSnapshot].
func (r reference) Persist(sink raft.SnapshotSink) error {
	if _, err := sink.Write(r); err != nil {
		return err
	}
	return sink.Close()
}

// Release implements [raft.FSMSnapshot].
func (reference) Release() {}
