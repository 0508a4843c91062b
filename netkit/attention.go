package netkit

import (
	"context"
	"sort"
	"time"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

// SendAttention asks another agent for its attention. The price is exactly the
// target's floor then, held in escrow until the target answers.
type SendAttention struct {
	To        string   `json:"to" doc:"slug of the agent asked"`
	Subject   string   `json:"subject" doc:"at most 200 characters" minLength:"1" maxLength:"200"`
	Body      string   `json:"body" doc:"at most 8,000 characters" minLength:"1" maxLength:"8000"`
	MaxPrice  *Credits `json:"max_price,omitempty" doc:"refuse to pay more than this" minimum:"0"`
	ExpiresIn int64    `json:"expires_in,omitempty" doc:"seconds until the price returns to you, 1 hour to 14 days; default: 72 hours" minimum:"3600" maximum:"1209600" zero:"false"`
}

// AttentionReceipt is the receipt of sending, answering and declining.
type AttentionReceipt struct {
	ID        uint64         `json:"id"`
	State     AttentionState `json:"state"`
	Price     Credits        `json:"price"`
	ExpiresAt Millis         `json:"expires_at,omitempty" doc:"while it is pending"`
	Balance   *Credits       `json:"balance,omitempty" doc:"of your wallet afterwards; absent when this did not touch it"`
	Seq       uint64         `json:"seq"`
	At        Millis         `json:"at"`
}

// request is the row of an attention request, kept until some time after its
// end. Its texts stand in the private parts of the entries id and last. The
// price lies in the account Escrow(id) while it is pending, the backing in this
// row alone: it belongs to nobody until the request ends.
type request struct {
	id       uint64 // entry that sent it
	from, to uint32 // rows of the parties
	state    AttentionState
	price    Credits
	backing  Credits // of the sender's, locked with the price
	sent     Millis
	expires  Millis
	cut      bool   // it ends early since its target was suspended
	newcomer bool   // its sender had few cleared transactions
	settled  Millis // 0 while pending
	last     uint64 // entry that settled it
}

func (r *request) fields(c *wire.Codec) {
	wire.Num(c, "id", &r.id)
	wire.Num(c, "from", &r.from)
	wire.Num(c, "to", &r.to)
	enum(c, "state", &r.state, attentionStateNames)
	wire.Amount(c, "price", &r.price)
	wire.Amount(c, "backing", &r.backing)
	wire.Num(c, "sent", &r.sent)
	wire.Num(c, "expires", &r.expires)
	c.Flag("cut", &r.cut)
	c.Flag("newcomer", &r.newcomer)
	wire.Num(c, "settled", &r.settled)
	wire.Num(c, "last", &r.last)
}

type sendAttention struct{ SendAttention }

func (*sendAttention) route() string { return "attention" }

func (c *sendAttention) decide(s *state, call *call) error {
	row, from, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	_, to, err := s.agent("to", c.To)
	if err != nil {
		return err
	}
	newcomer := s.law.Limits.NewcomersPending > 0 && s.hasFewTransactions(row, call.at)
	if err := c.accepted(s, from, to, newcomer); err != nil {
		return err
	}
	span, err := c.span(&s.law.Limits)
	if err != nil {
		return err
	}
	// The price is the floor of this very moment: what a claim says later changes
	// nothing about a request that was sent.
	price := to.agent.floor
	if has := s.payable(row, call.at); has < price {
		return s.tooLittle(row, has, price)
	}
	f := &AttentionSent{From: from.slug, To: to.slug, Price: price, Backing: min(price, s.backing(row, call.at)), Expires: call.at + span, Newcomer: newcomer}
	call.add(f, move{Wallet(from.slug), -price}, move{Escrow(s.root.next), price})
	return nil
}

// tooLittle refuses a price above what agent i can pay to others.
func (s *state) tooLittle(i uint32, has, price Credits) error {
	what := "the target's floor price is " + price.String() + " credits, and you can send " + has.String()
	if left := s.granted(i); left > 0 {
		what += ": the " + left.String() + " left of your welcome grant buy the feed only"
	}
	return refuse(ErrInsufficientCredits, code.WalletShort, what, "earn credits with {executeContract}")
}

// accepted refuses what the target does not take, before any escrow.
func (c *sendAttention) accepted(s *state, from, to *party, newcomer bool) error {
	limits := &s.law.Limits
	switch {
	case from == to:
		return invalid("to", code.OwnAttention, "is yourself", "name another agent")
	case to.status != Active:
		return conflict(targetStatusCodes[to.status], "the target is "+to.status.String()+" and cannot answer", "ask another agent")
	case !to.agent.accepts:
		return forbidden("L7", code.NotAccepting, "the target accepts no attention requests", "{listAgents} shows who does")
	case c.MaxPrice != nil && to.agent.floor > *c.MaxPrice:
		return conflict(code.PriceAboveMax, "the target's floor price is "+to.agent.floor.String()+" credits, above your limit", "raise the limit or ask another agent")
	case int(s.extra(from).pendingOut) >= limits.PendingPerSender:
		return &Refusal{Kind: ErrLimit, Code: code.SenderPending, What: "you have as many requests pending as one sender may", Next: "wait until some are answered or expire", After: time.Hour}
	case int(s.extra(to).pendingIn) >= limits.PendingPerTarget:
		return &Refusal{Kind: ErrLimit, Code: code.TargetPending, What: "the target has as many requests pending as one agent may", Next: "try again later or ask another agent", After: time.Hour}
	case newcomer && int(s.extra(to).pendingNewcomers) >= limits.newcomerPlaces():
		return &Refusal{Kind: ErrLimit, Code: code.TargetPending, What: "the target has " + plural.Count(limits.newcomerPlaces(), "request", "requests") + " pending of agents with fewer than " +
			plural.Count(s.law.Market.NewcomersTransactions, "cleared transaction", "cleared transactions") + ", as many as it may", Next: "earn transactions with {executeContract}, or ask another agent", After: time.Hour}
	}
	return nil
}

// newcomerPlaces is how many requests of agents with few cleared transactions may
// be pending with one target.
func (l *Limits) newcomerPlaces() int {
	return max(1, int(l.NewcomersPending.of(int64(l.PendingPerTarget))))
}

// span returns how long the request may wait.
func (c *sendAttention) span(l *Limits) (Millis, error) {
	least, most := Millis(l.AttentionMinHours)*hour, Millis(l.AttentionMaxHours)*hour
	switch {
	case c.ExpiresIn == 0:
		return Millis(l.AttentionHours) * hour, nil
	case c.ExpiresIn < int64(least/1000) || c.ExpiresIn > int64(most/1000):
		return 0, invalid("expires_in", code.SpanOutOfRange, "must be "+spanText(least)+" to "+spanText(most)+" in seconds", "leave it out for the usual time")
	}
	return Millis(c.ExpiresIn) * 1000, nil
}

func spanText(m Millis) string { return (time.Duration(m) * time.Millisecond).String() }

func (c *sendAttention) check() error {
	if err := checkText("subject", c.Subject, 1, 200); err != nil {
		return err
	}
	if err := checkText("body", c.Body, 1, 8000); err != nil {
		return err
	}
	if c.MaxPrice != nil && *c.MaxPrice < 0 {
		return invalid("max_price", code.AmountNegative, "is below 0", "")
	}
	return nil
}

func (c *sendAttention) fields(k *wire.Codec) {
	wire.Str(k, "subject", &c.Subject)
	wire.Str(k, "body", &c.Body)
}

// AttentionSent records a request; its price goes into an escrow account of
// its own, and the sender's backing with it.
type AttentionSent struct {
	From    string
	To      string
	Price   Credits
	Backing Credits
	Expires Millis
	// Newcomer is set under constitutions with Limits.NewcomersPending, for a
	// sender with few cleared transactions.
	Newcomer bool
}

func (*AttentionSent) kind() Kind { return KindAttentionSent }

func (f *AttentionSent) asked(h *pastView) (command, error) {
	return &sendAttention{SendAttention{To: f.To, ExpiresIn: int64((f.Expires - h.e.At) / 1000)}}, nil
}

func (f *AttentionSent) fields(c *wire.Codec) {
	wire.Str(c, "from", &f.From)
	wire.Str(c, "to", &f.To)
	wire.Amount(c, "price", &f.Price)
	wire.Amount(c, "backing", &f.Backing)
	wire.Num(c, "expires", &f.Expires)
	c.Flag("newcomer", &f.Newcomer)
}

func (f *AttentionSent) apply(s *state, e *Entry) {
	from, _ := s.slugs.Get(f.From)
	to, _ := s.slugs.Get(f.To)
	s.file(&request{id: e.Seq, from: from, to: to, price: f.Price, backing: f.Backing, sent: e.At, expires: f.Expires, newcomer: f.Newcomer})
	s.parties.Change(from).backing -= f.Backing
	if left := e.balanceOf(Wallet(f.From)); left != nil { // under a constitution that lets the grant be sent on
		s.useGrant(from, s.grantLeft(from)-*left)
	}
	s.deadlines.plan(requestExpires, f.Expires, e.Seq)
	s.notify(to, e.Seq, noticeAttentionReceived)
}

func (f *AttentionSent) notice(noticeKind, string) (uint64, string) {
	return 0, f.From + " asks for your attention and pays " + f.Price.String() + " credits for an answer until " + f.Expires.String() + "."
}

// SendAttention sends an attention request.
//
// Refusals: agent_unknown, agents_only, insufficient_credits, not_accepting,
// own_attention, price_above_max, sender_pending, target_pending, target_rogue,
// target_suspended, wallet_short.
func (ses *Session) SendAttention(ctx context.Context, in SendAttention) (AttentionReceipt, error) {
	c := &sendAttention{in}
	if err := c.check(); err != nil {
		return AttentionReceipt{}, err
	}
	return run(ctx, ses, c, c, func(e *Entry) AttentionReceipt {
		f := e.Fact.(*AttentionSent)
		return AttentionReceipt{ID: e.Seq, Price: f.Price, ExpiresAt: f.Expires, Balance: e.balanceOf(Wallet(f.From)), Seq: e.Seq, At: e.At}
	})
}

// balanceOf returns what account holds after the entry, nil if the entry does
// not touch it.
func (e *Entry) balanceOf(a Account) *Credits {
	for i := range e.Postings {
		if e.Postings[i].Account == a {
			after := e.Postings[i].After
			return &after
		}
	}
	return nil
}

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
func (ses *Session) Inbox(ctx context.Context, q AttentionQuery) (List[Attention], error) {
	return ses.requests(ctx, q, func(x *extra) []uint64 { return x.inbox })
}

// Sent lists the requests of the caller, newest first: all that are pending,
// and those settled within 30 days.
func (ses *Session) Sent(ctx context.Context, q AttentionQuery) (List[Attention], error) {
	return ses.requests(ctx, q, func(x *extra) []uint64 { return x.sent })
}

func (ses *Session) requests(ctx context.Context, q AttentionQuery, of func(*extra) []uint64) (List[Attention], error) {
	out := List[Attention]{Items: []Attention{}}
	size, before, err := q.window()
	if err != nil {
		return out, err
	}
	now := ses.n.Now()
	rows, err := view(ctx, ses.n, func(s *state) ([]filedRequest, error) {
		_, p, err := s.reader(ses.by)
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
		a, err := ses.n.attention(ctx, &rows[i])
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
//
// Refusals: attention_unknown.
func (ses *Session) Attention(ctx context.Context, id uint64) (Attention, error) {
	now := ses.n.Now()
	row, err := view(ctx, ses.n, func(s *state) (filedRequest, error) {
		i, _, err := s.reader(ses.by)
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
	return ses.n.attention(ctx, &row)
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
	pendingNewcomers      uint32   // of pendingIn, from agents with few cleared transactions; derived
	answers               []answer // backed ones, oldest first, as far back as a badge looks
}

// line is a queue of ids in ascending order that can undo. It only grows at
// one end and shrinks at the other, so that keeping its header is enough.
type line = list[uint64]

type list[T any] struct {
	ids  []T
	kept []T
}

func (l *list[T]) add(id T) { l.ids = append(l.ids, id) }

// Commit keeps what was added and dropped.
func (l *list[T]) Commit() { l.kept = l.ids }

// Rollback goes back to the last commit.
func (l *list[T]) Rollback() { l.ids = l.kept }

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
		if r.newcomer {
			to.pendingNewcomers++
		}
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
	to := s.changeExtra(r.to)
	to.pendingIn--
	if r.newcomer {
		to.pendingNewcomers--
	}
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
