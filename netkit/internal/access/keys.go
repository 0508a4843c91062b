package access

import (
	"slices"

	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Idempotency keys are remembered for a day of journal time, or the latest
// four million, whichever is less. That slugs, grants and executions are
// unique rests on state, not on keys.
const (
	keySpan = 24 * 60 * 60 * 1000
	maxKeys = 4_000_000
)

// Keys remembers which entry an idempotency key stands for.
type Keys struct {
	rows  undo.Index[[16]byte, Use]
	order []Key // oldest first, from head on
	head  int
	kept  keysMark // as of the last commit

	frozen []Key // the order at the freeze
}

// Use is what a key was used for.
type Use struct {
	Seq   uint64   // entry
	Print [16]byte // of the request body; half a SHA-256 is enough to compare
}

// Key is a key and when it was used.
type Key struct {
	Hash [16]byte // of actor, route and key
	At   int64
}

type keysMark struct {
	head  int
	order []Key
}

func newKeys() Keys { return Keys{rows: undo.NewIndex[[16]byte, Use]()} }

// Find returns what a key was used for.
func (x *Keys) Find(hash [16]byte) (Use, bool) { return x.rows.Get(hash) }

// Keep remembers a key, as used last, and forgets those too old or too many.
func (x *Keys) Keep(k Key, use Use) {
	x.Forget(k.At)
	if _, again := x.rows.Get(k.Hash); again {
		x.takeOut(k.Hash)
	}
	x.rows.Put(k.Hash, use)
	x.order = append(x.order, k)
	x.Forget(k.At)
}

// takeOut removes a key from the order, so that forgetting its former use does
// not forget the present one. A memory that was begun after an erasure may hold
// a key whose time was up when it was used again.
func (x *Keys) takeOut(hash [16]byte) {
	i := slices.IndexFunc(x.order[x.head:], func(o Key) bool { return o.Hash == hash })
	if i >= 0 {
		x.replaceOrder(i, 1)
	}
}

// replaceOrder puts keys in the place of the cut ones from the i-th on. The
// order is a slice of its own then, so that a rollback finds the old one as it
// was.
func (x *Keys) replaceOrder(i, cut int, keys ...Key) {
	old := x.order[x.head:]
	x.order, x.head = slices.Concat(old[:i], keys, old[i+cut:]), 0
}

// Forget drops the keys that are too old or too many.
func (x *Keys) Forget(now int64) {
	for x.head < len(x.order) && (len(x.order)-x.head > maxKeys || x.order[x.head].At <= now-keySpan) {
		x.rows.Drop(x.order[x.head].Hash)
		x.head++
	}
}

// Restore puts a key back to where it would stand had its entry been read with
// its private part; one that would be forgotten by now, or was used again
// since, stays away.
func (x *Keys) Restore(k Key, use Use, now int64) {
	if _, again := x.rows.Get(k.Hash); again || k.At <= now-keySpan {
		return
	}
	later := func(o Key) bool { return x.rows.M[o.Hash].Seq > use.Seq }
	i := slices.IndexFunc(x.order[x.head:], later)
	if i < 0 {
		i = len(x.order) - x.head
	}
	x.replaceOrder(i, 0, k)
	x.rows.Put(k.Hash, use)
	x.Forget(now) // it may be one too many
}

// Commit says that the open batch is durable.
func (x *Keys) Commit() {
	x.rows.Commit()
	if x.head > 1024 && x.head > len(x.order)/2 {
		x.order = append([]Key(nil), x.order[x.head:]...)
		x.head = 0
	}
	x.kept = keysMark{x.head, x.order}
}

// Rollback undoes the open batch.
func (x *Keys) Rollback() {
	x.rows.Rollback()
	x.head, x.order = x.kept.head, x.kept.order
}

// Freeze keeps the keys as they are; nil ends that.
func (x *Keys) Freeze(f *undo.Freeze) {
	x.rows.Freeze(f)
	if x.frozen = nil; f != nil {
		x.frozen = x.order[x.head:]
	}
}

type storedKey struct {
	Key
	Use
}

func storedKeyFields(c *wire.Codec, k *storedKey) {
	c.Begin()
	c.Short("key", &k.Hash)
	wire.Num(c, "at", &k.At)
	wire.Num(c, "entry", &k.Seq)
	c.Short("print", &k.Print)
	c.End()
}

func (x *Keys) fields(c *wire.Codec) {
	if !c.Reading() {
		wire.EachOf(c, "keys", x.orderAt(undo.FreezeOf(c.Freeze)), func(k Key) storedKey {
			use, _ := x.rows.Then(undo.FreezeOf(c.Freeze), k.Hash)
			return storedKey{k, use}
		}, storedKeyFields)
		return
	}
	var all []storedKey
	wire.List(c, "keys", &all, storedKeyFields)
	for _, k := range all {
		x.order = append(x.order, k.Key)
		x.rows.M[k.Hash] = k.Use
	}
}

// orderAt returns the keys as they were at a freeze, the oldest first; without one,
// as they are.
func (x *Keys) orderAt(f *undo.Freeze) []Key {
	if f != nil {
		return x.frozen
	}
	return x.order[x.head:]
}
