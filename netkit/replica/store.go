package replica

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/agentnet/netctl/netkit/journal"
)

// ErrFork means that the folder of a node and the engine hold different entries, or
// that the engine has fewer than the folder. Nothing is changed; one of the two has
// to be replaced by a person.
var ErrFork = errors.New("replica: the folder and the engine hold different entries")

// Folder is the journal of a node on its own disk; *sqlite.Store is one.
type Folder interface {
	journal.Store
	// AppendCopies appends batches that are sealed already, and then erases entries,
	// if the head still is at. Tree is that of the journal, and grows with it.
	AppendCopies(ctx context.Context, at journal.Head, tree *journal.Tree, batches []journal.SealedBatch, keys []journal.BatchKeys, erase []uint64) (journal.Head, error)
}

// Config joins a folder and an engine. Both are required.
type Config struct {
	Engine journal.Engine
	Folder Folder
	Rand   io.Reader // of the secrets of sealed private parts; nil means crypto/rand
}

// Store is the [journal.Store] of one node of several. Make one with [Open]. Reads
// come from the folder; snapshots belong to it alone.
type Store struct {
	Folder
	engine journal.Engine
	random io.Reader

	turn turn // of the one that changes the folder
	head journal.Head
	tree journal.Tree
	last sealedBatch   // the batch that was appended last, for a repeat
	open bool          // the engine may hold that batch: no attempt had an outcome
	fork error         // found once, and returned from then on
	held atomic.Uint64 // entries of the folder
	// copied is how many entries the folder had when some were last copied from the engine,
	// which a network on the store has to apply.
	copied atomic.Uint64
	// unkept is the error by which the folder lacks batches of the engine, nil without one.
	unkept atomic.Pointer[error]

	rounds rounds
}

var _ journal.Store = (*Store)(nil)

// turn lets one after the other change a folder. An engine may hold up the one whose
// turn it is; those that wait leave when their context ends.
type turn chan struct{}

func (t turn) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turn) give() { <-t }

// sealedBatch remembers how a batch was sealed, since a repeat has to be the same
// bytes.
type sealedBatch struct {
	at      journal.Head
	records []journal.Record
	sealed  journal.EngineBatch
}

// Open compares a folder with an engine and copies the batches that it lacks. An
// error that is [ErrFork] says where they differ.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	if cfg.Rand == nil {
		cfg.Rand = rand.Reader
	}
	s := &Store{Folder: cfg.Folder, engine: cfg.Engine, random: cfg.Rand, turn: make(turn, 1)}
	head, err := s.Folder.Head(ctx)
	if err != nil {
		return nil, err
	}
	tree, err := journal.OpenTree(ctx, s.Folder, head.Size)
	if err != nil {
		return nil, err
	}
	s.head, s.tree = head, *tree
	s.held.Store(head.Size)
	if err := s.compare(ctx); err != nil {
		return nil, err
	}
	_, err = s.Pull(ctx)
	return s, err
}

// Limits returns the bounds of the engine.
func (s *Store) Limits() journal.EngineLimits { return s.engine.Limits() }

// compare checks that the engine holds the entries of the folder: that one of its
// batches ends where the folder does, with the same root of all entries so far.
func (s *Store) compare(ctx context.Context) error {
	if s.head.Size == 0 {
		return nil
	}
	for b, err := range s.engine.Batches(ctx, s.head.Size-1) {
		if errors.Is(err, journal.ErrNotFound) {
			return s.forked(ctx, fmt.Errorf("%w: the folder has %d entries with the root %x, and the engine has fewer", ErrFork, s.head.Size, s.tree.Root()))
		}
		if err != nil {
			return err
		}
		if end := b.First + uint64(len(b.Public)); end != s.head.Size {
			return s.forked(ctx, fmt.Errorf("%w: the folder ends after entry %d, inside the engine's batch of the entries %d to %d", ErrFork, s.head.Size-1, b.First, end-1))
		}
		if b.Root != s.tree.Root() {
			return s.forked(ctx, fmt.Errorf("%w: the first %d entries have the root %x in the folder and %x in the engine", ErrFork, s.head.Size, s.tree.Root(), b.Root))
		}
		return nil
	}
	return s.forked(ctx, fmt.Errorf("%w: the folder has %d entries, and the engine ends before them", ErrFork, s.head.Size))
}

// forked keeps an error that is [ErrFork], with the heads of both sides.
func (s *Store) forked(ctx context.Context, err error) error {
	engine := "is unknown"
	if have, failed := s.engine.Head(ctx); failed == nil {
		engine = "is " + show(have)
	}
	s.fork = fmt.Errorf("%w. The head of the folder is %s, that of the engine %s. Nothing was changed", err, show(s.head), engine)
	return s.fork
}

