package netkit

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
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
	Reason string `json:"reason" doc:"why, for everybody to read, so it must not repeat the text; 1 to 500 characters" minLength:"1" maxLength:"500"`
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
	kind  Kind  // of the entry
	holds bool  // the entry was made with a private part
	moved moved // out of that
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
	if seq, ok := s.erased.Get(c.Entry); ok {
		call.repeats(seq)
		return nil
	}
	switch {
	case !c.holds:
		return conflict(code.NothingPrivate, "the entry has no private part", "{getEntry} shows all that there is")
	case c.kind == KindPrivateErased:
		return conflict(code.ErasureStays, "an erasure holds no text, only hashes that keep retries safe", "")
	case c.kind == KindCaseVerdict && s.sealedBy(c.Entry):
		return conflict(code.VerdictSealed, "the entry holds a verdict of a case that is not decided", "erase it once the case is decided")
	}
	call.add(&PrivateErased{Entry: c.Entry, Reason: c.Reason})
	return nil
}

func (c *erasePrivate) fields(k *wire.Codec) { c.moved.fields(k) }

// moved is what the second fold keeps of an erased private part.
type moved struct {
	key   [16]byte // of its idempotency key, zero without one
	print [16]byte
	at    Millis  // of the entry
	token uint64  // with a spend cap that acted, 0 is none
	spent Credits // by it
}

func (m *moved) fields(c *wire.Codec) {
	c.Short("key", &m.key)
	c.Short("print", &m.print)
	wire.Num(c, "at", &m.at)
	wire.Num(c, "token", &m.token)
	wire.Amount(c, "spent", &m.spent)
}

// moving is what has to move when the private part p of e is erased.
func (x *secrets) moving(e *Entry, p *private) moved {
	m := moved{at: e.At}
	if p.scope != "" {
		key, use := p.key(e)
		m.key, m.print = key.Hash, use.Print
	}
	if row, ok := x.Tokens.ByID(p.token); ok && row.Limit.Set {
		m.token, m.spent = p.token, costs(e, row.Owner)
	}
	return m
}

// erasable refuses to erase the hash of a token that is still valid.
func (x *secrets) erasable(cmd command, at Millis) error {
	c, ok := cmd.(*erasePrivate)
	if !ok {
		return nil
	}
	if row, ok := x.Tokens.ByID(c.Entry); ok && (row.Expires == 0 || at < Millis(row.Expires)) {
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

func (*PrivateErased) kind() Kind { return KindPrivateErased }

func (f *PrivateErased) fields(c *wire.Codec) {
	wire.Num(c, "entry", &f.Entry)
	wire.Str(c, "reason", &f.Reason)
}

func (f *PrivateErased) asked(h *pastView) (command, error) {
	e, err := h.earlier(f.Entry)
	if err != nil {
		return nil, err
	}
	c := &erasePrivate{ErasePrivate: ErasePrivate{f.Entry, f.Reason}}
	c.settle(e)
	return c, nil
}

func (f *PrivateErased) apply(s *state, e *Entry) {
	s.erased.Put(f.Entry, e.Seq)
	s.recent.changes++ // it may have held the address of a webhook
}

// applySecret forgets what the erased part held. A fold that read it keeps
// what moves; one that begins after the erasure has missed it and takes it
// from here.
func (f *PrivateErased) applySecret(x *secrets, e *Entry, p *private) {
	x.Keys.Forget(int64(e.At))
	x.ForgetEntry(f.Entry)
	if missed := x.Found(f.Entry); !missed || p == nil {
		return
	}
	var m moved
	c := wire.Reader(p.text)
	c.Begin()
	m.fields(&c)
	if c.Err() != nil {
		return
	}
	if m.key != [16]byte{} {
		x.Keys.Restore(access.Key{Hash: m.key, At: int64(m.at)}, access.Use{Seq: f.Entry, Print: m.print}, int64(e.At))
	}
	x.Tokens.Spend(m.token, int64(m.spent))
}

// ErasePrivate erases the private part of an entry for ever. Only an operator
// may. Copies that others made before, such as backups, are not reached.
//
// Refusals: dispatch_unknown, entry_unknown, erasure_stays, nothing_private,
// recording_kept, snapshot_kept, token_in_use, verdict_sealed.
func (ses *Session) ErasePrivate(ctx context.Context, in ErasePrivate) (ErasureReceipt, error) {
	e, p, err := ses.n.entry(ctx, in.Entry)
	if err != nil {
		return ErasureReceipt{}, err
	}
	cmd := &erasePrivate{ErasePrivate: in}
	cmd.settle(e)
	if p != nil {
		ses.n.mu.RLock()
		cmd.moved = ses.n.secrets.moving(e, p)
		ses.n.mu.RUnlock()
	}
	r, err := run(ctx, ses, cmd, cmd, erasureReceipt)
	if _, ok := e.Fact.(secretFact); ok && err == nil {
		err = ses.n.forgetSnapshot(ctx)
	}
	return r, err
}

func erasureReceipt(e *Entry) ErasureReceipt {
	f := e.Fact.(*PrivateErased)
	return ErasureReceipt{Entry: f.Entry, Reason: f.Reason, Seq: e.Seq, At: e.At}
}

// forgetSnapshot removes the snapshot, which may hold what was erased. The next
// one is made of entries that no longer have it.
func (n *Network) forgetSnapshot(ctx context.Context) error {
	if err := n.setSnapshotAside(ctx); err != nil {
		return fmt.Errorf("%w: %w", &Refusal{Kind: ErrUnavailable, Code: code.SnapshotKept, What: "the private part is erased in the journal; the snapshot that may hold it could not be removed", Next: "repeat the request"}, err)
	}
	return nil
}

// A private part may be missing only where an erasure says so. Without that
// rule a text that somebody cleared in the file would take tokens and
// idempotency keys with it, and a retry would pay twice.

// unexplained returns a violation for the first entry of missing that no erasure
// names. The entries below from were searched by the caller. A network that runs
// may have erased a part before the caller read it, so the entries from there on
// are searched as well.
func unexplained[V any](ctx context.Context, store journal.Store, missing map[uint64]V, from uint64) error {
	if len(missing) == 0 {
		return nil
	}
	left := maps.Clone(missing)
	for r, err := range store.Read(ctx, from, math.MaxUint64) {
		if err != nil {
			return err
		}
		e, err := ReadEntry(r)
		if err != nil {
			return err
		}
		if f, ok := e.Fact.(*PrivateErased); ok {
			delete(left, f.Entry)
		}
	}
	if len(left) == 0 {
		return nil
	}
	first := &Entry{Seq: slices.Min(slices.Collect(maps.Keys(left)))}
	return first.violation(rulePrivate, "it is missing, and no erasure names this entry; restore a backup")
}
