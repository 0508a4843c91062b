package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/replica"
)

// Folder is the journal of a node on its own disk, which other nodes can copy;
// *sqlite.Store is one.
type Folder interface {
	replica.Folder
	journal.Copier
	// BatchOf returns the first entry of the batch that holds an entry.
	BatchOf(ctx context.Context, seq uint64) (uint64, error)
	// Sync makes the batches so far durable. Before it, a power cut may take them, since
	// raft's log has them too.
	Sync(ctx context.Context) error
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
	tree   journal.Tree // of the state
	recent recent
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
	m.state, m.tree, m.recent = s, *tree, nil
	m.announce() // the network may have left meanwhile
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
	m.held = head
	m.announce()
}

// announce wakes the calls that wait, with mu held.
func (m *machine) announce() {
	if m.grown != nil {
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
	return m.waitWhile(ctx, size, func() error { return nil })
}

// waitUnlessRetired waits like wait, and ends where there will be no more entries.
func (m *machine) waitUnlessRetired(ctx context.Context, size uint64) error {
	return m.waitWhile(ctx, size, m.retirement)
}

// waitWhile waits until the folder holds size entries, or until ended returns an error.
func (m *machine) waitWhile(ctx context.Context, size uint64, ended func() error) error {
	for {
		head, grown, err := m.head()
		if err != nil || head.Size >= size {
			return err
		}
		if err := ended(); err != nil {
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

// retired returns where the network moved, nil while the cluster has it.
func (m *machine) retired() *retire {
	_, to := m.lastHead()
	return to
}

// retirement returns the error of a cluster that its network left, nil while it has it.
func (m *machine) retirement() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state.Retired == nil {
		return nil
	}
	return m.state.retirement()
}

// lastHead returns the head that the nodes agreed on last, and where the network moved.
func (m *machine) lastHead() (journal.Head, *retire) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state.Head, m.state.Retired
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

// decideEntry decides about an entry, and adds a batch that the folder lacks to c.
func (m *machine) decideEntry(entry []byte, c *copies) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(entry) > 0 && entry[0] == kindControl {
		var in control
		if err := decodeKnown(entry[1:], &in); err != nil {
			return m.breakOff(err)
		}
		err := m.state.carryOut(&in)
		if err == nil && in.Retire != nil {
			m.announce()
		}
		return err
	}
	at, b, err := parseBatch(entry)
	if err != nil {
		return m.breakOff(errNewer)
	}
	if err := m.state.acceptBatch(&m.tree, at, &b); err != nil {
		return err
	}
	if m.state.Head.Size > m.edge.head.Size {
		c.batches = append(c.batches, b.SealedBatch)
		c.keys = append(c.keys, journal.BatchKeys{First: b.First, Records: uint64(len(b.Public)), Held: true, Keys: b.Keys})
		c.erase = append(c.erase, b.Erase...)
	}
	m.recent.add(&b)
	return m.state.Head
}
