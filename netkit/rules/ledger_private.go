package rules

import (
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Private is the second part of an entry: content, secrets and the caller's
// idempotency key, salted so that its hash tells nothing. It may be erased.
type Private struct {
	Salt  [16]byte
	Scope string   // route and hashed idempotency key, "" without
	Print [32]byte // fingerprint of the request body
	Token uint64   // id of the token that acted, 0 in process
	Text  []byte   // JSON of the content, its form known to the kind

	// former is the scope with the key itself, as earlier releases kept it. It is
	// looked up, and never stored.
	Former string
}

func (p *Private) Fields(c *wire.Codec) {
	c.Hex("salt", p.Salt[:])
	wire.Str(c, "scope", &p.Scope)
	c.Hash("print", &p.Print)
	wire.Num(c, "token", &p.Token)
	c.Share("text", &p.Text)
}

func (p *Private) Append(b []byte) []byte {
	c := wire.Writer(b)
	c.Begin()
	p.Fields(&c)
	c.End()
	return c.Bytes()
}

// Read decodes the private part's content.
func (p *Private) Read(t Content) error {
	c := wire.Reader(p.Text)
	c.Begin()
	t.Fields(&c)
	c.End()
	return c.Done()
}

func (p *Private) Decode(b []byte) error {
	c := wire.Reader(b)
	c.Begin()
	p.Fields(&c)
	c.End()
	return c.Done()
}
