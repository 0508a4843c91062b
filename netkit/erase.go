package netkit

import (
	"context"
	"fmt"
)

// What becomes of the secrets that stood in a private part when it is erased:
//
//   - A token that is still valid has to be revoked first: nobody is locked out
//     by an erasure.
//   - A webhook's address goes with the text, in the running network and in the
//     snapshot.
//   - What else the second fold took from the text, the hash of an idempotency
//     key and what a capped token spent, moves into the private part of the
//     erasure's own entry, where a replay finds it. So a retry is still known,
//     a cap still holds, and an erasure itself is not erased.

// ErasePrivate asks to erase the private part of an entry for ever. The public
// part stays, and every hash with it.
type ErasePrivate struct {
	Entry  uint64 `json:"entry" doc:"sequence number"`
	Reason string `json:"reason" doc:"why, for everybody to read, so it must not repeat the text; 1 to 500 characters"`
}

// ErasureReceipt is the receipt of an erasure. Erasing again gives the same.
type ErasureReceipt struct {
	Entry  uint64 `json:"entry"`
	Reason string `json:"reason"`
	Seq    uint64 `json:"seq" doc:"entry that records the erasure"`
	At     Millis `json:"at"`
}

// erasePrivate is an ErasePrivate with what it needs to know of its entry.
type erasePrivate struct {
	ErasePrivate
	kind  Kind   // of the entry
	holds bool   // the entry was made with a private part
	moved moved  // out of that
	prior uint64 // entry of an earlier erasure, 0 is none
}

func (*erasePrivate) route() string { return "erase" }

// settle looks at the entry.
func (c *erasePrivate) settle(e *Entry) { c.kind, c.holds = e.Kind, e.Private != [32]byte{} }

func (c *erasePrivate) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if err := checkText("reason", c.Reason, 1, 500); err != nil {
		return err
	}
	if seq, ok := s.erased.get(c.Entry); ok {
		c.prior = seq
		return nil
	}
	switch {
	case !c.holds:
		return conflict("nothing_private", "the entry has no private part", "{getEntry} shows all that there is")
	case c.kind == (*privateErased)(nil).kind():
		return conflict("erasure_stays", "an erasure holds no text, only hashes that keep retries safe", "")
	}
	call.add(&privateErased{Entry: c.Entry, Reason: c.Reason})
	return nil
}

func (c *erasePrivate) fields(k *codec) { c.moved.fields(k) }

// moved is what the second fold keeps of an erased private part.
type moved struct {
	key   [16]byte // of its idempotency key, zero without one
	print [16]byte
	at    Millis  // of the entry
	token uint64  // with a spend cap that acted, 0 is none
	spent Credits // by it
}

func (m *moved) fields(c *codec) {
	c.short("key", &m.key)
	c.short("print", &m.print)
	num(c, "at", &m.at)
	num(c, "token", &m.token)
	c.amount("spent", &m.spent)
}

// moving is what has to move when the private part p of e is erased.
func (x *secrets) moving(e *Entry, p *private) moved {
	m := moved{at: e.At}
	if p.scope != "" {
		m.key, m.print = scope(e.Actor, "", p.scope), [16]byte(p.print[:16])
	}
	if hash, ok := x.byID.get(p.token); ok {
		if row, _ := x.tokens.get(hash); row.limit.set {
			m.token, m.spent = p.token, row.costs(e)
		}
	}
	return m
}

// erasable refuses to erase the hash of a token that is still valid.
func (x *secrets) erasable(cmd command, at Millis) error {
	c, ok := cmd.(*erasePrivate)
	if !ok {
		return nil
	}
	hash, ok := x.byID.get(c.Entry)
	if !ok {
		return nil
	}
	if row, _ := x.tokens.get(hash); row.expires == 0 || at < row.expires {
		return conflict("token_in_use", "the private part holds the hash of a token of "+row.owner+" that is valid", "revoke it first with {revokeToken}")
	}
	return nil
}

// privateErased records that the private part of an entry was erased; the
// batch that brings it erases.
type privateErased struct {
	Entry  uint64
	Reason string
}

func (*privateErased) kind() Kind { return "private.erased" }

func (f *privateErased) fields(c *codec) {
	num(c, "entry", &f.Entry)
	str(c, "reason", &f.Reason)
}

func (f *privateErased) asked(h *hindsight) (command, error) {
	e, err := h.earlier(f.Entry)
	if err != nil {
		return nil, err
	}
	c := &erasePrivate{ErasePrivate: ErasePrivate{f.Entry, f.Reason}}
	c.settle(e)
	return c, nil
}

func (f *privateErased) apply(s *state, e *Entry) {
	s.erased.put(f.Entry, e.Seq)
	s.unname(f.Entry)
}

// applySecret forgets what the erased part held. A fold that read it keeps
// what moves; one that begins after the erasure has missed it and takes it
// from here.
func (f *privateErased) applySecret(x *secrets, e *Entry, p *private) {
	x.idem.forget(e.At)
	x.withdraw(f.Entry)
	for slug, h := range x.hooks.m {
		if h.seq == f.Entry {
			x.hooks.drop(slug)
		}
	}
	_, missed := x.missed.get(f.Entry)
	x.missed.drop(f.Entry)
	if !missed || p == nil {
		return
	}
	var m moved
	c := codec{b: p.text, dec: true}
	c.begin()
	m.fields(&c)
	if c.err != nil {
		return
	}
	if m.key != [16]byte{} {
		x.idem.restore(idemKey{m.key, m.at}, idemRow{f.Entry, m.print}, e.At)
		x.idem.forget(e.At) // it may be one too many
	}
	if hash, ok := x.byID.get(m.token); ok {
		row, _ := x.tokens.get(hash)
		row.spent += m.spent
		x.tokens.put(hash, row)
	}
}

// ErasePrivate erases the private part of an entry for ever. Only an operator
// may. Copies that others made before, such as backups, are not reached.
func (n *Network) ErasePrivate(ctx context.Context, by Caller, in ErasePrivate) (ErasureReceipt, error) {
	e, p, err := n.entry(ctx, in.Entry)
	if err != nil {
		return ErasureReceipt{}, err
	}
	cmd := &erasePrivate{ErasePrivate: in}
	cmd.settle(e)
	if p != nil {
		n.mu.RLock()
		cmd.moved = n.secrets.moving(e, p)
		n.mu.RUnlock()
	}
	r, err := run(ctx, n, by, cmd, cmd, erasureReceipt)
	if err == nil && cmd.prior != 0 {
		var prior *Entry
		if prior, err = n.Entry(ctx, cmd.prior); err == nil {
			r = erasureReceipt(prior)
		}
	}
	if _, ok := e.Fact.(secretFact); ok && err == nil {
		err = n.forgetSnapshot(ctx)
	}
	return r, err
}

func erasureReceipt(e *Entry) ErasureReceipt {
	if e == nil {
		return ErasureReceipt{}
	}
	f := e.Fact.(*privateErased)
	return ErasureReceipt{Entry: f.Entry, Reason: f.Reason, Seq: e.Seq, At: e.At}
}

// forgetSnapshot removes the snapshot, which may hold what was erased. The next
// one is made of entries that no longer have it.
func (n *Network) forgetSnapshot(ctx context.Context) error {
	if err := n.voidSnapshot(ctx); err != nil {
		return fmt.Errorf("%w: %w", &Refusal{Kind: ErrUnavailable, Code: "snapshot_kept", What: "the private part is erased in the journal; the snapshot that may hold it could not be removed", Next: "repeat the request"}, err)
	}
	return nil
}
