package journal

import (
	"context"
	"iter"
)

// SealedBatch is a batch as a [Copier] stores it: the private parts are encrypted,
// so a copy needs no key.
type SealedBatch struct {
	First  uint64   // sequence number of its first record
	Public [][]byte // public part of each record
	Sealed [][]byte // encrypted private part of each record, nil for one without
}

// BatchKeys are the keys that open the private parts of a batch.
type BatchKeys struct {
	First   uint64
	Records uint64 // in the batch
	Held    bool   // false in a copy that lacks the keys of this batch
	Keys    []byte // in the form of package seal
}

// Copier is a [Store] that can be copied while it is written, without opening a private
// part.
type Copier interface {
	Store
	// BatchKeys returns the keys of the batches that begin in [from, to), and the
	// durable head, as they are at one instant. Batches never change; an erasure
	// changes keys, so the keys of a copy have to be those of its head.
	BatchKeys(ctx context.Context, from, to uint64) (Head, []BatchKeys, error)
	// SealedBatches yields the batches that begin in [from, to), in order. From is
	// where a batch begins. Their slices hold until the next iteration.
	SealedBatches(ctx context.Context, from, to uint64) iter.Seq2[SealedBatch, error]
}
