package netkit

// mail holds the attention requests of the state.
type mail struct {
	requests index[uint64, *request]
	request  images[request]
	filed    line // their ids
}

func newMail() mail { return mail{requests: newIndex[uint64, *request]()} }

// mailbox is what an agent has of them.
type mailbox struct {
	inbox, sent           []uint64 // requests to it and of it, oldest first; derived
	pendingIn, pendingOut uint32   // of them; derived
	answers               []answer // backed ones, oldest first, as far back as a badge looks
}

// line is a queue of ids in ascending order that can undo. It only grows at
// one end and shrinks at the other, so that keeping its header is enough.
type line struct {
	ids  []uint64
	kept []uint64
}

func (l *line) commit()   { l.kept = l.ids }
func (l *line) rollback() { l.ids = l.kept }

// settledDays is how long a settled request stays listed.
const settledDays = 30

// file adds a request to the tables and to the lists of its parties.
func (s *state) file(r *request) {
	s.requests.put(r.id, r)
	s.filed.ids = append(s.filed.ids, r.id)
	s.list(r)
}

// list adds a request to what is derived from the tables. Appending in place
// is safe for a rollback: the image keeps the old header, and what stands
// behind its length is nobody's.
func (s *state) list(r *request) {
	from, to := s.changeExtra(r.from), s.changeExtra(r.to)
	from.sent, to.inbox = append(from.sent, r.id), append(to.inbox, r.id)
	if r.state == Pending {
		from.pendingOut++
		to.pendingIn++
	}
}

// settle ends a pending request by entry e; nil if there is none.
func (s *state) settle(id uint64, as AttentionState, e *Entry) *request {
	r, ok := s.requests.get(id)
	if !ok || r.state != Pending {
		return nil
	}
	r = s.request.edit(r)
	r.state, r.settled, r.last = as, e.At, e.Seq
	s.changeExtra(r.from).pendingOut--
	s.changeExtra(r.to).pendingIn--
	return r
}

// dropSettled forgets up to most requests that were settled before a day, the
// oldest first, and returns how many. It stops at the first that has to stay,
// which no request does for longer than its deadline and settledDays.
func (s *state) dropSettled(before Day, most int) int {
	n := 0
	for ; n < most && len(s.filed.ids) > 0; n++ {
		r, _ := s.requests.get(s.filed.ids[0])
		if r.state == Pending || r.settled.Day() >= before {
			break
		}
		from, to := s.changeExtra(r.from), s.changeExtra(r.to)
		from.sent, to.inbox = from.sent[1:], to.inbox[1:]
		s.filed.ids = s.filed.ids[1:]
		s.requests.drop(r.id)
	}
	return n
}

// requestFields carries the requests in the order of their ids.
func (s *state) requestFields(c *codec) {
	var all []request
	if !c.dec {
		for _, id := range s.filed.ids {
			r, _ := s.requests.get(id)
			all = append(all, *r)
		}
	}
	list(c, "requests", &all, object[request])
	if c.dec {
		for _, r := range all { // each on its own, so that dropping one frees it
			s.requests.m[r.id] = &r
			s.filed.ids = append(s.filed.ids, r.id)
		}
	}
}
