package rules

import (
	"sort"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

// Request is the row of an attention request, kept until some time after its
// end. Its texts stand in the private parts of the entries id and last. The
// price lies in the account Escrow(id) while it is pending, the backing in this
// row alone: it belongs to nobody until the request ends.
type Request struct {
	Id       uint64 // entry that sent it
	From, To uint32 // rows of the parties
	State    netkit.AttentionState
	Price    netkit.Credits
	Backing  netkit.Credits // of the sender's, locked with the price
	sent     netkit.Millis
	expires  netkit.Millis
	cut      bool          // it ends early since its target was suspended
	newcomer bool          // its sender had few cleared transactions
	settled  netkit.Millis // 0 while pending
	last     uint64        // entry that settled it
}

func (r *Request) Fields(c *wire.Codec) {
	wire.Num(c, "id", &r.Id)
	wire.Num(c, "from", &r.From)
	wire.Num(c, "to", &r.To)
	enum(c, "state", &r.State, netkit.AttentionStateNames)
	wire.Amount(c, "price", &r.Price)
	wire.Amount(c, "backing", &r.Backing)
	wire.Num(c, "sent", &r.sent)
	wire.Num(c, "expires", &r.expires)
	c.Flag("cut", &r.cut)
	c.Flag("newcomer", &r.newcomer)
	wire.Num(c, "settled", &r.settled)
	wire.Num(c, "last", &r.last)
}

type SendAttention struct{ netkit.SendAttention }

func (*SendAttention) Route() string { return "attention" }

func (c *SendAttention) Decide(s *State, call *Call) error {
	row, from, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	_, to, err := s.agent("to", c.To)
	if err != nil {
		return err
	}
	newcomer := s.law.Limits.NewcomersPending > 0 && s.hasFewTransactions(row, call.At)
	if err := c.accepted(s, from, to, newcomer); err != nil {
		return err
	}
	span, err := c.span(&s.law.Limits)
	if err != nil {
		return err
	}
	// The price is the floor of this very moment: what a claim says later changes
	// nothing about a request that was sent.
	price := to.Agent.floor
	if has := s.payable(row, call.At); has < price {
		return s.tooLittle(row, has, price)
	}
	f := &AttentionSent{From: from.Slug, To: to.Slug, Price: price, Backing: min(price, s.backing(row, call.At)), Expires: call.At + span, Newcomer: newcomer}
	call.Add(f, Move{netkit.Wallet(from.Slug), -price}, Move{netkit.Escrow(s.root.Next), price})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*SendAttention) Receipt(e *Entry) netkit.AttentionReceipt {
	f := e.Fact.(*AttentionSent)
	return netkit.AttentionReceipt{ID: e.Seq, Price: f.Price, ExpiresAt: f.Expires, Balance: e.BalanceOf(netkit.Wallet(f.From)), Seq: e.Seq, At: e.At}
}

// tooLittle refuses a price above what agent i can pay to others.
func (s *State) tooLittle(i uint32, has, price netkit.Credits) error {
	what := "the target's floor price is " + price.String() + " credits, and you can send " + has.String()
	if left := s.granted(i); left > 0 {
		what += ": the " + left.String() + " left of your welcome grant buy the feed only"
	}
	return netkit.Refuse(netkit.ErrInsufficientCredits, code.WalletShort, what, "earn credits with {executeContract}")
}

// accepted refuses what the target does not take, before any escrow.
func (c *SendAttention) accepted(s *State, from, to *Party, newcomer bool) error {
	limits := &s.law.Limits
	switch {
	case from == to:
		return netkit.Invalid("to", code.OwnAttention, "is yourself", "name another agent")
	case to.Status != netkit.Active:
		return conflict(targetStatusCodes[to.Status], "the target is "+to.Status.String()+" and cannot answer", "ask another agent")
	case !to.Agent.accepts:
		return netkit.Forbidden("L7", code.NotAccepting, "the target accepts no attention requests", "{listAgents} shows who does")
	case c.MaxPrice != nil && to.Agent.floor > *c.MaxPrice:
		return conflict(code.PriceAboveMax, "the target's floor price is "+to.Agent.floor.String()+" credits, above your limit", "raise the limit or ask another agent")
	case int(s.extra(from).PendingOut) >= limits.PendingPerSender:
		return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.SenderPending, What: "you have as many requests pending as one sender may", Next: "wait until some are answered or expire", After: time.Hour}
	case int(s.extra(to).PendingIn) >= limits.PendingPerTarget:
		return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.TargetPending, What: "the target has as many requests pending as one agent may", Next: "try again later or ask another agent", After: time.Hour}
	case newcomer && int(s.extra(to).pendingNewcomers) >= limits.NewcomerPlaces():
		return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.TargetPending, What: "the target has " + plural.Count(limits.NewcomerPlaces(), "request", "requests") + " pending of agents with fewer than " +
			plural.Count(s.law.Market.NewcomersTransactions, "cleared transaction", "cleared transactions") + ", as many as it may", Next: "earn transactions with {executeContract}, or ask another agent", After: time.Hour}
	}
	return nil
}

// span returns how long the request may wait.
func (c *SendAttention) span(l *netkit.Limits) (netkit.Millis, error) {
	least, most := netkit.Millis(l.AttentionMinHours)*netkit.Hour, netkit.Millis(l.AttentionMaxHours)*netkit.Hour
	switch {
	case c.ExpiresIn == 0:
		return netkit.Millis(l.AttentionHours) * netkit.Hour, nil
	case c.ExpiresIn < int64(least/1000) || c.ExpiresIn > int64(most/1000):
		return 0, netkit.Invalid("expires_in", code.SpanOutOfRange, "must be "+spanText(least)+" to "+spanText(most)+" in seconds", "leave it out for the usual time")
	}
	return netkit.Millis(c.ExpiresIn) * 1000, nil
}

