package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/netkit/timespan"
)

// copies are accepted batches that the folder lacks.
type copies struct {
	batches []journal.SealedBatch
	keys    []journal.BatchKeys
	erase   []uint64
}

// retryWrite is the pause before a failed write to the folder is repeated.
const retryWrite = 200 * time.Millisecond

// write writes accepted batches. They are decided, so that a disk without room holds
// the node up until it has room, and a folder with other entries stops it.
func (m *machine) write(c *copies) error {
	if _, _, err := m.head(); err != nil {
		return err
	}
	failed := false
	for len(c.batches) > 0 {
		head, err := m.folder.AppendCopies(m.ctx, m.edge.head, &m.edge.tree, c.batches, c.keys, c.erase)
		if err == nil {
			m.edge.head = head
			break
		}
		failed = true
		if err := m.considerFailure(err, c); err != nil {
			return err
		}
	}
	if failed {
		m.report(nil)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.edge.head == m.state.Head && m.edge.tree.Root() != m.state.Root || m.edge.head.Size == m.state.Head.Size && m.edge.head != m.state.Head {
		return m.breakOff(fmt.Errorf("%w: its %d entries have the root %x, and the cluster agreed on %x", ErrDamaged, m.edge.head.Size, m.edge.tree.Root(), m.state.Root))
	}
	if len(c.batches) > 0 {
		m.held = m.edge.head
		m.announce()
	}
	return nil
}

// considerFailure finds out why an append failed. An error that it returns ends the node;
// otherwise the append is repeated, unless it was carried out.
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
	if head, err := m.folder.Head(m.ctx); err == nil && head.Size > m.edge.head.Size { // it was carried out
		c.batches, c.keys, c.erase = nil, nil, nil
		m.mu.Lock()
		defer m.mu.Unlock()
		if head != m.state.Head {
			return m.breakOff(fmt.Errorf("%w: it has %d entries, want %d", ErrDamaged, head.Size, m.state.Head.Size))
		}
		m.edge, m.held = edge{head, m.tree}, head
		m.announce()
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
