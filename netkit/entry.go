package netkit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/agentnet/netctl/netkit/journal"
)

// Kind names what an entry records, such as "execution".
type Kind string

// Fact is what an entry records beyond its postings: one struct per kind.
type Fact interface {
	kind() Kind
	fields(*codec) // the public part, in fixed order
	// asked returns the command that must have led to the fact, so that an
	// audit can decide it again: see hindsight. It is nil for what nobody asks
	// for: what falls due, and what follows from the fact before.
	asked(*hindsight) (command, error)
	// apply changes the state. It is total: it holds no policy and never
	// refuses, since what it records has happened.
	apply(*state, *Entry)
}

// secretFact is a fact whose private part the second fold reads: tokens,
// webhook addresses.
type secretFact interface {
	Fact
	applySecret(*secrets, *Entry, *private)
}

// NetworkActor is the actor of entries that no one asked for: what fell due
// and what the night did.
const NetworkActor = "network"

// Entry is one journal entry: a fact, its postings and their circumstances.
type Entry struct {
	Seq          uint64    // position in the journal; 0 is genesis
	At           Millis    // never before the previous entry's
	Kind         Kind      // names the fact
	Version      int       // of the kind's fields
	Actor        string    // slug of who acted, or NetworkActor
	Constitution string    // version under which it was decided
	Fact         Fact      // nil where the kind was not asked for
	Postings     []Posting // sum to zero
	Private      [32]byte  // SHA-256 of the private part; zero when it has none
}

// kinds holds a maker for every kind of fact. An entry of another kind stops
// the start, since a state without it would be wrong.
var kinds = makers(
	fact[founded], fact[agentSpawned], fact[sponsorAdmitted], fact[sponsorDeposited],
	fact[sponsorProposed], fact[badgeIssued], fact[revocationBegun], fact[badgeRevoked],
	fact[reportFiled], fact[verdictGiven], fact[panelDrawn], fact[caseDecided], fact[caseAppealed], fact[caseFinal],
	fact[agentReinstated], fact[nightStepped], fact[nightClosed],
	fact[contractOpened], fact[contractFunded], fact[contractFinished], fact[executed],
	fact[claimsSet], fact[channelsSet], fact[walletDeclared], fact[walletConfirmed], fact[roleChanged], fact[webhookSet], fact[agentRecovered],
	fact[tokenIssued], fact[tokenRevoked], fact[operatorAdded], fact[constitutionAccepted], fact[constitutionAdopted],
	fact[published], fact[crisisResolved], fact[feedOpened],
	fact[attentionSent], fact[attentionAnswered], fact[attentionDeclined], fact[attentionExpired],
	fact[privateErased],
	fact[playbookRegistered], fact[exchangeOpened], fact[exchangeTold], fact[plantCreated],
)

// makers indexes the facts by their kinds.
func makers(facts ...func() Fact) map[Kind]func() Fact {
	m := make(map[Kind]func() Fact, len(facts))
	for _, f := range facts {
		m[f().kind()] = f
	}
	return m
}

// fact makes a maker for kinds.
func fact[T any, P interface {
	*T
	Fact
}]() Fact {
	return P(new(T))
}

// entryVersion is the version of every kind's fields so far. A kind whose
// fields change their meaning gets a version of its own then.
const entryVersion = 1

func (e *Entry) fields(c *codec) {
	num(c, "seq", &e.Seq)
	num(c, "at", &e.At)
	e.kindField(c)
	num(c, "v", &e.Version)
	if c.dec && e.Version != entryVersion {
		c.fail("version " + strconv.Itoa(e.Version) + " of kind " + string(e.Kind) + ", which this version does not know: use the one that wrote it or a newer one")
	}
	str(c, "actor", &e.Actor)
	str(c, "constitution", &e.Constitution)
	e.factFields(c)
	listFor(c, "postings", &e.Postings, len(draft{}.moves), object[Posting])
	c.hash("private", &e.Private)
}

