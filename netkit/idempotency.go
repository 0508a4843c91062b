package netkit

import "slices"

// Idempotency keys are remembered for a day of journal time, or the latest
// four million, whichever is less. That slugs, grants and executions are
// unique rests on state, not on keys.
const (
	idemSpan           = day
	maxIdempotencyKeys = 4_000_000
)

// idempotency remembers which entry an idempotency key stands for.
type idempotency struct {
	rows  index[[16]byte, idemRow]
	order []idemKey // oldest first, from head on
	head  int
	kept  idemMark // as of the last commit
}

type idemRow struct {
	seq   uint64
	print [16]byte // of the request body; half a SHA-256 is enough to compare
}

type idemKey struct {
	key [16]byte
	at  Millis
}

type idemMark struct {
	head  int
	order []idemKey
}

func newIdempotency() idempotency { return idempotency{rows: newIndex[[16]byte, idemRow]()} }

// find returns the entry that a job's key stands for. The same key with
// another body is refused.
func (x *idempotency) find(j *job) (uint64, bool, error) {
	actor := actorOf(j.cmd, j.by)
	row, ok := x.rows.get(scope(actor, "", j.private.scope))
	if !ok {
		row, ok = x.rows.get(scope(actor, "", j.private.former))
	}
	if !ok {
		return 0, false, nil
	}
	if row.print != [16]byte(j.private.print[:16]) {
		return 0, false, invalid("Idempotency-Key", "key_reused", "was used before for another request",
			"use one key per purchase, and reuse it only for retries of the same request")
	}
	return row.seq, true, nil
}

// keep remembers the key of an accepted command and forgets those too old.
func (x *idempotency) keep(e *Entry, p *private) {
	k := scope(e.Actor, "", p.scope)
	x.rows.put(k, idemRow{e.Seq, [16]byte(p.print[:16])})
	x.order = append(x.order, idemKey{k, e.At})
	x.forget(e.At)
}

// forget drops the keys that are too old or too many.
func (x *idempotency) forget(now Millis) {
	for x.head < len(x.order) && (len(x.order)-x.head > maxIdempotencyKeys || x.order[x.head].at <= now-idemSpan) {
		x.rows.drop(x.order[x.head].key)
		x.head++
	}
}

// restore puts a key back to where it would stand had its entry been read with
// its private part; one that would be forgotten by now, or was used again
// since, stays away.
func (x *idempotency) restore(k idemKey, row idemRow, now Millis) {
	if _, again := x.rows.get(k.key); again || k.at <= now-idemSpan {
		return
	}
	later := func(o idemKey) bool { return x.rows.m[o.key].seq > row.seq }
	i := slices.IndexFunc(x.order[x.head:], later)
	if i < 0 {
		i = len(x.order) - x.head
	}
	// A slice of its own, so that a rollback finds the old one as it was.
	x.order, x.head = slices.Concat(x.order[x.head:x.head+i], []idemKey{k}, x.order[x.head+i:]), 0
	x.rows.put(k.key, row)
}

func (x *idempotency) commit() {
	x.rows.commit()
	if x.head > 1024 && x.head > len(x.order)/2 {
		x.order = append([]idemKey(nil), x.order[x.head:]...)
		x.head = 0
	}
	x.kept = idemMark{x.head, x.order}
}

func (x *idempotency) rollback() {
	x.rows.rollback()
	x.head, x.order = x.kept.head, x.kept.order
}
