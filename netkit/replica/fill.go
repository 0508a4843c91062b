package replica

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/timespan"
)

// Moving is the name of the writer while a network is moved to an engine. No node
// takes over from it: the engine may lack entries that were acknowledged elsewhere.
const Moving = "netctl migrate"

// Fill appends the batches of a folder that an engine lacks, up to the head that the
// folder has when Fill begins, and returns the head of the engine. The folder may be
// written meanwhile. A Fill that was interrupted is repeated. The error is [ErrFork]
// where the engine holds other entries, or more of them. Progress is called now and
// then; nil shows nothing.
func Fill(ctx context.Context, from journal.Copier, to journal.Engine, progress func(done, total uint64)) (journal.Head, error) {
	head, err := from.Head(ctx)
	if err != nil {
		return head, err
	}
	at, tree, err := meet(ctx, from, head, to)
	if err != nil {
		return at, err
	}
	for b, err := range ReadBatches(ctx, from, at.Size, head.Size) {
		if err == nil {
			err = complete(&b, tree)
		}
		if err == nil {
			at, err = push(ctx, to, at, b)
		}
		if err != nil {
			return at, err
		}
		if progress != nil {
			progress(at.Size, head.Size)
		}
	}
	return at, nil
}

// Check reports, by an [ErrFork] that shows both heads, whether the entries of an
// engine are other ones than the first ones of a folder, or more.
func Check(ctx context.Context, from journal.Store, to journal.Engine) error {
	head, err := from.Head(ctx)
	if err == nil {
		_, _, err = meet(ctx, from, head, to)
	}
	return err
}

// meet returns the head of an engine, and the tree of the folder's entries up to it,
// if the entries of the engine are the first ones of the folder.
func meet(ctx context.Context, from journal.Store, head journal.Head, to journal.Engine) (at journal.Head, tree *journal.Tree, err error) {
	if at, err = to.Head(ctx); err != nil {
		return at, nil, err
	}
	whole, err := journal.OpenTree(ctx, from, head.Size)
	if err != nil || at.Size == 0 {
		return at, new(journal.Tree), err
	}
	root, err := rootAt(ctx, to, at)
	if err != nil {
		return at, nil, err
	}
	tree = whole
	if at.Size <= head.Size {
		if tree, err = journal.OpenTree(ctx, from, at.Size); err != nil {
			return at, nil, err
		}
	}
	if at.Size > head.Size || root != tree.Root() {
		return at, nil, fmt.Errorf("%w: the head of the folder is %d entries with the root %x, and that of the engine %d entries with the root %x; the engine's entries are not the first ones of the folder. Nothing was changed",
			ErrFork, head.Size, whole.Root(), at.Size, root)
	}
	return at, tree, nil
}

// rootAt returns the root of an engine's entries up to its head.
func rootAt(ctx context.Context, e journal.Engine, at journal.Head) (root [journal.HashSize]byte, err error) {
	for b, err := range e.Batches(ctx, at.Size-1) {
		if err != nil || b.First+uint64(len(b.Public)) == at.Size {
			return b.Root, err
		}
	}
	return root, fmt.Errorf("%w: the engine has %d entries and no batch with the last one", journal.ErrNotJournal, at.Size)
}

// complete adds to a copied batch its root and the earlier entries that it erases.
func complete(b *journal.EngineBatch, tree *journal.Tree) error {
	for i, public := range b.Public {
		tree.Append(journal.Leaf(public), nil)
		erased, ok, err := erasedBy(b.First+uint64(i), public)
		if err != nil {
			return err
		}
		if ok && erased < b.First {
			b.Erase = append(b.Erase, erased)
		}
	}
	b.Root = tree.Root()
	return nil
}

// pushPause is the time between two attempts to append a batch in doubt.
const pushPause = 200 * time.Millisecond

// push appends a batch, again and again while its outcome is unknown.
func push(ctx context.Context, to journal.Engine, at journal.Head, b journal.EngineBatch) (journal.Head, error) {
	for {
		next, err := to.Append(ctx, at, b)
		if err == nil {
			return next, nil
		}
		if !errors.Is(err, journal.ErrDoubtful) || !timespan.Wait(ctx, pushPause) {
			return at, fmt.Errorf("replica: appending the entries %d to %d: %w", b.First, b.First+uint64(len(b.Public))-1, err)
		}
	}
}

// window bounds the entries whose keys are read at once.
const window = 1 << 16

// ReadBatches yields the batches of a folder that begin in [first, end), without roots,
// and with their keys as they are by then. A key that was erased since the batch was
// written is not there.
func ReadBatches(ctx context.Context, from journal.Copier, first, end uint64) iter.Seq2[journal.EngineBatch, error] {
	return func(yield func(journal.EngineBatch, error) bool) {
		for first < end {
			to := min(first+window, end)
			_, keys, err := from.BatchKeys(ctx, first, to)
			if err != nil {
				yield(journal.EngineBatch{}, err)
				return
			}
			n := 0
			for b, err := range from.SealedBatches(ctx, first, to) {
				out := journal.EngineBatch{SealedBatch: b}
				if err == nil {
					out.Keys, err = keysOf(&b, keys, n)
				}
				if !yield(out, err) || err != nil {
					return
				}
				n, first = n+1, b.First+uint64(len(b.Public))
			}
		}
	}
}

// keysOf returns the keys of the n-th batch of a window.
func keysOf(b *journal.SealedBatch, keys []journal.BatchKeys, n int) ([]byte, error) {
	if n >= len(keys) || keys[n].First != b.First {
		return nil, fmt.Errorf("%w: the keys of the batch at entry %d are out of place", journal.ErrNotJournal, b.First)
	}
	if !keys[n].Held {
		return nil, fmt.Errorf("%w: the folder is a copy without the keys of the private parts from entry %d on; move the network from a folder that has them", journal.ErrNotJournal, b.First)
	}
	for _, part := range b.Sealed {
		if part != nil {
			return keys[n].Keys, nil
		}
	}
	return nil, nil
}
