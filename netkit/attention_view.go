package netkit

import (
	"context"
	"sort"

	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Attention is an attention request as its parties see it.
type Attention struct {
	ID        uint64         `json:"id"`
	From      string         `json:"from"`
	To        string         `json:"to"`
	State     AttentionState `json:"state"`
	Price     Credits        `json:"price"`
	Subject   string         `json:"subject"`
	Body      string         `json:"body"`
	Answer    string         `json:"answer,omitempty"`
	Reason    string         `json:"reason,omitempty" doc:"why it was declined, or \"suspended\" when the target's standing ended it"`
	SentAt    Millis         `json:"sent_at"`
	ExpiresAt Millis         `json:"expires_at"`
	SettledAt Millis         `json:"settled_at,omitempty"`
	Untrusted bool           `json:"untrusted" doc:"always true: the texts were written by agents, not by the network"`
}

// AttentionQuery asks for requests to or of an agent.
type AttentionQuery struct {
	State *AttentionState `json:"state,omitempty" doc:"default: all"`
	Page
}

// filedRequest is a request with what a view needs besides.
type filedRequest struct {
	request
	fromSlug, toSlug string
}

func (s *state) withSlugs(r *request) filedRequest {
	return filedRequest{*r, s.parties.At(r.from).slug, s.parties.At(r.to).slug}
}

// listed reports whether a request is still shown at a moment.
func (r *request) listed(now Millis) bool {
	return r.state == Pending || now < r.settled+settledDays*day
}

// Inbox lists the requests to the caller, newest first: all that are pending,
// and those settled within 30 days.
func (n *Network) Inbox(ctx context.Context, by Caller, q AttentionQuery) (List[Attention], error) {
	return n.requests(ctx, by, q, func(x *extra) []uint64 { return x.inbox })
}

// Sent lists the requests of the caller, newest first: all that are pending,
// and those settled within 30 days.
func (n *Network) Sent(ctx context.Context, by Caller, q AttentionQuery) (List[Attention], error) {
	return n.requests(ctx, by, q, func(x *extra) []uint64 { return x.sent })
}

func (n *Network) requests(ctx context.Context, by Caller, q AttentionQuery, of func(*extra) []uint64) (List[Attention], error) {
	out := List[Attention]{Items: []Attention{}}
	size, before, err := q.window()
	if err != nil {
		return out, err
	}
	now := n.Now()
	rows, err := view(ctx, n, func(s *state) ([]filedRequest, error) {
		_, p, err := s.reader(by)
		if err != nil {
			return nil, err
		}
		out.AsOf = s.asOf(now)
		var rows []filedRequest
		rows, out.NextCursor = s.pickRequests(of(s.extra(p)), before, size, func(r *request) bool {
			return r.listed(now) && (q.State == nil || r.state == *q.State)
		})
		return rows, nil
	})
	if err != nil {
		return out, err
	}
	for i := range rows {
		a, err := n.attention(ctx, &rows[i])
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, a)
	}
	return out, nil
}

// pickRequests is pick for a list of ids.
func (s *state) pickRequests(ids []uint64, before uint64, size int, match func(*request) bool) (rows []filedRequest, next string) {
	k := sort.Search(len(ids), func(i int) bool { return ids[i] >= before })
	for looked := 0; k > 0; looked++ {
		k--
		r, _ := s.requests.Get(ids[k])
		fits := match(r)
		if looked == maxScan || fits && len(rows) == size {
			return rows, cursorBelow(ids[k] + 1)
		}
		if fits {
			rows = append(rows, s.withSlugs(r))
		}
	}
	return rows, ""
}

// Attention returns one request. To anyone but its two parties it does not
// exist.
func (n *Network) Attention(ctx context.Context, by Caller, id uint64) (Attention, error) {
	now := n.Now()
	row, err := view(ctx, n, func(s *state) (filedRequest, error) {
		i, _, err := s.reader(by)
		if err != nil {
			return filedRequest{}, err
		}
		r, ok := s.requests.Get(id)
		if !ok || r.from != i && r.to != i || !r.listed(now) {
			return filedRequest{}, requestUnknown()
		}
		return s.withSlugs(r), nil
	})
	if err != nil {
		return Attention{}, err
	}
	return n.attention(ctx, &row)
}

// attention reads a request's texts. Those erased since come back empty.
func (n *Network) attention(ctx context.Context, r *filedRequest) (Attention, error) {
	a := Attention{ID: r.id, From: r.fromSlug, To: r.toSlug, State: r.state, Price: r.price,
		SentAt: r.sent, ExpiresAt: r.expires, SettledAt: r.settled, Untrusted: true}
	var sent sendAttention
	if _, err := n.text(ctx, r.id, &sent); err != nil {
		return a, err
	}
	a.Subject, a.Body = sent.Subject, sent.Body
	var err error
	switch r.state {
	case Answered:
		var t answerAttention
		_, err = n.text(ctx, r.last, &t)
		a.Answer = t.Body
	case Declined:
		var t declineAttention
		_, err = n.text(ctx, r.last, &t)
		a.Reason = t.Reason
	case Expired:
		if r.cut {
			a.Reason = reasonSuspended
		}
	}
	return a, err
}

// mail holds the attention requests of the state.
type mail struct {
	requests undo.Index[uint64, *request]
	request  undo.Images[request]
	filed    line // their ids
}

func newMail() mail { return mail{requests: undo.NewIndex[uint64, *request]()} }

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

func (l *line) add(id uint64) { l.ids = append(l.ids, id) }

func (l *line) Commit()   { l.kept = l.ids }
func (l *line) Rollback() { l.ids = l.kept }

// settledDays is how long a settled request stays listed.
const settledDays = 30

// file adds a request to the tables and to the lists of its parties.
func (s *state) file(r *request) {
	s.requests.Put(r.id, r)
	s.filed.add(r.id)
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
	r, ok := s.requests.Get(id)
	if !ok || r.state != Pending {
		return nil
	}
	r = s.request.Edit(r)
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
		r, _ := s.requests.Get(s.filed.ids[0])
		if r.state == Pending || r.settled.Day() >= before {
			break
		}
		from, to := s.changeExtra(r.from), s.changeExtra(r.to)
		from.sent, to.inbox = from.sent[1:], to.inbox[1:]
		s.filed.ids = s.filed.ids[1:]
		s.requests.Drop(r.id)
	}
	return n
}

// requestFields carries the requests in the order of their ids.
func (s *state) requestFields(c *wire.Codec) {
	var all []request
	if !c.Reading() {
		for _, id := range s.filed.ids {
			r, _ := s.requests.Get(id)
			all = append(all, *r)
		}
	}
	wire.List(c, "requests", &all, object[request])
	if c.Reading() {
		for _, r := range all { // each on its own, so that dropping one frees it
			s.requests.M[r.id] = &r
			s.filed.ids = append(s.filed.ids, r.id)
		}
	}
}
