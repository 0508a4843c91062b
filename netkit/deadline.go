package netkit

import "container/heap"

// dueStep is how many entries that fell due may go before one command.
const dueStep = 256

// dueKind says what a moment is the end of.
type dueKind uint8

const (
	contractEnds dueKind = iota + 1
	requestExpires
	panelEnds
	appealEnds
	casePays
	crisisEnds
	noticeEnds
	revocationLapses
)

// dueItem is a moment at which something ends by itself. Items are ordered by
// (due, sequence), so that a replay and every replica see one order.
type dueItem struct {
	at   Millis
	id   uint64 // of the thing that ends: its entry's sequence number
	kind dueKind
}

// dueQueue is derived from the tables. An item whose thing has ended in the
// meantime, or ends at another moment now, is stale and skipped when met.
type dueQueue struct{ items []dueItem }

func (q *dueQueue) Len() int { return len(q.items) }
func (q *dueQueue) Less(i, j int) bool {
	a, b := q.items[i], q.items[j]
	return a.at < b.at || a.at == b.at && a.id < b.id
}
func (q *dueQueue) Swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }

// Push and Pop are for container/heap.
func (q *dueQueue) Push(x any) { q.items = append(q.items, x.(dueItem)) }

// Pop removes the last item.
func (q *dueQueue) Pop() any {
	last := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	return last
}

// plan notes that something ends at a moment; 0 is never.
func (q *dueQueue) plan(kind dueKind, at Millis, id uint64) {
	if at != 0 {
		heap.Push(q, dueItem{at, id, kind})
	}
}

func (q *dueQueue) Commit() {}

// rollback leaves the queue to rebuild, which needs the restored tables.
func (q *dueQueue) Rollback() { q.items = q.items[:0] }

// waits reports whether an item has fallen due at t; it may be a stale one.
func (q *dueQueue) waits(t Millis) bool { return len(q.items) > 0 && q.items[0].at <= t }

// rebuild derives the queue from the tables.
func (q *dueQueue) rebuild(s *state) {
	q.items = q.items[:0]
	for _, ct := range s.contracts.All() {
		if ct.live() {
			q.plan(contractEnds, ct.ends, ct.id)
		}
	}
	for _, id := range s.filed.ids {
		if r, _ := s.requests.Get(id); r.state == Pending {
			q.plan(requestExpires, r.expires, id)
		}
	}
	for _, x := range s.crises.M {
		q.plan(crisisEnds, x.until, x.id)
	}
	for _, r := range s.revocations.All() {
		if !r.done {
			q.plan(revocationLapses, r.lapses, r.id)
		}
	}
	q.plan(noticeEnds, s.amendment.effective, s.amendment.id)
	for _, cs := range s.cases.All() {
		switch {
		case cs.state == CaseWithPanel:
			q.plan(panelEnds, cs.ends, cs.id)
		case cs.state.decided() && !cs.final:
			q.plan(appealEnds, cs.until, cs.id)
		case cs.final:
			if _, _, left := s.nextPayment(cs); left {
				q.plan(casePays, cs.ended, cs.id)
			}
		}
	}
}

// longWork returns the next step of whatever takes many, each an entry with a
// cursor in the state. A step touches at most 256 agents, so that no command
// waits long behind one.
func (s *state) longWork() (Fact, bool) {
	if f := s.exchangeStep(); f != nil {
		return f, true
	}
	if f := s.archiveStep(); f != nil {
		return f, true
	}
	return nil, false
}

// nextDue returns what falls due next at or before t: the fact to record and
// what it moves. Applying the fact makes its item stale. It takes stale items
// off the queue without an image of them: the queue is derived, and a rollback
// rebuilds all of it from the restored tables.
func (s *state) nextDue(t Millis) (Fact, []move, bool) {
	for s.deadlines.Len() > 0 && s.deadlines.items[0].at <= t {
		it := s.deadlines.items[0]
		var f Fact
		var moves []move
		switch it.kind {
		case contractEnds:
			f, moves = s.contractDue(it)
		case requestExpires:
			f, moves = s.requestDue(it, t)
		case panelEnds:
			f = s.panelDue(it)
		case appealEnds:
			f = s.appealDue(it)
		case crisisEnds:
			f = s.crisisDue(it)
		case revocationLapses:
			f = s.revocationDue(it)
		case noticeEnds:
			f = s.noticeDue(it)
		case casePays:
			f, moves = s.paymentDue(it, t)
		}
		if f != nil {
			return f, moves, true
		}
		heap.Pop(&s.deadlines)
	}
	f, moves := s.owedDue(t)
	return f, moves, f != nil
}
