// Package access holds what a network remembers of private parts: tokens and
// what they spent, idempotency keys, webhooks with their secrets and the unpaid entries
// of a day. It decides who may ask and what was asked before, never what a rule
// says, and so is no part of the canonical state.
//
// Moments are milliseconds since 1970, amounts hundredths of a credit, days
// whole days since 1970, and ids sequence numbers of entries.
package access

import (
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Memory is all of it. S is the type of a scope.
type Memory[S ~string] struct {
	Tokens Tokens[S]
	Keys   Keys
	Hooks  undo.Index[string, Hook] // by the slug of the owner
	Delivery
	// Missed are the entries whose private part was gone when it was read, until
	// an erasure names them.
	Missed undo.Index[uint64, struct{}]
	Unpaid Unpaid
}

// Hook is where the events of an agent or a sponsor are sent to.
type Hook struct {
	Address string
	Types   string // of event, with commas between them; "" means all
	Seq     uint64 // entry that set it
	Stopped bool   // the network switched it off
	Secret  string // signs what is sent; "" where an earlier release kept it beside the journal
	Former  []FormerSecret
	Signed  uint64 // entry that brought the secrets, 0 without one
	Since   uint64 // entry from which on its events are sent, 0 if that is Seq
}

// FormerSecret is a secret that was replaced and signs until a moment.
type FormerSecret struct {
	Secret string
	Until  int64
}

// FormerFields carries a list of former secrets.
func FormerFields(c *wire.Codec, all *[]FormerSecret) {
	wire.List(c, "former", all, func(c *wire.Codec, f *FormerSecret) {
		c.Begin()
		wire.Str(c, "secret", &f.Secret)
		wire.Num(c, "until", &f.Until)
		c.End()
	})
}

// New returns an empty memory.
func New[S ~string]() Memory[S] {
	return Memory[S]{Tokens: newTokens[S](), Keys: newKeys(), Hooks: undo.NewIndex[string, Hook](), Delivery: newDelivery(),
		Missed: undo.NewIndex[uint64, struct{}](), Unpaid: newUnpaid()}
}

func (x *Memory[S]) parts() [9]undo.Part {
	return [...]undo.Part{&x.Tokens.rows, &x.Tokens.byID, &x.Tokens.images, &x.Keys, &x.Hooks, &x.Recorded, &x.Behind, &x.Missed, &x.Unpaid}
}

// Commit says that the open batch is durable.
func (x *Memory[S]) Commit() {
	for _, p := range x.parts() {
		p.Commit()
	}
}

// Rollback undoes the open batch.
func (x *Memory[S]) Rollback() {
	for _, p := range x.parts() {
		p.Rollback()
	}
}

// Freeze keeps the memory as it is, between two batches; nil ends that.
func (x *Memory[S]) Freeze(f *undo.Freeze) {
	for _, p := range x.parts() {
		p.Freeze(f)
	}
}

// ForgetEntry drops the token, the webhook and the secrets that an entry brought.
func (x *Memory[S]) ForgetEntry(seq uint64) {
	x.Tokens.Withdraw(seq)
	for slug, h := range x.Hooks.M {
		switch seq {
		case h.Seq:
			x.Hooks.Drop(slug)
		case h.Signed:
			h.Secret, h.Former = "", nil
			x.Hooks.Put(slug, h)
		}
	}
}

// Found takes an entry off the missed ones and reports whether it was one.
func (x *Memory[S]) Found(seq uint64) bool {
	_, missed := x.Missed.Get(seq)
	x.Missed.Drop(seq)
	return missed
}

// Fields carries the memory for a snapshot.
func (x *Memory[S]) Fields(c *wire.Codec) {
	x.Tokens.fields(c)
	x.hookFields(c)
	x.Delivery.fields(c)
	x.Keys.fields(c)
	x.Unpaid.fields(c)
}

// Stored returns the memory as a snapshot holds it.
func (x *Memory[S]) Stored() []byte {
	var c wire.Codec
	x.writeTo(&c)
	return c.Bytes()
}

// StoredAt returns the memory as it was at a freeze, in pieces. Its caller holds the
// lock of the freeze.
func (x *Memory[S]) StoredAt(f *undo.Freeze) [][]byte {
	c := wire.Codec{Freeze: f}
	x.writeTo(&c)
	return c.Pieces()
}

func (x *Memory[S]) writeTo(c *wire.Codec) {
	c.Begin()
	x.Fields(c)
	c.End()
}

type storedHook struct {
	slug string
	Hook
}

func storedHookFields(c *wire.Codec, h *storedHook) {
	c.Begin()
	wire.Str(c, "slug", &h.slug)
	wire.Str(c, "address", &h.Address)
	wire.Num(c, "entry", &h.Seq)
	wire.Str(c, "types", &h.Types)
	c.Flag("stopped", &h.Stopped)
	wire.Str(c, "secret", &h.Secret)
	FormerFields(c, &h.Former)
	wire.Num(c, "signed", &h.Signed)
	wire.Num(c, "since", &h.Since)
	c.End()
}

func (x *Memory[S]) hookFields(c *wire.Codec) {
	if !c.Reading() {
		row := func(p undo.Pair[string, Hook]) storedHook { return storedHook{p.Key, p.Value} }
		wire.EachOf(c, "hooks", x.Hooks.Pairs(undo.FreezeOf(c.Freeze), undo.ByKey), row, storedHookFields)
		return
	}
	var all []storedHook
	wire.List(c, "hooks", &all, storedHookFields)
	for _, h := range all {
		x.Hooks.M[h.slug] = h.Hook
	}
}
