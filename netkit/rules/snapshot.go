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

	"github.com/agentnet/netctl/netkit"
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

// Fields carries the whole state in canonical form: tables in the order of
// their rows, maps in the order of their keys, nothing that can be derived.
func (s *State) Fields(c *wire.Codec) {
	s.Root.Fields(c)
	document := s.Law.JSON()
	c.Raw("constitution", &document)
	if c.Reading() {
		s.adopt(document)
	}
	rows(c, "central", &s.central)
	rows(c, "parties", &s.Parties)
	rows(c, "extras", &s.extras)
	rows(c, "wallets", &s.Wallets)
	rows(c, "payers", &s.Payers)
	numberedRows(c, "contracts", &s.Contracts, contractID)
	groupRows(c, "runs", &s.executed)
	pageRows(c, &s.shelves)
	groupRows(c, "accepted", &s.Accepted)
	indexRows(c, "stopped", s.stopped.M, func(c *wire.Codec, agent *uint32, since *netkit.Millis) {
		wire.Num(c, "agent", agent)
		wire.Num(c, "since", since)
	})
	indexRows(c, "holds", s.holds.M, func(c *wire.Codec, agent *uint32, held *[]heldPay) {
		wire.Num(c, "agent", agent)
		wire.List(c, "held", held, object[heldPay])
	})
	indexRows(c, "returned", s.returned.M, takenBy)
	indexRows(c, "overturned", s.overturned.M, takenBy)
	indexRows(c, "escrows", s.Escrows.M, func(c *wire.Codec, id *uint64, b *Balance) {
		wire.Num(c, "id", id)
		b.Fields(c)
	})
	indexRows(c, "erasures", s.Erased.M, takenBy)
	references(c, "deposits", &s.deposits)
	references(c, "invited", &s.invited)
	numberedRows(c, "dispatches", &s.Dispatches, dispatchID)
	s.feedPages(c)
	s.requestFields(c)
	rows(c, "playbooks", &s.Playbooks)
	indexRows(c, "plants", s.Plants.M, func(c *wire.Codec, id *int64, seq *uint64) {
		wire.Num(c, "id", id)
		wire.Num(c, "seq", seq)
	})
	rows(c, "agenda", &s.Agenda)
	numberedRows(c, "admissions", &s.Admissions, admissionID)
	numberedRows(c, "revocations", &s.Revocations, revocationID)
	numberedRows(c, "cases", &s.Cases, caseID)
	indexRows(c, "rogues", s.rogues.M, func(c *wire.Codec, agent *uint32, r *rogue) {
		wire.Num(c, "agent", agent)
		r.Fields(c)
	})
	indexRows(c, "flags", s.Flags.M, func(c *wire.Codec, agent *uint32, f *flagged) {
		wire.Num(c, "agent", agent)
		f.Fields(c)
	})
	crisisRows(c, s)
	c.Member("market_clock", s.Clock.Fields)
	c.Member("amendment", s.amendment.Fields)
	s.Night.Fields(c)
	s.Treasury.carry(c)
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
	for i, p := range s.Parties.All() {
		s.Slugs.M[p.Slug] = i
		p.Badges = ActiveOn(s.Extra(p).Wall)
		if p.Agent.Confirmed {
			s.confirmed.M[s.Extra(p).Address]++
			s.prove(i)
		}
		if p.Roles&netkit.Reviewer != 0 {
			s.reviewers.M[i] = struct{}{}
		}
		if p.Kind == netkit.SponsorParty {
			s.Sponsors.Add(i)
		}
	}
	for id, d := range s.Dispatches.All() {
		s.Lines[d.place().line].ids.add(id)
	}
	for _, id := range s.Filed.Ids {
		s.list(s.Requests.M[id])
	}
	s.derivePlaybooks()
	for _, cs := range s.Cases.All() {
		s.judged.M[cs.key()] = cs.Id
		if cs.State == netkit.CaseDrawing {
			s.undrawn.M[cs.Id] = cs.awaits
		}
		if len(cs.SealedVotes(false)) > 0 && !cs.State.Decided() {
			s.sealed.M[cs.Id] = struct{}{}
		}
	}
	s.Commit()
	s.Deadlines.Rebuild(s)
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
