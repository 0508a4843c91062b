package netkit

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/agentnet/netctl/netkit/journal"
)

// Genesis begins a network: its name, its law and its first operator.
type Genesis struct {
	Network      string        // id of the network, a slug; signed challenges are bound to it
	Constitution *Constitution // nil means Version1
	Operator     string        // slug of the first operator; "" means "operator"
	// OperatorToken is the first operator's token; its hash alone is stored.
	OperatorToken Token
}

// founded is entry 0.
type founded struct {
	Network  string
	Operator string
	Document []byte // the constitution's canonical JSON
}

func (*founded) kind() Kind { return "genesis" }

func (f *founded) fields(c *codec) {
	str(c, "network", &f.Network)
	str(c, "operator", &f.Operator)
	c.raw("constitution", &f.Document)
}

func (f *founded) apply(s *state, e *Entry) {
	s.adopt(f.Document)
	s.roots.edit(s.root).netID = f.Network
	s.enrol(party{slug: f.Operator, kind: OperatorParty, since: e.At, seq: e.Seq})
}

func (f *founded) applySecret(x *secrets, e *Entry, p *private) {
	x.grant(f.Operator, e, p)
}

// adopt puts a constitution in force. Its bytes were checked when they were
// written, and a journal that holds others does not open.
func (s *state) adopt(document []byte) {
	law, err := readConstitution(document)
	if err != nil {
		panic(err.Error())
	}
	s.laws.edit(&s.law)
	s.law = law
}

// begin writes entry 0.
func (n *Network) begin(ctx context.Context, g *Genesis) (journal.Head, error) {
	law, op := g.Constitution, g.Operator
	if law == nil {
		law = Version1()
	}
	if op == "" {
		op = "operator"
	}
	if !validSlug(g.Network) || !validSlug(op) {
		return journal.Head{}, fmt.Errorf("netkit: Genesis.Network and Genesis.Operator must be slugs: 3 to 40 of a-z, 0-9 and -")
	}
	if err := law.check(); err != nil {
		return journal.Head{}, fmt.Errorf("netkit: Genesis.Constitution: %w", err)
	}
	if g.OperatorToken == (Token{}) {
		return journal.Head{}, fmt.Errorf("netkit: Genesis.OperatorToken is required; make one with NewToken")
	}
	at, err := n.clock.read()
	if err != nil {
		return journal.Head{}, err
	}
	f := &founded{Network: g.Network, Operator: op, Document: law.JSON()}
	p := &private{text: tokenText(g.OperatorToken.SHA256(), []Scope{ScopeAll}, 0, 0)}
	if err := fill(p.salt[:], n.rand); err != nil {
		return journal.Head{}, err
	}
	stored := p.append(nil)
	e := &Entry{At: at, Kind: f.kind(), Version: entryVersion, Actor: op, Constitution: law.Version, Fact: f, Private: sha256.Sum256(stored)}
	r := journal.Record{Public: appendEntry(nil, e), Private: stored}
	return n.store.Append(ctx, journal.Head{}, journal.Batch{Records: []journal.Record{r}})
}
