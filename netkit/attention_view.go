package netkit

import (
	"context"
	"sort"
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
	return filedRequest{*r, s.parties.at(r.from).slug, s.parties.at(r.to).slug}
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
		r, _ := s.requests.get(ids[k])
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
		r, ok := s.requests.get(id)
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
