package netkit

// Idempotency keys are remembered for a day of journal time, or the latest
// four million, whichever is less. That slugs, grants and executions are
// unique rests on state, not on keys.
const (
	idemSpan = day
	idemMost = 4_000_000
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

type idemMark struct{ head, length int }

func newIdempotency() idempotency { return idempotency{rows: newIndex[[16]byte, idemRow]()} }

// find returns the entry that a job's key stands for. The same key with
// another body is refused.
func (x *idempotency) find(j *job) (uint64, bool, error) {
	row, ok := x.rows.get(scope(actorOf(j.cmd, j.by), "", j.private.scope))
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
	for x.head < len(x.order) && (len(x.order)-x.head > idemMost || x.order[x.head].at <= e.At-idemSpan) {
		x.rows.drop(x.order[x.head].key)
		x.head++
	}
}

func (x *idempotency) commit() {
	x.rows.commit()
	if x.head > 1024 && x.head > len(x.order)/2 {
		x.order = append([]idemKey(nil), x.order[x.head:]...)
		x.head = 0
	}
	x.kept = idemMark{x.head, len(x.order)}
}

func (x *idempotency) rollback() {
	x.rows.rollback()
	x.head, x.order = x.kept.head, x.order[:x.kept.length]
}
