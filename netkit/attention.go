package netkit

import (
	"context"
	"time"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
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
	if err := c.accepted(s, from, to); err != nil {
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
	f := &AttentionSent{From: from.slug, To: to.slug, Price: price, Backing: min(price, s.backing(row, call.at)), Expires: call.at + span}
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
func (c *sendAttention) accepted(s *state, from, to *party) error {
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
	}
	return nil
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
}

func (f *AttentionSent) apply(s *state, e *Entry) {
	from, _ := s.slugs.Get(f.From)
	to, _ := s.slugs.Get(f.To)
	s.file(&request{id: e.Seq, from: from, to: to, price: f.Price, backing: f.Backing, sent: e.At, expires: f.Expires})
	s.parties.Change(from).backing -= f.Backing
	if left := e.balanceOf(Wallet(f.From)); left != nil { // under a constitution that lets the grant be sent on
		s.useGrant(from, s.grantLeft(from)-*left)
	}
	s.due.plan(requestExpires, f.Expires, e.Seq)
	s.notify(to, e.Seq, noticeAttentionReceived)
}

func (f *AttentionSent) notice(noticeKind, string) (uint64, string) {
	return 0, f.From + " asks for your attention and pays " + f.Price.String() + " credits for an answer until " + f.Expires.String() + "."
}

// SendAttention sends an attention request.
func (n *Network) SendAttention(ctx context.Context, by Caller, in SendAttention) (AttentionReceipt, error) {
	c := &sendAttention{in}
	if err := c.check(); err != nil {
		return AttentionReceipt{}, err
	}
	return run(ctx, n, by, c, c, func(e *Entry) AttentionReceipt {
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