// kindField carries the kind. Reading makes the fact of that kind, whose name
// needs no memory of its own.
func (e *Entry) kindField(c *codec) {
	if !c.dec {
		str(c, "kind", &e.Kind)
		return
	}
	if !c.has("kind") {
		c.fail("want a kind")
		return
	}
	raw, _ := c.readRaw()
	make, ok := kinds[Kind(raw)]
	if !ok {
		c.fail("an entry of kind " + string(raw) + ", which this version does not know: use the version that wrote it or a newer one")
		return
	}
	e.Fact = make()
	e.Kind = e.Fact.kind()
}

func (e *Entry) factFields(c *codec) {
	if !c.dec {
		c.key("fact")
	} else if e.Fact == nil || !c.has("fact") {
		c.fail("want a fact")
		return
	}
	c.begin()
	e.Fact.fields(c)
	c.end()
}

// appendEntry writes the public part.
func appendEntry(b []byte, e *Entry) []byte {
	c := codec{b: b}
	c.begin()
	e.fields(&c)
	c.end()
	return c.b
}

// ReadEntry reads the public part of a journal record and checks that its
// postings sum to zero and that a private part, where one is still there, is
// the one that the public part names.
func ReadEntry(r journal.Record) (*Entry, error) {
	e := new(Entry)
	return e, e.readRecord(r)
}

func (e *Entry) readRecord(r journal.Record) error {
	if err := e.read(r.Public); err != nil {
		return fmt.Errorf("%w: entry %d: %w", ErrCorrupt, r.Seq, err)
	}
	if e.Seq != r.Seq {
		return fmt.Errorf("%w: record %d holds entry %d", ErrCorrupt, r.Seq, e.Seq)
	}
	if r.Private != nil && sha256.Sum256(r.Private) != e.Private {
		return e.breach(rulePrivate, "it has another hash than the entry names; restore a backup")
	}
	return e.balanced()
}

// balanced checks that an entry's postings sum to zero.
func (e *Entry) balanced() error {
	var sum Credits
	for i := range e.Postings {
		sum += e.Postings[i].Amount
	}
	if sum != 0 {
		return e.breach(ruleZero, "its postings sum to %s", sum)
	}
	return nil
}

func (e *Entry) read(b []byte) error {
	c := codec{b: b, dec: true}
	c.begin()
	e.fields(&c)
	c.end()
	return c.done()
}

// amount returns what the entry posts to account.
func (e *Entry) amount(a Account) Credits {
	for i := range e.Postings {
		if e.Postings[i].Account == a {
			return e.Postings[i].Amount
		}
	}
	return 0
}

// balanceAfter returns what account holds after the entry.
func (e *Entry) balanceAfter(a Account) Credits {
	for i := range e.Postings {
		if e.Postings[i].Account == a {
			return e.Postings[i].After
		}
	}
	return 0
}

// private is the second part of an entry: content, secrets and the caller's
// idempotency key, salted so that its hash tells nothing. It may be erased.
type private struct {
	salt  [16]byte
	scope string   // route and hashed idempotency key, "" without
	print [32]byte // fingerprint of the request body
	token uint64   // id of the token that acted, 0 in process
	text  []byte   // JSON of the content, its form known to the kind

	// former is the scope with the key itself, as earlier releases kept it. It is
	// looked up, and never stored.
	former string
}

func (p *private) fields(c *codec) {
	p.salted(c)
	str(c, "scope", &p.scope)
	c.hash("print", &p.print)
	num(c, "token", &p.token)
	c.share("text", &p.text)
}

func (p *private) salted(c *codec) {
	if !c.dec {
		c.key("salt")
		c.b = append(c.b, '"')
		c.b = hex.AppendEncode(c.b, p.salt[:])
		c.b = append(c.b, '"')
		return
	}
	if !c.has("salt") {
		c.fail("want a salt")
		return
	}
	raw, _ := c.readRaw()
	if len(raw) != 2*len(p.salt) {
		c.fail("want a salt")
		return
	}
	if _, err := hex.Decode(p.salt[:], raw); err != nil {
		c.fail("want a salt")
	}
}

func (p *private) append(b []byte) []byte {
	c := codec{b: b}
	c.begin()
	p.fields(&c)
	c.end()
	return c.b
}

func readPrivate(b []byte) (*private, error) {
	p := new(private)
	return p, p.decode(b)
}

func (p *private) decode(b []byte) error {
	c := codec{b: b, dec: true}
	c.begin()
	p.fields(&c)
	c.end()
	return c.done()
}
