// Package journal is the record store of the network: append only, with a
// compare-and-swap on its head.
//
// A journal is a dense sequence of records, 0 being genesis. Nothing in it is
// ever changed; the one exception is that the private part of a record may be
// erased, which touches no hash. Start with [Store], of which [NewMemory] and
// the sqlite package give an implementation each; a new driver shows that it
// keeps the promises below by passing the suite in journaltest.
//
// What [Store.Append] promises: all of a batch or nothing, durable once it
// returns nil, and only if the head still is the one that the caller saw. So
// two writers cannot both win, and correctness rests on no lease.
package journal

import (
	"context"
	"crypto/sha256"
	"io"
	"iter"
)

// MaxPublic is the greatest length of [Record.Public], in bytes. It fits the
// 16-bit length prefix of a Merkle tile's entry.
const MaxPublic = 65535

// HashSize is the length of a [Head.Tip] and of a [Node.Hash], in bytes.
const HashSize = sha256.Size

// Record is one entry as it is stored.
type Record struct {
	Seq     uint64 // position: 0 is genesis, and there are no gaps
	Public  []byte // JSON, stored and given back byte for byte, 1 to MaxPublic bytes
	Private []byte // nil when the entry has none or it was erased; stored empty, it comes back nil
}

// Head is the length of a journal with the hash of its last record. The zero
// Head is that of an empty journal.
type Head struct {
	Size uint64         // number of records, hence the next Seq
	Tip  [HashSize]byte // [Leaf] of the last record; zero when Size is 0
}

// Node is a Merkle hash at the index which golang.org/x/mod/sumdb/tlog calls
// its stored-hash index. The store only carries it: it finds a node by the record
// that completes it, the last one below it.
type Node struct {
	Index uint64
	Hash  [HashSize]byte
}

// Batch is the content of one Append. One without any content is allowed: it
// only confirms the head.
type Batch struct {
	Records []Record // dense, starting at the size of the head
	Nodes   []Node   // strictly ascending; each comes with the record that completes it
	Erase   []uint64 // records from before this batch whose private part becomes nil
}

// Empty reports whether b writes nothing and only confirms the head.
func (b Batch) Empty() bool {
	return len(b.Records) == 0 && len(b.Nodes) == 0 && len(b.Erase) == 0
}

// Store keeps a journal. All methods but Close may be called at any time from
// several goroutines; reads never wait for a write. After Close every method
// returns [ErrClosed].
type Store interface {
	// Head returns the durable head.
	Head(ctx context.Context) (Head, error)

	// Append writes b if the head is still at, and returns the new head. It
	// keeps none of b's slices. A context that is done before the write begins
	// prevents it; from then on the write is carried through.
	//
	// An error that is [ErrDoubtful] leaves open whether b was written: repeat
	// the identical batch on the same head until the answer is definite; where the
	// head moved then, read back the records behind it. Every other error is
	// definite, also for the attempts before: nothing was written. See
	// [HeadMovedError] and [ErrBadBatch].
	Append(ctx context.Context, at Head, b Batch) (Head, error)

	// Read yields the records of [from, to) in order; a to beyond the end stops
	// at the end, which is not earlier than the head when the iteration began.
	// The slices of a record belong to the store, are not to be written to and
	// hold until the next iteration. An error ends the sequence. The loop body
	// may call the store, Append included.
	Read(ctx context.Context, from, to uint64) iter.Seq2[Record, error]

	// Nodes returns the hashes at indexes, in that order; [ErrNotFound] if one
	// of them is not stored.
	Nodes(ctx context.Context, indexes []uint64) ([][HashSize]byte, error)

	// WriteSnapshot keeps the bytes of write as the newest snapshot, made of the
	// first size records. If it fails, the former snapshot stays in place. Of
	// several the one of the greatest size is the newest; older ones go.
	WriteSnapshot(ctx context.Context, size uint64, write func(io.Writer) error) error

	// ReadSnapshot opens the newest snapshot, which the caller closes;
	// [ErrNoSnapshot] before the first.
	ReadSnapshot(ctx context.Context) (size uint64, r io.ReadCloser, err error)

	// Close releases the store, after waiting for writes under way. Closing it
	// again does nothing.
	Close() error
}

// Leaf is the RFC 6962 leaf hash of a public part: SHA-256(0x00 || public).
func Leaf(public []byte) [HashSize]byte {
	// Two writes to a hash would allocate; nearly all parts fit the stack.
	var small [2048]byte
	if len(public) < len(small) {
		n := copy(small[1:], public)
		return sha256.Sum256(small[:1+n])
	}
	return sha256.Sum256(append([]byte{0}, public...))
}