// show returns a head as text for people.
func show(h journal.Head) string { return fmt.Sprintf("%d entries (last leaf %x)", h.Size, h.Tip) }

// Append implements [journal.Store]. A batch without records asks the engine whether
// the head still is at.
func (s *Store) Append(ctx context.Context, at journal.Head, b journal.Batch) (journal.Head, error) {
	if err := s.turn.take(ctx); err != nil {
		return journal.Head{}, err
	}
	defer s.turn.give()
	if len(b.Records) == 0 {
		return at, s.probe(ctx, at, b)
	}
	head, err := s.appendRecords(ctx, at, b)
	return head, s.keepDoubt(err)
}

// keepDoubt returns the error of an append, as a doubt while an earlier attempt is one:
// that a repeat did not reach the engine says nothing of the first.
func (s *Store) keepDoubt(err error) error {
	if err == nil || errors.Is(err, journal.ErrHeadMoved) {
		s.open = false
		return err
	}
	if s.open = s.open || errors.Is(err, journal.ErrDoubtful); s.open && !errors.Is(err, journal.ErrDoubtful) {
		err = fmt.Errorf("%w: of an attempt before, while the repeat ended so: %w", journal.ErrDoubtful, err)
	}
	return err
}

// appendRecords appends a batch with records, for the one whose turn it is.
func (s *Store) appendRecords(ctx context.Context, at journal.Head, b journal.Batch) (journal.Head, error) {
	if s.fork != nil {
		return journal.Head{}, s.fork
	}
	if at.Size > s.head.Size { // the engine of a cluster writes the folder itself
		if err := s.pull(ctx); err != nil {
			return journal.Head{}, err
		}
	}
	sealed, err := s.seal(at, b)
	if err != nil {
		return journal.Head{}, err
	}
	_, err = s.engine.Append(ctx, at, sealed)
	if errors.Is(err, journal.ErrHeadMoved) {
		return journal.Head{}, s.moved(ctx, at, err)
	}
	if err != nil {
		return journal.Head{}, err
	}
	return s.take(ctx, at, sealed)
}

// probe compares the head with the engine's.
func (s *Store) probe(ctx context.Context, at journal.Head, b journal.Batch) error {
	if _, err := b.Next(at); err != nil {
		return err
	}
	if len(b.Erase) > 0 {
		return fmt.Errorf("%w: an erasure comes with the entry that names it", journal.ErrBadBatch)
	}
	if err := s.pull(ctx); err != nil {
		return err
	}
	if s.head != at {
		return &journal.HeadMovedError{Have: s.head, Want: at}
	}
	return nil
}

// moved copies what another node appended, and returns the error of an append.
func (s *Store) moved(ctx context.Context, at journal.Head, cause error) error {
	if err := s.pull(ctx); err != nil {
		return fmt.Errorf("%w: %w", journal.ErrDoubtful, err)
	}
	if s.head == at { // the engine refuses what it then does not show
		return fmt.Errorf("%w: %w", journal.ErrDoubtful, cause)
	}
	return &journal.HeadMovedError{Have: s.head, Want: at}
}

// take writes a batch that the engine holds into the folder. Where that fails, the
// batch stands all the same, so that the outcome is open until the folder has it.
func (s *Store) take(ctx context.Context, at journal.Head, b journal.EngineBatch) (journal.Head, error) {
	if s.head != at { // a repeat that the folder has by now
		return s.head, nil
	}
	c := copied{tree: s.tree}
	err := c.add(&b)
	if err == nil {
		err = s.keep(ctx, &c)
	}
	if err != nil {
		return journal.Head{}, fmt.Errorf("%w: the engine has the batch, and the folder does not: %w", journal.ErrDoubtful, err)
	}
	return s.head, nil
}

// seal encrypts a batch, in the way of before if it is a repeat.
func (s *Store) seal(at journal.Head, b journal.Batch) (journal.EngineBatch, error) {
	if _, err := b.Next(at); err != nil {
		return journal.EngineBatch{}, err
	}
	if s.last.at == at && slices.EqualFunc(s.last.records, b.Records, sameRecord) {
		return s.last.sealed, nil
	}
	sealed, err := journal.Seal(b, s.random)
	if err != nil {
		return sealed, err
	}
	tree := s.tree
	if at != s.head {
		return sealed, &journal.HeadMovedError{Have: s.head, Want: at}
	}
	for _, public := range sealed.Public {
		tree.Append(journal.Leaf(public), nil)
	}
	sealed.Root = tree.Root()
	s.last = sealedBatch{at, b.Records, sealed}
	return sealed, nil
}

func sameRecord(a, b journal.Record) bool {
	return a.Seq == b.Seq && bytes.Equal(a.Public, b.Public) && bytes.Equal(a.Private, b.Private)
}
