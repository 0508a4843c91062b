package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/seal"
	"github.com/agentnet/netctl/netkit/rules"
)

// ErrDiffer means that a folder and an engine, one a copy of the other, do not hold the
// same.
var ErrDiffer = errors.New("replica: the copy differs from the original")

// Compared counts the things that a folder and an engine hold alike.
type Compared struct {
	Entries  uint64      `json:"entries"`
	Root     netkit.Hash `json:"root" doc:"of the Merkle tree of all entries"`
	Accounts int         `json:"accounts" doc:"with the same balance on both sides"`
	Private  uint64      `json:"private" doc:"private parts that open with the same keys on both sides"`
	Erased   uint64      `json:"erased" doc:"private parts that open on neither side"`
}

// Compare reads a folder and an engine from the first entry to the last, and compares
// their number of entries, every entry, the root, every private part with its key, and
// the balance of every account as each side adds it up. Neither may be written
// meanwhile. The error is [ErrDiffer] at the first difference. Progress is called now
// and then; nil shows nothing.
func Compare(ctx context.Context, folder journal.Copier, engine journal.Engine, progress func(done, total uint64)) (Compared, error) {
	head, err := folder.Head(ctx)
	if err != nil {
		return Compared{}, err
	}
	next, stop := iter.Pull2(ReadBatches(ctx, folder, 0, head.Size))
	defer stop()
	c := comparison{ours: books{}, theirs: books{}}
	for there, err := range engine.Batches(ctx, 0) {
		if err != nil {
			return Compared{}, err
		}
		here, err, ok := next()
		if err != nil {
			return Compared{}, err
		}
		if !ok {
			return Compared{}, fmt.Errorf("%w: the folder has %d entries, and the engine more", ErrDiffer, head.Size)
		}
		if err := c.take(&here, &there); err != nil {
			return Compared{}, err
		}
		if progress != nil {
			progress(c.tree.Size(), head.Size)
		}
	}
	return c.end(head)
}

// comparison is how far two journals were compared.
type comparison struct {
	Compared
	tree         journal.Tree
	ours, theirs books
}

// books are the balances that the postings of entries add up to.
type books map[netkit.Account]netkit.Credits

// post adds the postings of an entry.
func (b books) post(seq uint64, public []byte) error {
	e, err := rules.ReadEntry(journal.Record{Seq: seq, Public: public})
	if err != nil {
		return fmt.Errorf("replica: entry %d: %w", seq, err)
	}
	for i := range e.Postings {
		p := &e.Postings[i]
		if b[p.Account] += p.Amount; b[p.Account] != p.After {
			return fmt.Errorf("%w: after entry %d account %s adds up to %s, and the entry says %s", ErrDiffer, seq, p.Account, b[p.Account], p.After)
		}
	}
	return nil
}

// take compares the batches of both sides in the same place.
func (c *comparison) take(here, there *journal.EngineBatch) error {
	if here.First != there.First || len(here.Public) != len(there.Public) || len(there.Sealed) != len(there.Public) {
		return fmt.Errorf("%w: the batch at entry %d has %d entries in the folder, and that of the engine at entry %d has %d", ErrDiffer, here.First, len(here.Public), there.First, len(there.Public))
	}
	for i := range here.Public {
		seq := here.First + uint64(i)
		if !bytes.Equal(here.Public[i], there.Public[i]) {
			return fmt.Errorf("%w: entry %d is another one in the engine", ErrDiffer, seq)
		}
		c.tree.Append(journal.Leaf(here.Public[i]), nil)
		if err := errors.Join(c.ours.post(seq, here.Public[i]), c.theirs.post(seq, there.Public[i])); err != nil {
			return err
		}
	}
	if root := c.tree.Root(); root != there.Root {
		return fmt.Errorf("%w: the first %d entries have the root %x in the folder, and the engine names %x", ErrDiffer, c.tree.Size(), root, there.Root)
	}
	return c.open(here, there)
}

// open compares the private parts of a batch and the keys that open them.
func (c *comparison) open(here, there *journal.EngineBatch) error {
	ours, err := seal.ParseKeys(here.Keys)
	if err != nil {
		return err
	}
	theirs, err := seal.ParseKeys(there.Keys)
	if err != nil {
		return err
	}
	for i, part := range here.Sealed {
		seq := here.First + uint64(i)
		a, held := ours.Key(seq)
		b, heldThere := theirs.Key(seq)
		switch {
		case !bytes.Equal(part, there.Sealed[i]) || (part == nil) != (there.Sealed[i] == nil):
			return fmt.Errorf("%w: the private part of entry %d is another one in the engine", ErrDiffer, seq)
		case part == nil:
		case held != heldThere || a != b:
			return fmt.Errorf("%w: the private part of entry %d opens with another key in the engine, or on one side only", ErrDiffer, seq)
		case held:
			c.Private++
		default:
			c.Erased++
		}
	}
	return nil
}

// end compares the sums of both sides.
func (c *comparison) end(head journal.Head) (Compared, error) {
	if c.tree.Size() != head.Size {
		return Compared{}, fmt.Errorf("%w: the folder has %d entries, and the engine %d", ErrDiffer, head.Size, c.tree.Size())
	}
	var sum netkit.Credits
	for account, balance := range c.ours {
		if there, ok := c.theirs[account]; !ok || there != balance {
			return Compared{}, fmt.Errorf("%w: account %s has %s in the folder and %s in the engine", ErrDiffer, account, balance, there)
		}
		sum += balance
	}
	if len(c.ours) != len(c.theirs) || sum != 0 {
		return Compared{}, fmt.Errorf("%w: the folder has %d accounts that sum to %s, and the engine has %d", ErrDiffer, len(c.ours), sum, len(c.theirs))
	}
	c.Entries, c.Root, c.Accounts = head.Size, netkit.Hash(c.tree.Root()), len(c.ours)
	return c.Compared, nil
}
