package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// mail holds the attention requests of the state.
type mail struct {
	requests undo.Index[uint64, *Request]
	request  undo.Images[Request]
	filed    line // their ids
}

// mailTables registers attention requests, which are carried in the order in which
// they were filed.
func (s *State) mailTables() []table {
	return []table{
		derivedIndex(&s.requests, nil),
		{Part: &s.request},
		{Part: &s.filed, fields: s.requestFields, derive: s.deriveMailboxes},
	}
}

func (s *State) deriveMailboxes() {
	for _, id := range s.filed.Ids {
		s.list(s.requests.M[id])
	}
}

// Mailbox is what an agent has of them.
type Mailbox struct {
	Inbox, Sent           []uint64 // requests to it and of it, oldest first; derived
	PendingIn, PendingOut uint32   // of them; derived
	pendingNewcomers      uint32   // of pendingIn, from agents with few cleared transactions; derived
	Answers               []Answer // backed ones, oldest first, as far back as a badge looks
}

// line is a queue of ids in ascending order that can undo. It only grows at
// one end and shrinks at the other, so that keeping its header is enough.
type line = list[uint64]

type list[T any] struct {
	Ids    []T
	kept   []T
	frozen []T
}

func (l *list[T]) add(id T) { l.Ids = append(l.Ids, id) }

// Commit keeps what was added and dropped.
func (l *list[T]) Commit() { l.kept = l.Ids }

// Rollback goes back to the last commit.
func (l *list[T]) Rollback() { l.Ids = l.kept }

// Freeze keeps the queue as it is; nil ends that.
func (l *list[T]) Freeze(f *undo.Freeze) {
	if l.frozen = nil; f != nil {
		l.frozen = l.Ids
	}
}

// then returns the queue as it was at a freeze, as it is without one.
func (l *list[T]) then(f *undo.Freeze) []T {
	if f != nil {
		return l.frozen
	}
	return l.Ids
}

// fields carries the queue.
func (l *list[T]) fields(c *wire.Codec, name string, each func(*wire.Codec, *T)) {
	if c.Reading() {
		wire.List(c, name, &l.Ids, each)
		return
	}
	ids := l.then(undo.FreezeOf(c.Freeze))
	wire.Rows(c, name, &ids, each)
}

// settledDays is how long a settled request stays listed.
const settledDays = 30

// file adds a request to the tables and to the lists of its parties.
func (s *State) file(r *Request) {
	s.requests.Put(r.Id, r)
	s.filed.add(r.Id)
	s.list(r)
}

// list adds a request to what is derived from the tables. Appending in place
// is safe for a rollback: the image keeps the old header, and what stands
// behind its length is nobody's.
func (s *State) list(r *Request) {
	from, to := s.changeExtra(r.From), s.changeExtra(r.To)
	from.Sent, to.Inbox = append(from.Sent, r.Id), append(to.Inbox, r.Id)
	if r.State == netkit.Pending {
		from.PendingOut++
		to.PendingIn++
		if r.newcomer {
			to.pendingNewcomers++
		}
	}
}

// settle ends a pending request by entry e; nil if there is none.
func (s *State) settle(id uint64, as netkit.AttentionState, e *Entry) *Request {
	r, ok := s.requests.Get(id)
	if !ok || r.State != netkit.Pending {
		return nil
	}
	r = s.request.Edit(r)
	r.State, r.settled, r.last = as, e.At, e.Seq
	s.changeExtra(r.From).PendingOut--
	to := s.changeExtra(r.To)
	to.PendingIn--
	if r.newcomer {
		to.pendingNewcomers--
	}
	return r
}

// DropSettled forgets up to most requests that were settled before a day, the
// oldest first, and returns how many. It stops at the first that has to stay,
// which no request does for longer than its deadline and settledDays.
func (s *State) DropSettled(before netkit.Day, most int) int {
	n := 0
	for ; n < most && len(s.filed.Ids) > 0; n++ {
		r, _ := s.requests.Get(s.filed.Ids[0])
		if r.State == netkit.Pending || r.settled.Day() >= before {
			break
		}
		from, to := s.changeExtra(r.From), s.changeExtra(r.To)
		from.Sent, to.Inbox = from.Sent[1:], to.Inbox[1:]
		s.filed.Ids = s.filed.Ids[1:]
		s.requests.Drop(r.Id)
	}
	return n
}

// requestFields carries the requests in the order of their ids.
func (s *State) requestFields(c *wire.Codec) {
	if !c.Reading() {
		wire.Each(c, "requests", func(yield func(*Request) bool) {
			for _, id := range s.filed.then(undo.FreezeOf(c.Freeze)) {
				if r, _ := s.requests.Then(undo.FreezeOf(c.Freeze), id); !yield(r) {
					return
				}
			}
		}, object[Request])
		return
	}
	var all []Request
	wire.List(c, "requests", &all, object[Request])
	for _, r := range all { // each on its own, so that dropping one frees it
		s.requests.M[r.Id] = &r
		s.filed.Ids = append(s.filed.Ids, r.Id)
	}
}
