package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// Pull copies the batches of the engine that the folder lacks, and returns the head of
// the folder.
func (s *Store) Pull(ctx context.Context) (journal.Head, error) {
	if err := s.turn.take(ctx); err != nil {
		return journal.Head{}, err
	}
	defer s.turn.give()
	err := s.pull(ctx)
	return s.head, err
}

// pullHeld copies the batches that this node has already, where the engine is a
// [journal.Holder].
func (s *Store) pullHeld(ctx context.Context) (ok bool, err error) {
	holder, ok := s.engine.(journal.Holder)
	if !ok {
		return false, nil
	}
	if err := s.turn.take(ctx); err != nil {
		return true, err
	}
	defer s.turn.give()
	return true, s.copyAll(ctx, holder.Held(ctx, s.head.Size))
}

// copied are batches that go into the folder in one transaction.
type copied struct {
	tree    journal.Tree // behind them
	bytes   int
	batches []journal.SealedBatch
	keys    []journal.BatchKeys
	erase   []uint64
}

// maxCopied bounds them: a transaction of a follower that is far behind.
const maxCopied = 1 << 20

// pull is called by the one whose turn it is.
func (s *Store) pull(ctx context.Context) error {
	return s.copyAll(ctx, s.engine.Batches(ctx, s.head.Size))
}

// copyAll copies batches of the engine from the end of the folder on.
func (s *Store) copyAll(ctx context.Context, batches iter.Seq2[journal.EngineBatch, error]) error {
	if s.fork != nil {
		return s.fork
	}
	before := s.head
	defer func() {
		if s.head != before {
			s.copied.Store(s.head.Size)
		}
	}()
	c := copied{tree: s.tree}
	for b, err := range batches {
		if errors.Is(err, journal.ErrNotFound) {
			return s.forked(ctx, fmt.Errorf("%w: the folder has %d entries with the root %x, and the engine has fewer", ErrFork, s.head.Size, s.tree.Root()))
		}
		if err == nil {
			err = c.add(&b)
		}
		if errors.Is(err, ErrFork) {
			return s.forked(ctx, err)
		}
		if err == nil && c.bytes >= maxCopied {
			err = s.keep(ctx, &c)
		}
		if err != nil {
			return err
		}
	}
	return s.keep(ctx, &c)
}

// add takes a batch of the engine, if it continues those before it to the root that
// the engine names.
func (c *copied) add(b *journal.EngineBatch) error {
	if b.First != c.tree.Size() || len(b.Public) != len(b.Sealed) {
		return fmt.Errorf("%w: the engine's batch begins at entry %d, want %d", ErrFork, b.First, c.tree.Size())
	}
	for i, public := range b.Public {
		c.tree.Append(journal.Leaf(public), nil)
		c.bytes += len(public) + len(b.Sealed[i])
		erased, ok, err := erasedBy(b.First+uint64(i), public)
		if err != nil {
			return err
		}
		if ok {
			c.erase = append(c.erase, erased)
		}
	}
	if root := c.tree.Root(); root != b.Root {
		return fmt.Errorf("%w: the engine's batch of the entries %d to %d leads to the root %x, and names %x", ErrFork, b.First, c.tree.Size()-1, root, b.Root)
	}
	c.batches = append(c.batches, b.SealedBatch)
	c.keys = append(c.keys, journal.BatchKeys{First: b.First, Records: uint64(len(b.Public)), Held: true, Keys: b.Keys})
	return nil
}

// erasedBy returns the entry that an entry erases.
func erasedBy(seq uint64, public []byte) (uint64, bool, error) {
	if !bytes.Contains(public, []byte(`"private.erased"`)) {
		return 0, false, nil
	}
	e, err := rules.ReadEntry(journal.Record{Seq: seq, Public: public})
	if err != nil {
		return 0, false, fmt.Errorf("replica: entry %d of the engine: %w", seq, err)
	}
	erased, ok := rules.ErasedBy(e.Fact)
	return erased, ok, nil
}

// keep writes copied batches into the folder, and empties c. It notes whether the folder
// could be written.
func (s *Store) keep(ctx context.Context, c *copied) error {
	if len(c.batches) == 0 {
		return nil
	}
	head, err := s.Folder.AppendCopies(context.WithoutCancel(ctx), s.head, &s.tree, c.batches, c.keys, c.erase)
	if err != nil {
		s.unkept.Store(&err)
		return err
	}
	s.unkept.Store(nil)
	s.head = head
	s.held.Store(head.Size)
	*c = copied{tree: s.tree}
	return nil
}
