package journal

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Engine orders the batches of one network and keeps them, for nodes that each have
// a [Store] of their own and fill it from here. Its methods may be called from any
// goroutine.
//
// The promise is that of [Store.Append]: all of a batch or nothing, and only if the
// head still is the one that the caller saw. That condition settles which node
// writes; a node that considers itself the writer in error loses at its next append.
type Engine interface {
	// Head returns the head that the engine has at a moment of the call. It asks the
	// engine, so a node that has the same head has missed nothing.
	Head(ctx context.Context) (Head, error)

	// Append writes b if the head is still at, and returns the new head. A batch that
	// is there already, byte for byte, is a success. The errors are those of
	// [Store.Append]: after [ErrDoubtful] repeat the same batch on the same head until
	// the answer is definite.
	Append(ctx context.Context, at Head, b EngineBatch) (Head, error)

	// Batches yields the batches from the one that holds entry from on, up to the head
	// when the iteration began. A position beyond the head is an [ErrNotFound]. The
	// slices of a batch are the caller's.
	Batches(ctx context.Context, from uint64) iter.Seq2[EngineBatch, error]

	// Wait returns once the journal may have more than size entries.
	Wait(ctx context.Context, size uint64) error

	// Writer returns the node that was made the writer last, with the latest beat.
	Writer(ctx context.Context) (Writer, error)

	// Claim makes a node the writer of the next term, unless the term of before is
	// over: then the error is [ErrClaimed]. It decides nothing but where other nodes
	// send their commands.
	Claim(ctx context.Context, before uint64, node, address string) (Writer, error)

	// Beat counts up the beat of a term; [ErrClaimed] where it is over.
	Beat(ctx context.Context, term uint64) error

	// Limits returns the bounds of the engine.
	Limits() EngineLimits

	// Close releases the engine after waiting for appends under way.
	Close() error
}

// Holder is an [Engine] whose nodes hold its batches themselves.
type Holder interface {
	Engine
	// Held yields the batches from the one that holds entry from on that this node has by
	// now, without a question to another one. Their slices are not to be changed.
	Held(ctx context.Context, from uint64) iter.Seq2[EngineBatch, error]
}

// EngineBatch is a batch as an [Engine] keeps it. The private parts are encrypted.
type EngineBatch struct {
	SealedBatch
	// Root is that of the Merkle tree of all entries up to the last one of the batch.
	// The engine keeps it for the nodes, which compare it with their own.
	Root [HashSize]byte
	// Keys open the private parts, in the form of package seal. The engine forgets
	// those of erased entries; a batch without a private part has no keys.
	Keys []byte
	// Erase lists earlier entries whose key the engine forgets with this batch; an
	// entry of the batch names each. It is not kept.
	Erase []uint64
}

// Writer names the node of several that writes.
type Writer struct {
	Term    uint64 // how often the writer has changed, 0 before the first
	Node    string
	Address string // where other nodes forward commands to
	Beat    uint64 // grows while it writes
}

// ErrClaimed means that another node was made the writer.
var ErrClaimed = errors.New("journal: another node was made the writer")

// EngineLimits are the bounds of an [Engine].
type EngineLimits struct {
	// Batch is the size of the largest batch of several entries in bytes, 0 without a
	// bound.
	Batch int
	// Acknowledged names the places of an appended batch when Append returns, for
	// people: "synced on 3 servers".
	Acknowledged string
}

// Next returns the head that an engine's batch leads to, with the nodes of the Merkle
// tree that it completes, or an [ErrBadBatch].
func (b *EngineBatch) Next(at Head, nodes ...Node) (Head, error) {
	if len(b.Public) == 0 {
		return Head{}, fmt.Errorf("%w: a batch of an engine has an entry", ErrBadBatch)
	}
	if len(b.Sealed) != len(b.Public) {
		return Head{}, fmt.Errorf("%w: it has %d entries and %d sealed parts", ErrBadBatch, len(b.Public), len(b.Sealed))
	}
	batch := Batch{Records: make([]Record, len(b.Public)), Nodes: nodes, Erase: b.Erase}
	for i, public := range b.Public {
		batch.Records[i] = Record{Seq: b.First + uint64(i), Public: public}
	}
	return batch.Next(at)
}

func (b *EngineBatch) damaged(i int, err error) error {
	return fmt.Errorf("%w: the private part of entry %d: %w", ErrNotJournal, b.First+uint64(i), err)
}
