package rules

import (
	"crypto/sha256"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
)

// EntryDecoder decodes one journal entry after another, and uses memory again. It may
// run ahead of the state, on a processor of its own. The zero value is ready.
type EntryDecoder struct {
	codec wire.Codec
	names wire.Strings
}

// reader returns a codec that reads b; a decoder has one at a time.
func (x *EntryDecoder) reader(b []byte) *wire.Codec {
	x.codec = wire.ReaderWith(b, &x.names)
	return &x.codec
}

// DecodedEntry is an entry with what can be checked of it without the entries
// before it. Decoding another one into it uses its fact and postings again.
type DecodedEntry struct {
	Entry
	Leaf [journal.HashSize]byte // of the public part

	err    error  // why the public part is no entry
	exact  bool   // the public part is what AppendEntry makes of the entry
	public []byte // a copy of the public part, where exact is false

	missing bool // the private part was not there
	altered bool // the private part has another hash than the entry names
}

// Decode reads the public part of a record, and compares the private part with the
// hash that the entry names. It keeps none of the record's memory.
func (x *EntryDecoder) Decode(r *DecodedEntry, rec journal.Record) {
	x.decodePublic(r, rec.Public)
	r.missing = rec.Private == nil
	r.altered = !r.missing && sha256.Sum256(rec.Private) != r.Private
}

// ReadRecord reads a record into e as [ReadEntry] does, and uses the memory of e's
// fact and postings again.
func (x *EntryDecoder) ReadRecord(e *Entry, r journal.Record) error {
	e.reset()
	if err := e.readWith(x.reader(r.Public)); err != nil {
		return fmt.Errorf("%w: entry %d: %w", netkit.ErrCorrupt, r.Seq, err)
	}
	return e.fits(r)
}

// reset makes all fields zero but keeps the memory of the fact and the postings for
// the next entry of the kind.
func (e *Entry) reset() {
	*e = Entry{Kind: e.Kind, Fact: e.Fact, Postings: e.Postings[:0]}
}

func (x *EntryDecoder) decodePublic(r *DecodedEntry, public []byte) {
	r.reset()
	r.Leaf = journal.Leaf(public)
	c := x.reader(public)
	r.err = r.readWith(c)
	if r.exact = c.Exact(); !r.exact {
		r.public = append(r.public[:0], public...)
	}
}
