package rules

import (
	"crypto/sha256"
	"fmt"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
)

// Fact is what an entry records beyond its postings: one struct per kind, such
// as [Executed] or [AgentSpawned]. Read it with a type switch; the fields are
// those of the entry's "fact" in the journal. Facts are shared with the network:
// read them, never change them.
type Fact interface {
	Kind() netkit.Kind
	Fields(*wire.Codec) // the public part, in fixed order
	// asked returns the command that must have led to the fact, so that an
	// audit can decide it again: see pastView. It is nil for what nobody asks
	// for: what falls due, and what follows from the fact before.
	CommandOf(*PastView) (Command, error)
	// apply changes the state. It is total: it holds no policy and never
	// refuses, since what it records has happened.
	Apply(*State, *Entry)
}

// SecretFact is a fact whose private part the second fold reads: tokens,
// webhook addresses.
type SecretFact interface {
	Fact
	applySecret(*Secrets, *Entry, *Private)
}

// Entry is one journal entry: a fact, its postings and their circumstances.
type Entry struct {
	Seq          uint64        // position in the journal; 0 is genesis
	At           netkit.Millis // never before the previous entry's
	Kind         netkit.Kind   // names the fact
	Version      int           // of the kind's fields
	Actor        string        // slug of who acted, or NetworkActor
	Constitution string        // version under which it was decided
	Fact         Fact          // nil where the kind was not asked for
	Postings     []Posting     // sum to zero
	Private      [32]byte      // SHA-256 of the private part; zero when it has none
}

// entryVersion is the version of every kind's fields so far. A kind whose
// fields change their meaning gets a version of its own then.
const entryVersion = 1

func (e *Entry) Fields(c *wire.Codec) {
	wire.Num(c, "seq", &e.Seq)
	wire.Num(c, "at", &e.At)
	e.kindField(c)
	wire.Num(c, "v", &e.Version)
	if c.Reading() && e.Version != entryVersion {
		c.Fail("version " + strconv.Itoa(e.Version) + " of kind " + string(e.Kind) + ", which this version does not know: use the one that wrote it or a newer one")
	}
	wire.Str(c, "actor", &e.Actor)
	wire.Str(c, "constitution", &e.Constitution)
	e.factFields(c)
	wire.ListFor(c, "postings", &e.Postings, len(Draft{}.Moves), object[Posting])
	c.Hash("private", &e.Private)
}

// kindField carries the kind. Reading makes the fact of that kind, whose name
// needs no memory of its own, or uses the one that is there again.
func (e *Entry) kindField(c *wire.Codec) {
	if !c.Reading() {
		wire.Str(c, "kind", &e.Kind)
		return
	}
	if !c.Has("kind") {
		c.Fail("want a kind")
		return
	}
	raw, _ := c.ReadRaw()
	row, ok := forms[netkit.Kind(raw)]
	if !ok {
		c.Fail("an entry of kind " + string(raw) + ", which this version does not know: use the version that wrote it or a newer one")
		return
	}
	switch {
	case row.clear == nil:
		c.Inexact() // only flat facts are compared by their fields
		e.Fact = row.make()
	case e.Fact != nil && string(e.Fact.Kind()) == string(raw):
		row.clear(e.Fact)
	default:
		e.Fact = row.make()
	}
	e.Kind = e.Fact.Kind()
}

func (e *Entry) factFields(c *wire.Codec) {
	if !c.Reading() {
		c.Key("fact")
	} else if e.Fact == nil || !c.Has("fact") {
		c.Fail("want a fact")
		return
	}
	c.Begin()
	e.Fact.Fields(c)
	c.End()
}

// object is the element function for lists of things with fields.
func object[T any, P interface {
	*T
	Fields(*wire.Codec)
}](c *wire.Codec, p *T) {
	c.Begin()
	P(undo.Then(undo.FreezeOf(c.Freeze), p)).Fields(c)
	c.End()
}

// AppendEntry writes the public part.
func AppendEntry(b []byte, e *Entry) []byte {
	c := wire.Writer(b)
	c.Begin()
	e.Fields(&c)
	c.End()
	return c.Bytes()
}

// ReadEntry reads the public part of a journal record and checks that its
// postings sum to zero and that a private part, where one is still there, is
// the one that the public part names.
func ReadEntry(r journal.Record) (*Entry, error) {
	e := new(Entry)
	return e, e.ReadRecord(r)
}

func (e *Entry) ReadRecord(r journal.Record) error {
	if err := e.Read(r.Public); err != nil {
		return fmt.Errorf("%w: entry %d: %w", netkit.ErrCorrupt, r.Seq, err)
	}
	return e.fits(r)
}

// fits checks an entry that was read from a record.
func (e *Entry) fits(r journal.Record) error {
	if e.Seq != r.Seq {
		return fmt.Errorf("%w: record %d holds entry %d", netkit.ErrCorrupt, r.Seq, e.Seq)
	}
	if r.Private != nil && sha256.Sum256(r.Private) != e.Private {
		return e.Violation(RulePrivate, "it has another hash than the entry names; restore a backup")
	}
	return e.balanced()
}

// balanced checks that an entry's postings sum to zero.
func (e *Entry) balanced() error {
	var sum netkit.Credits
	for i := range e.Postings {
		sum += e.Postings[i].Amount
	}
	if sum != 0 {
		return e.Violation(ruleZero, "its postings sum to %s", sum)
	}
	return nil
}

func (e *Entry) Read(b []byte) error {
	c := wire.Reader(b)
	return e.readWith(&c)
}

func (e *Entry) readWith(c *wire.Codec) error {
	c.Begin()
	e.Fields(c)
	c.End()
	return c.Done()
}

// Amount returns what the entry posts to account.
func (e *Entry) Amount(a netkit.Account) netkit.Credits {
	for i := range e.Postings {
		if e.Postings[i].Account == a {
			return e.Postings[i].Amount
		}
	}
	return 0
}

// BalanceAfter returns what account holds after the entry.
func (e *Entry) BalanceAfter(a netkit.Account) netkit.Credits {
	for i := range e.Postings {
		if e.Postings[i].Account == a {
			return e.Postings[i].After
		}
	}
	return 0
}
