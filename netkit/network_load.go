package netkit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"runtime"

	"golang.org/x/mod/sumdb/note"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
)

// decoded is a journal record as the two folds take it.
type decoded struct {
	entry   Entry
	private private
	secret  bool                   // there is a private part
	leaf    [journal.HashSize]byte // of the public part
}

// read decodes a record and checks it. It keeps none of the record's memory.
func (d *decoded) read(r journal.Record) error {
	if err := d.entry.readRecord(r); err != nil {
		return err
	}
	d.leaf = journal.Leaf(r.Public)
	if r.Private == nil {
		return nil
	}
	p := &d.private
	if err := p.decode(r.Private); err != nil {
		return fmt.Errorf("%w: entry %d: private part: %w", ErrCorrupt, r.Seq, err)
	}
	if _, ok := d.entry.Fact.(secretFact); ok {
		p.text = bytes.Clone(p.text)
	} else {
		p.text = nil // content: read from the journal when somebody asks for it
	}
	d.secret = true
	return nil
}

// take applies a decoded record to both folds and the tree, if it carries on
// from there.
func (n *Network) take(d *decoded) error {
	if err := n.state.continues(&d.entry); err != nil {
		return err
	}
	n.state.take(&d.entry)
	n.tree.follow(d.leaf)
	if !d.secret {
		n.secrets.take(&d.entry, nil)
		return nil
	}
	n.secrets.take(&d.entry, &d.private)
	return nil
}

// follow applies one stored record.
func (n *Network) follow(r journal.Record) error {
	var d decoded
	if err := d.read(r); err != nil {
		return err
	}
	if err := n.take(&d); err != nil {
		return err
	}
	return n.tree.agree(context.Background(), n.store)
}

// commit forgets the before-images.
func (n *Network) commit() {
	n.state.commit()
	n.secrets.Commit()
	n.tree.commit()
}

// replay applies what stands in the journal beyond the state, and checks that
// it goes as far as the head.
func (n *Network) replay(ctx context.Context, head journal.Head) error {
	take := n.takeAhead
	if n.beside {
		take = n.takeBeside
	}
	if err := take(ctx, head); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("netkit: stopped while replaying: %w", err)
	}
	if n.state.root.next != head.Size {
		return fmt.Errorf("%w: it ends before entry %d, its head says %d", ErrCorrupt, n.state.root.next, head.Size)
	}
	return unexplained(ctx, n.store, n.secrets.Missed.M, head.Size)
}

// takeBeside replays in one goroutine, so that commands find a processor free.
func (n *Network) takeBeside(ctx context.Context, head journal.Head) error {
	for r, err := range n.store.Read(ctx, n.state.root.next, head.Size) {
		if err == nil {
			err = n.follow(r)
		}
		if err != nil {
			return err
		}
		if r.Seq%replayChunk == 0 {
			n.commit()
			runtime.Gosched()
		}
	}
	n.commit()
	return nil
}

// takeAhead replays as fast as it can. Decoding costs more than applying, so it
// runs ahead on a core of its own.
func (n *Network) takeAhead(ctx context.Context, head journal.Head) error {
	reading, cancel := context.WithCancel(ctx)
	chunks := decodeAhead(reading, n.store.Read(reading, n.state.root.next, head.Size))
	defer func() { // nobody reads the store any more once this returns
		cancel()
		for range chunks {
		}
	}()
	for chunk := range chunks {
		if chunk.err != nil {
			return chunk.err
		}
		for i := range chunk.records {
			if err := n.take(&chunk.records[i]); err != nil {
				return err
			}
		}
		if err := n.tree.agree(ctx, n.store); err != nil {
			return err
		}
		n.commit()
	}
	return nil
}

// replayChunk is how many records are handed over at once.
const replayChunk = 256

type replayed struct {
	records []decoded
	err     error
}

