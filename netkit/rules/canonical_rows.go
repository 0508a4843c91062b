package rules

import (
	"cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// rows carries a table of s.
func rows[T any, P interface {
	*T
	Fields(*wire.Codec)
}](c *wire.Codec, s *State, name string, t *undo.Table[T]) {
	if !c.Reading() {
		wire.Each(c, name, func(yield func(*T) bool) {
			for i, row := range t.Then(undo.FreezeOf(c.Freeze)) {
				if !yield(row) {
					return
				}
				s.yieldAt(i)
			}
		}, object[T, P])
		return
	}
	t.Reset()
	if !c.Has(name) {
		return
	}
	c.Lit('[')
	for more := c.Err() == nil; more; more = c.More() {
		var row T
		object[T, P](c, &row)
		s.yieldAt(t.Add(row))
	}
	c.Lit(']')
}

// numberedRows carries rows by number.
func numberedRows[T any, P interface {
	*T
	Fields(*wire.Codec)
}](c *wire.Codec, name string, all *undo.Rows[T], number func(*T) uint64) {
	if !c.Reading() {
		wire.Each(c, name, func(yield func(*T) bool) {
			for _, row := range all.Then(undo.FreezeOf(c.Freeze)) {
				if !yield(row) {
					return
				}
			}
		}, object[T, P])
		return
	}
	if !c.Has(name) {
		return
	}
	c.Lit('[')
	for more := c.Err() == nil; more; more = c.More() {
		var row T
		object[T, P](c, &row)
		all.Add(number(&row), row)
	}
	c.Lit(']')
}

// yieldAt lets others go first now and then: a snapshot is made and read while
// commands run, and is in no hurry.
func (s *State) yieldAt(row uint32) {
	if row%yieldRows == 0 && s.hooks.Yield != nil {
		s.hooks.Yield()
	}
}

// yieldRows take some 0.1 ms.
const yieldRows = 256

func (p *Party) Fields(c *wire.Codec) {
	wire.Str(c, "slug", &p.Slug)
	enum(c, "kind", &p.Kind, netkit.PartyKindNames)
	enum(c, "status", &p.Status, netkit.StatusNames)
	wire.Num(c, "since", &p.since)
	wire.Num(c, "seq", &p.Seq)
	wire.Amount(c, "backing", &p.Backing)
	wire.Num(c, "roles", &p.roles)
	wire.Num(c, "extra", &p.extra)
	p.Agent.Fields(c)
}

func (a *AgentRow) Fields(c *wire.Codec) {
	enum(c, "niche", &a.Niche, netkit.NicheNames)
	wire.Num(c, "channels", &a.channels)
	c.Flag("accepts", &a.accepts)
	wire.Str(c, "provider", &a.provider)
	wire.Amount(c, "floor", &a.floor)
	wire.Num(c, "claims", &a.claims)
	c.Flag("confirmed", &a.Confirmed)
	wire.Str(c, "accepted", &a.accepted)
	wire.Num(c, "transactions", &a.Transactions)
	wire.List(c, "evidence", &a.Evidence, object[Evidence])
}

func (x *Extra) Fields(c *wire.Codec) {
	wire.List(c, "tokens", &x.tokens, wire.Number)
	wire.Str(c, "address", &x.Address)
	c.Short("nonce", &x.nonce)
	wire.Num(c, "asked", &x.asked)
	wire.Amount(c, "granted", &x.granted)
	wire.List(c, "read", (*[]openedRun)(&x.read), object[openedRun])
	wire.List(c, "badges", &x.Wall, object[Held])
	wire.List(c, "notices", &x.notices, object[Notice])
	wire.List(c, "answers", &x.Answers, object[Answer])
	wire.List(c, "verdicts", &x.Verdicts, object[VerdictRow])
	wire.List(c, "incidents", &x.Incidents, object[Incident])
	wire.Num(c, "reports", &x.Reports)
	c.Member("bought", x.bought.Fields)
	wire.List(c, "commitments", &x.Commitments, object[commitment])
	c.Flag("vouched", &x.vouched)
	wire.Num(c, "meets", &x.meets)
	wire.Num(c, "unmet", &x.unmet)
}

// indexRows carries a map as rows in the order of its keys, each with its fields.
// It writes to the map only when it restores one: a snapshot is made while
// others read.
func indexRows[K cmp.Ordered, V any](c *wire.Codec, name string, x *undo.Index[K, V], fields func(*wire.Codec, *K, *V)) {
	var all []undo.Pair[K, V]
	if !c.Reading() {
		all = x.Pairs(undo.FreezeOf(c.Freeze), undo.ByKey)
	}
	wire.Rows(c, name, &all, func(c *wire.Codec, r *undo.Pair[K, V]) {
		c.Begin()
		fields(c, &r.Key, &r.Value)
		c.End()
	})
	if c.Reading() {
		for _, r := range all {
			x.M[r.Key] = r.Value
		}
	}
}

// takenBy carries an entry, and the later one that took something from it: its
// private part, or what it paid.
func takenBy(c *wire.Codec, entry, by *uint64) {
	wire.Num(c, "entry", entry)
	wire.Num(c, "by", by)
}

// referenceRow is a reference that is used once, and the entry that used it.
type referenceRow struct {
	entry     uint64
	reference [16]byte
}

func (r *referenceRow) Fields(c *wire.Codec) {
	wire.Num(c, "entry", &r.entry)
	c.Short("reference", &r.reference)
}

// references carries used references in the order of their entries.
func references(c *wire.Codec, name string, x *undo.Index[[16]byte, uint64]) {
	if !c.Reading() {
		type pair = undo.Pair[[16]byte, uint64]
		byEntry := func(a, b pair) int { return cmp.Compare(a.Value, b.Value) }
		row := func(p pair) referenceRow { return referenceRow{p.Value, p.Key} }
		wire.EachOf(c, name, x.Pairs(undo.FreezeOf(c.Freeze), byEntry), row, object[referenceRow])
		return
	}
	var all []referenceRow
	wire.List(c, name, &all, object[referenceRow])
	for _, r := range all {
		x.M[r.reference] = r.entry
	}
}
