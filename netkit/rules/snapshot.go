package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"runtime"
	"slices"

	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
)

// A snapshot is a line that names its form, the canonical form of the state,
// the second fold and the root of the tree over the entries that they were made
// of, a line each, then the SHA-256 of these and the seal: see snapshot_seal.go.
// It only shortens a start.

// SnapshotForm is the first line. It changes with the form or the meaning of
// what follows: a snapshot of another form is passed over, not compared.
const SnapshotForm = "netkit snapshot 8"

// Fields carries the whole state in canonical form: tables in the order of their
// registration, rows in their own order or in that of their keys, nothing that can
// be derived.
func (s *State) Fields(c *wire.Codec) {
	for i := range s.tables {
		if fields := s.tables[i].fields; fields != nil {
			fields(c)
		}
	}
}

// constitutionFields carries the constitution in force.
func (s *State) constitutionFields(c *wire.Codec) {
	document := s.Law.JSON()
	c.Raw("constitution", &document)
	if c.Reading() {
		s.adopt(document)
	}
}

func (r *root) Fields(c *wire.Codec) {
	wire.Num(c, "next", &r.Next)
	wire.Num(c, "at", &r.At)
	wire.Str(c, "network", &r.NetID)
	wire.Str(c, "log_key", &r.LogKey)
	wire.Num(c, "clearing", &r.clearing)
	wire.Amount(c, "uncleared_shares", &r.UnclearedShares)
	wire.Num(c, "crises", &r.crises)
	wire.Num(c, "alarm", &r.alarm)
	wire.Num(c, "judged", &r.judged)
	wire.Num(c, "agents", &r.Counts.Agents)
	wire.Num(c, "opened", &r.Counts.Contracts)
	wire.Num(c, "executions", &r.Counts.Executions)
	c.Member("exchange", r.Exchange.Fields)
}

// Canonical returns the state's canonical form.
func (s *State) Canonical() []byte { return s.CanonicalIn(nil) }

// CanonicalIn is canonical with memory to begin with.
func (s *State) CanonicalIn(b []byte) []byte {
	c := wire.Writer(b)
	c.Begin()
	s.Fields(&c)
	c.End()
	return c.Bytes()
}

// Derive fills in what follows from the tables.
func (s *State) Derive() {
	for i := range s.tables {
		if derive := s.tables[i].derive; derive != nil {
			derive()
		}
	}
	s.Commit()
}

// WritePieces writes a long text piece by piece: a hash over tens of megabytes
// at once would hold up the whole program.
func WritePieces(w io.Writer, b []byte) error {
	for piece := range slices.Chunk(b, 64<<10) {
		if _, err := w.Write(piece); err != nil {
			return err
		}
		runtime.Gosched()
	}
	return nil
}

// A replica is a reader of the journal with a state of its own. It compares a
// snapshot with the entries, and writes one while the network goes on.

// Believed names a snapshot: how many entries it is of, and its bytes.
type Believed struct {
	Size   uint64
	Length int
	Sum    [32]byte
}

// Believe names the snapshot of size entries that b holds, its sum included.
func Believe(size uint64, b []byte) Believed {
	out := Believed{Size: size, Length: len(b)}
	last := b[bytes.LastIndexByte(b[:len(b)-1], '\n')+1:]
	_, _ = hex.Decode(out.Sum[:], last[:2*len(out.Sum)]) // it was compared before
	return out
}

// Is reports whether b is the snapshot.
func (x *Believed) Is(b []byte) bool {
	if _, err := SnapshotParts(b); err != nil {
		return false
	}
	return Believe(x.Size, b).Sum == x.Sum
}

// SnapshotParts returns state, second fold, root and last line of a snapshot
// whose form and sum are right.
func SnapshotParts(b []byte) ([][]byte, error) {
	parts := bytes.SplitN(b, []byte("\n"), 5)
	if len(parts) != 5 || string(parts[0]) != SnapshotForm || len(parts[3]) != hex.EncodedLen(journal.HashSize) {
		return nil, fmt.Errorf("%w: form", wire.ErrForm)
	}
	h := hash.Hash(sha256.New())
	if err := WritePieces(h, b[:len(b)-len(parts[4])]); err != nil {
		return nil, err
	}
	sum := hex.AppendEncode(nil, h.Sum(nil))
	rest, ok := bytes.CutPrefix(parts[4], sum)
	if !ok || !bytes.HasSuffix(rest, []byte("\n")) || len(rest) > 1 && rest[0] != ' ' {
		return nil, fmt.Errorf("%w: checksum", wire.ErrForm)
	}
	return parts[1:], nil
}