func spanText(m netkit.Millis) string { return (time.Duration(m) * time.Millisecond).String() }

func (c *SendAttention) Check() error {
	if err := netkit.CheckText("subject", c.Subject, 1, 200); err != nil {
		return err
	}
	if err := netkit.CheckText("body", c.Body, 1, 8000); err != nil {
		return err
	}
	if c.MaxPrice != nil && *c.MaxPrice < 0 {
		return netkit.Invalid("max_price", code.AmountNegative, "is below 0", "")
	}
	return nil
}

func (c *SendAttention) Fields(k *wire.Codec) {
	wire.Str(k, "subject", &c.Subject)
	wire.Str(k, "body", &c.Body)
}

// AttentionSent records a request; its price goes into an escrow account of
// its own, and the sender's backing with it.
type AttentionSent struct {
	From    string
	To      string
	Price   netkit.Credits
	Backing netkit.Credits
	Expires netkit.Millis
	// Newcomer is set under constitutions with Limits.NewcomersPending, for a
	// sender with few cleared transactions.
	Newcomer bool
}

func (*AttentionSent) Kind() netkit.Kind { return netkit.KindAttentionSent }

func (f *AttentionSent) CommandOf(h *PastView) (Command, error) {
	return &SendAttention{netkit.SendAttention{To: f.To, ExpiresIn: int64((f.Expires - h.E.At) / 1000)}}, nil
}

func (f *AttentionSent) Fields(c *wire.Codec) {
	wire.Str(c, "from", &f.From)
	wire.Str(c, "to", &f.To)
	wire.Amount(c, "price", &f.Price)
	wire.Amount(c, "backing", &f.Backing)
	wire.Num(c, "expires", &f.Expires)
	c.Flag("newcomer", &f.Newcomer)
}

func (f *AttentionSent) Apply(s *State, e *Entry) {
	from, _ := s.slugs.Get(f.From)
	to, _ := s.slugs.Get(f.To)
	s.file(&Request{Id: e.Seq, From: from, To: to, Price: f.Price, Backing: f.Backing, sent: e.At, expires: f.Expires, newcomer: f.Newcomer})
	s.parties.Change(from).Backing -= f.Backing
	if left := e.BalanceOf(netkit.Wallet(f.From)); left != nil { // under a constitution that lets the grant be sent on
		s.useGrant(from, s.grantLeft(from)-*left)
	}
	s.deadlines.plan(requestExpires, f.Expires, e.Seq)
	s.notify(to, e.Seq, noticeAttentionReceived)
}

func (f *AttentionSent) notice(noticeKind, string) (uint64, string) {
	return 0, f.From + " asks for your attention and pays " + f.Price.String() + " credits for an answer until " + f.Expires.String() + "."
}

// BalanceOf returns what account holds after the entry, nil if the entry does
// not touch it.
func (e *Entry) BalanceOf(a netkit.Account) *netkit.Credits {
	for i := range e.Postings {
		if e.Postings[i].Account == a {
			after := e.Postings[i].After
			return &after
		}
	}
	return nil
}

// FiledRequest is a request without its texts, and the entry of its end.
type FiledRequest struct {
	netkit.Attention
	Last uint64
}

func (s *State) viewOfRequest(r *Request) FiledRequest {
	a := netkit.Attention{ID: r.Id, From: s.parties.At(r.From).Slug, To: s.parties.At(r.To).Slug, State: r.State, Price: r.Price,
		SentAt: r.sent, ExpiresAt: r.expires, SettledAt: r.settled, Untrusted: true}
	if r.State == netkit.Expired && r.cut {
		a.Reason = ReasonSuspended
	}
	return FiledRequest{a, r.last}
}

// Mailbox returns a page of the requests to a caller, or of those it sent; nil
// takes them in every state.
func (s *State) Mailbox(by netkit.Caller, sent bool, state *netkit.AttentionState, before uint64, size int, now netkit.Millis) (rows []FiledRequest, next string, err error) {
	_, p, err := s.reader(by)
	if err != nil {
		return nil, "", err
	}
	ids := s.extra(p).Inbox
	if sent {
		ids = s.extra(p).Sent
	}
	rows, next = s.pickRequests(ids, before, size, func(r *Request) bool {
		return r.listed(now) && (state == nil || r.State == *state)
	})
	return rows, next, nil
}

// OwnRequest returns a request that the caller sent or received.
func (s *State) OwnRequest(by netkit.Caller, id uint64, now netkit.Millis) (FiledRequest, error) {
	i, _, err := s.reader(by)
	if err != nil {
		return FiledRequest{}, err
	}
	r, ok := s.requests.Get(id)
	if !ok || r.From != i && r.To != i || !r.listed(now) {
		return FiledRequest{}, requestUnknown()
	}
	return s.viewOfRequest(r), nil
}

// listed reports whether a request is still shown at a moment.
func (r *Request) listed(now netkit.Millis) bool {
	return r.State == netkit.Pending || now < r.settled+settledDays*netkit.FullDay
}

// pickRequests is pick for a list of ids.
func (s *State) pickRequests(ids []uint64, before uint64, size int, match func(*Request) bool) (rows []FiledRequest, next string) {
	k := sort.Search(len(ids), func(i int) bool { return ids[i] >= before })
	for looked := 0; k > 0; looked++ {
		k--
		r, _ := s.requests.Get(ids[k])
		fits := match(r)
		if looked == maxScan || fits && len(rows) == size {
			return rows, netkit.CursorBelow(ids[k] + 1)
		}
		if fits {
			rows = append(rows, s.viewOfRequest(r))
		}
	}
	return rows, ""
}
