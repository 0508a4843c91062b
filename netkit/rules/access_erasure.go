package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// ErasePrivate is an ErasePrivate with what it needs to know of its entry.
type ErasePrivate struct {
	netkit.ErasePrivate
	kind  netkit.Kind // of the entry
	holds bool        // the entry was made with a private part
	Moved moved       `json:"-"` // out of that
}

func (*ErasePrivate) Route() string { return "erase" }

// Settle looks at the entry.
func (c *ErasePrivate) Settle(e *Entry) { c.kind, c.holds = e.Kind, e.Private != [32]byte{} }

func (c *ErasePrivate) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if err := netkit.CheckText("reason", c.Reason, 1, 500); err != nil {
		return err
	}
	if seq, ok := s.erased.Get(c.Entry); ok {
		call.repeats(seq)
		return nil
	}
	switch {
	case !c.holds:
		return conflict(code.NothingPrivate, "the entry has no private part", "{getEntry} shows all that there is")
	case c.kind == netkit.KindPrivateErased:
		return conflict(code.ErasureStays, "an erasure holds no text, only hashes that keep retries safe", "")
	case c.kind == netkit.KindWebhooksDelivered:
		return conflict(code.ErasureStays, "the entry holds no text, only numbers that keep events from being lost", "")
	case c.kind == netkit.KindCaseVerdict && s.sealedBy(c.Entry):
		return conflict(code.VerdictSealed, "the entry holds a verdict of a case that is not decided", "erase it once the case is decided")
	}
	call.Add(&PrivateErased{Entry: c.Entry, Reason: c.Reason})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*ErasePrivate) Receipt(e *Entry) netkit.ErasureReceipt {
	f := e.Fact.(*PrivateErased)
	return netkit.ErasureReceipt{Entry: f.Entry, Reason: f.Reason, Seq: e.Seq, At: e.At}
}

func (c *ErasePrivate) Fields(k *wire.Codec) { c.Moved.Fields(k) }

// moved is what the second fold keeps of an erased private part.
type moved struct {
	key   [16]byte // of its idempotency key, zero without one
	print [16]byte
	at    netkit.Millis  // of the entry
	token uint64         // with a spend cap that acted, 0 is none
	spent netkit.Credits // by it
}

func (m *moved) Fields(c *wire.Codec) {
	c.Short("key", &m.key)
	c.Short("print", &m.print)
	wire.Num(c, "at", &m.at)
	wire.Num(c, "token", &m.token)
	wire.Amount(c, "spent", &m.spent)
}

// Moving is what has to move when the private part p of e is erased.
func (x *Secrets) Moving(e *Entry, p *Private) moved {
	m := moved{at: e.At}
	if p.Scope != "" {
		key, use := p.key(e)
		m.key, m.print = key.Hash, use.Print
	}
	if row, ok := x.Tokens.ByID(p.Token); ok && row.Limit.Set {
		m.token, m.spent = p.Token, costs(e, row.Owner)
	}
	return m
}

// Erasable refuses to erase the hash of a token that is still valid.
func (x *Secrets) Erasable(cmd Command, at netkit.Millis) error {
	c, ok := cmd.(*ErasePrivate)
	if !ok {
		return nil
	}
	if row, ok := x.Tokens.ByID(c.Entry); ok && (row.Expires == 0 || at < netkit.Millis(row.Expires)) {
		return conflict(code.TokenInUse, "the private part holds the hash of a token of "+row.Owner+" that is valid", "revoke it first with {revokeToken}")
	}
	return nil
}

// PrivateErased records that the private part of an entry was erased; the
// batch that brings it erases.
type PrivateErased struct {
	Entry  uint64
	Reason string
}

func (*PrivateErased) Kind() netkit.Kind { return netkit.KindPrivateErased }

func (f *PrivateErased) Fields(c *wire.Codec) {
	wire.Num(c, "entry", &f.Entry)
	wire.Str(c, "reason", &f.Reason)
}

func (f *PrivateErased) CommandOf(h *PastView) (Command, error) {
	e, err := h.earlier(f.Entry)
	if err != nil {
		return nil, err
	}
	c := &ErasePrivate{ErasePrivate: netkit.ErasePrivate{Entry: f.Entry, Reason: f.Reason}}
	c.Settle(e)
	return c, nil
}

func (f *PrivateErased) Apply(s *State, e *Entry) {
	s.erased.Put(f.Entry, e.Seq)
	s.recent.Changes++ // it may have held the address of a webhook
}

// applySecret forgets what the erased part held. A fold that read it keeps
// what moves; one that begins after the erasure has missed it and takes it
// from here.
func (f *PrivateErased) applySecret(x *Secrets, e *Entry, p *Private) {
	x.Keys.Forget(int64(e.At))
	x.ForgetEntry(f.Entry)
	if missed := x.Found(f.Entry); !missed || p == nil {
		return
	}
	var m moved
	c := wire.Reader(p.Text)
	c.Begin()
	m.Fields(&c)
	if c.Err() != nil {
		return
	}
	if m.key != [16]byte{} {
		x.Keys.Restore(access.Key{Hash: m.key, At: int64(m.at)}, access.Use{Seq: f.Entry, Print: m.print}, int64(e.At))
	}
	x.Tokens.Spend(m.token, int64(m.spent))
}

// ErasedBy returns the entry whose private part a fact erases, if it does.
func ErasedBy(f Fact) (uint64, bool) {
	if f, ok := f.(*PrivateErased); ok {
		return f.Entry, true
	}
	return 0, false
}

// WasErased reports whether the private part of an entry was erased.
func (s *State) WasErased(entry uint64) bool {
	_, ok := s.erased.Get(entry)
	return ok
}