// decodeAhead decodes records in a goroutine that ends with the context, with
// the records or with the first error.
func decodeAhead(ctx context.Context, records iter.Seq2[journal.Record, error]) <-chan replayed {
	out := make(chan replayed, 2)
	hand := func(r replayed) bool {
		select {
		case out <- r:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		defer close(out)
		chunk := make([]decoded, 0, replayChunk)
		for r, err := range records {
			if err == nil {
				chunk = append(chunk, decoded{})
				err = chunk[len(chunk)-1].read(r)
			}
			if err != nil {
				hand(replayed{err: err})
				return
			}
			if len(chunk) == replayChunk {
				if !hand(replayed{records: chunk}) {
					return
				}
				chunk = make([]decoded, 0, replayChunk)
			}
		}
		hand(replayed{records: chunk})
	}()
	return out
}

// Genesis begins a network: its name, its law and its first operator.
type Genesis struct {
	Network      string        // id of the network, a slug; signed challenges are bound to it
	Constitution *Constitution // nil means Version1
	Operator     string        // slug of the first operator; "" means "operator"
	// LogKey is the verifier key, as a signed note writes it, of the checkpoints
	// that this network's log signs; "" is none.
	LogKey string
	// OperatorToken is the first operator's token; its hash alone is stored.
	OperatorToken Token
}

// Founded is entry 0.
type Founded struct {
	Network  string
	Operator string
	Document []byte // the constitution's canonical JSON
	LogKey   string
}

func (*Founded) kind() Kind { return KindGenesis }

func (f *Founded) asked(*pastView) (command, error) {
	law, err := readConstitution(f.Document)
	if err != nil {
		return nil, err
	}
	return &found{Genesis{Network: f.Network, Constitution: law, Operator: f.Operator, LogKey: f.LogKey}}, nil
}

func (f *Founded) fields(c *wire.Codec) {
	wire.Str(c, "network", &f.Network)
	wire.Str(c, "operator", &f.Operator)
	c.Raw("constitution", &f.Document)
	wire.Str(c, "log_key", &f.LogKey)
}

func (f *Founded) apply(s *state, e *Entry) {
	s.adopt(f.Document)
	s.beginMarketTime(e.At)
	r := s.roots.Edit(s.root)
	r.netID, r.logKey = f.Network, f.LogKey
	s.enrol(party{slug: f.Operator, kind: OperatorParty, since: e.At, seq: e.Seq})
}

func (f *Founded) applySecret(x *secrets, e *Entry, p *private) {
	x.grant(f.Operator, e, p)
}

// LogKey returns the verifier key of the log's checkpoints that genesis
// names, "" where it names none.
func (n *Network) LogKey() string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.state.root.logKey
}

// adopt puts a constitution in force. Its bytes were checked when they were
// written, and a journal that holds others does not open.
func (s *state) adopt(document []byte) {
	law, err := readConstitution(document)
	if err != nil {
		panic(err.Error())
	}
	s.laws.Edit(&s.law)
	s.law = law
	if hours := uint32(law.Market.ClearingHours); hours > s.root.clearing {
		s.roots.Edit(s.root).clearing = hours
	}
}

// found begins a network. Its constitution and operator are named.
type found struct{ Genesis }

func (*found) route() string { return "genesis" }

func (c *found) decide(s *state, call *call) error {
	switch {
	case s.root.next != 0:
		return conflict(code.NetworkBegun, "the network has begun already", "begin another one on an empty journal")
	case call.by.Slug != c.Operator:
		return forbidden("", code.OperatorsOnly, "a network is begun by its first operator", "")
	case !validSlug(c.Network) || !validSlug(c.Operator):
		return invalid("", code.SlugMalformed, "the names of the network and of its operator must be slugs", "use 3 to 40 of a-z, 0-9 and -")
	}
	if err := c.Constitution.check(); err != nil {
		return fmt.Errorf("netkit: Genesis.Constitution: %w", err)
	}
	if _, err := note.NewVerifier(c.LogKey); err != nil && c.LogKey != "" {
		return fmt.Errorf("netkit: Genesis.LogKey is not a verifier key: %w", err)
	}
	call.add(&Founded{Network: c.Network, Operator: c.Operator, Document: c.Constitution.JSON(), LogKey: c.LogKey})
	return nil
}

// begin writes entry 0.
func (n *Network) begin(ctx context.Context, g *Genesis) (journal.Head, error) {
	c := &found{*g}
	if c.Constitution == nil {
		c.Constitution = Version1()
	}
	if c.Operator == "" {
		c.Operator = "operator"
	}
	if g.OperatorToken == (Token{}) {
		return journal.Head{}, fmt.Errorf("netkit: Genesis.OperatorToken is required; make one with NewToken")
	}
	at, err := n.time()
	if err != nil {
		return journal.Head{}, err
	}
	call := call{at: at, by: Caller{Slug: c.Operator}}
	if err := call.decide(n.state, c); err != nil {
		return journal.Head{}, err
	}
	p := &private{text: tokenText(g.OperatorToken.SHA256(), []Scope{ScopeAll}, 0)}
	if err := fill(p.salt[:], n.rand); err != nil {
		return journal.Head{}, err
	}
	stored := p.append(nil)
	e := &Entry{Private: sha256.Sum256(stored)}
	n.state.enter(e, at, c.Operator, c.Constitution.Version, &call.facts[0])
	r := journal.Record{Public: appendEntry(nil, e), Private: stored}
	var t journal.Tree
	nodes := t.Append(journal.Leaf(r.Public), nil)
	return n.store.Append(ctx, journal.Head{}, journal.Batch{Records: []journal.Record{r}, Nodes: nodes})
}
