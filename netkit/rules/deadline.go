package rules

import (
	"container/heap"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
)

// DueStep is how many entries that fell due may go before one command.
const DueStep = 256

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
	sponsorRefunds
)

// dueItem is a moment, of real or of market time, at which something ends by
// itself. Items are ordered by (due, sequence), so that a replay and every replica
// see one order.
type dueItem struct {
	at   netkit.Millis
	id   uint64 // of the thing that ends: its entry's sequence number
	kind dueKind
}

// dueHeap holds items of one clock, the first to fall due in front.
type dueHeap []dueItem

func (h dueHeap) Len() int { return len(h) }

func (h dueHeap) Less(i, j int) bool { return h[i].before(h[j]) }

func (h dueHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (a dueItem) before(b dueItem) bool { return a.at < b.at || a.at == b.at && a.id < b.id }

// Push and Pop are for container/heap.
func (h *dueHeap) Push(x any) { *h = append(*h, x.(dueItem)) }

// Pop removes the last item.
func (h *dueHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// dueQueue is derived from the tables. An item whose thing has ended in the
// meantime, or ends at another moment now, is stale and skipped when met. Each
// clock has a heap of its own: market time runs or stops for all of its items
// alike, so that no crisis changes their order, and the two heads are compared in
// real time.
type dueQueue struct{ real, market dueHeap }

// plan notes that something ends at a moment of real time; 0 is never.
func (q *dueQueue) plan(kind dueKind, at netkit.Millis, id uint64) {
	q.planDeadline(kind, deadline{real: at}, id)
}

// planDeadline is plan for a moment on either clock.
func (q *dueQueue) planDeadline(kind dueKind, d deadline, id uint64) {
	switch {
	case d.market != 0:
		heap.Push(&q.market, dueItem{d.market, id, kind})
	case d.real != 0:
		heap.Push(&q.real, dueItem{d.real, id, kind})
	}
}

func (q *dueQueue) Commit() {}

// Freeze does nothing: a snapshot has no deadlines.
func (*dueQueue) Freeze(*undo.Freeze) {}

// Rollback leaves the queue to rebuild, which needs the restored tables.
func (q *dueQueue) Rollback() { q.real, q.market = q.real[:0], q.market[:0] }

// firstDue returns the item that is the first to have fallen due at t, in real
// time, the heap that it leads, and its deadline; it may be a stale one.
func (s *State) firstDue(t netkit.Millis) (it dueItem, from *dueHeap, on deadline) {
	q := &s.deadlines
	if len(q.real) > 0 && q.real[0].at <= t {
		it, from = q.real[0], &q.real
		on.real = it.at
	}
	if len(q.market) > 0 && q.market[0].at <= s.clock.Market(t) {
		other := q.market[0]
		other.at = s.clock.Real(other.at)
		if from == nil || other.before(it) {
			return other, &q.market, deadline{market: q.market[0].at}
		}
	}
	return it, from, on
}

// Waits reports whether an item has fallen due at t; it may be a stale one.
func (s *State) Waits(t netkit.Millis) bool {
	_, from, _ := s.firstDue(t)
	return from != nil
}

// rebuild derives the queue from the tables.
func (q *dueQueue) rebuild(s *State) {
	q.Rollback()
	for _, ct := range s.contracts.All() {
		if ct.live() {
			q.plan(contractEnds, ct.ends, ct.Id)
		}
	}
	for _, id := range s.filed.Ids {
		if r, _ := s.requests.Get(id); r.State == netkit.Pending {
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
	for id, x := range s.stops.M {
		if s.Held(netkit.SponsorFunds(s.parties.At(x.sponsor).Slug)) > 0 {
			q.plan(sponsorRefunds, x.at, id)
		}
	}
	q.plan(noticeEnds, s.amendment.effective, s.amendment.id)
	for _, cs := range s.cases.All() {
		switch {
		case cs.State == netkit.CaseWithPanel:
			q.planDeadline(panelEnds, cs.ends, cs.id)
		case cs.State.Decided() && !cs.final:
			q.planDeadline(appealEnds, cs.until, cs.id)
		case cs.final:
			if s.owes(cs) {
				q.plan(casePays, cs.ended, cs.id)
			}
		}
	}
}

// LongWork returns the next step of whatever takes many, each an entry with a
// cursor in the state. A step touches at most 256 agents, so that no command
// waits long behind one.
func (s *State) LongWork() (Fact, bool) {
	if f := s.exchangeStep(); f != nil {
		return f, true
	}
	if f := s.archiveStep(); f != nil {
		return f, true
	}
	return nil, false
}

// NextDue returns what falls due next at or before t: the fact to record and
// what it moves. Applying the fact makes its item stale. It takes stale items
// off the queue without an image of them: the queue is derived, and a rollback
// rebuilds all of it from the restored tables.
func (s *State) NextDue(t netkit.Millis) (Fact, []Move, bool) {
	for {
		it, from, on := s.firstDue(t)
		if from == nil {
			f, moves := s.owedDue(t)
			return f, moves, f != nil
		}
		var f Fact
		var moves []Move
		switch it.kind {
		case contractEnds:
			f, moves = s.contractDue(it)
		case requestExpires:
			f, moves = s.requestDue(it, t)
		case panelEnds:
			f = s.panelDue(it.id, on)
		case appealEnds:
			f = s.appealDue(it.id, on)
		case crisisEnds:
			f = s.crisisDue(it)
		case revocationLapses:
			f = s.revocationDue(it)
		case noticeEnds:
			f = s.noticeDue(it)
		case casePays:
			f, moves = s.paymentDue(it, t)
		case sponsorRefunds:
			f, moves = s.refundDue(it.id)
		}
		if f != nil {
			return f, moves, true
		}
		heap.Pop(from)
	}
}

// PlanDeadlines makes the queue of deadlines again, without those that passed long ago.
func (s *State) PlanDeadlines() { s.deadlines.rebuild(s) }
