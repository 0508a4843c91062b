package netkit

import (
	"context"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// AnswerAttention answers a request; its price is yours.
type AnswerAttention struct {
	ID   uint64 `json:"id"`
	Body string `json:"body" doc:"at most 8,000 characters" minLength:"1" maxLength:"8000"`
}

// DeclineAttention declines a request; its price goes back. Declining never
// counts against an agent (L7).
type DeclineAttention struct {
	ID     uint64 `json:"id"`
	Reason string `json:"reason,omitempty" doc:"at most 400 characters" maxLength:"400"`
}

// answer is a backed request that an agent answered.
type answer struct {
	day  Day
	with uint32 // row of the sender
	took Millis // until the answer
	span Millis // until it would have expired
}

func (a *answer) fields(c *wire.Codec) {
	wire.Num(c, "day", &a.day)
	wire.Num(c, "with", &a.with)
	wire.Num(c, "took", &a.took)
	wire.Num(c, "span", &a.span)
}

// asked returns a pending request to the caller. To anyone else it does not
// exist.
func (s *state) asked(call *call, id uint64) (*request, error) {
	i, _, err := call.actingAgent(s)
	if err != nil {
		return nil, err
	}
	r, ok := s.requests.Get(id)
	switch {
	case !ok || r.to != i:
		return nil, requestUnknown()
	case r.state != Pending:
		return nil, conflict(attentionStateCodes[r.state], "the request is "+r.state.String()+" already", "{listInbox} lists those that wait")
	case call.at >= r.expires:
		return nil, conflict(code.AttentionExpired, "the request has expired", "{listInbox} lists those that wait")
	}
	return r, nil
}

func requestUnknown() error {
	return &Refusal{Kind: ErrNotFound, Code: code.AttentionUnknown, Field: "id", What: "names no attention request of yours",
		Next: "{listInbox} and {listSent} list them; settled ones are listed for 30 days"}
}

type answerAttention struct{ AnswerAttention }

func (*answerAttention) route() string { return "attention.answer" }

func (c *answerAttention) decide(s *state, call *call) error {
	r, err := s.asked(call, c.ID)
	if err != nil {
		return err
	}
	to := s.parties.At(r.to).slug
	f := &AttentionAnswered{ID: r.id, From: s.parties.At(r.from).slug, To: to, Price: r.price, Weight: s.law.Scores.weight(r),
		payment: s.settlement(r.to, r.from, r.price, r.price, r.backing, call.at)}
	call.add(f, move{Escrow(r.id), -r.price}, move{Wallet(to), r.price})
	return nil
}

func (c *answerAttention) fields(k *wire.Codec) { wire.Str(k, "body", &c.Body) }

// AttentionAnswered records that the escrow went to the target. For the scores
// it is a payment of the sender to the target with g = n = price, whose backing
// is not min(g, b) of now but the e that was locked when the request was sent:
// Used says it, and nothing is taken from the sender's backing a second time.
type AttentionAnswered struct {
	ID     uint64
	From   string
	To     string
	Price  Credits
	Weight attentionWeight
	payment
}

// attentionWeight says what a request counts for beyond the money that it moves.
type attentionWeight uint8

const (
	weightByBacking attentionWeight = iota // under constitutions without a least price, see merit
	weightNone
	weightFull // a transaction of both sides, and evidence for reputation and badges
)

var attentionWeightNames = names{"", "none", "full"}

// weight says what a request counts for. Without a least price any backing makes
// it evidence, and full backing a transaction.
func (r *ScoreRules) weight(req *request) attentionWeight {
	switch {
	case r.AttentionFrom == 0:
		return weightByBacking
	case r.Transaction(req.price, req.backing):
		return weightFull
	}
	return weightNone
}

// Transaction reports whether an answered request is a transaction of both
// sides: it costs what counts at least, and outside money stands behind all of it.
func (r *ScoreRules) Transaction(price, backing Credits) bool {
	return price > 0 && backing == price && price >= r.AttentionFrom
}

// evidence and transaction report whether a request of that merit is one.
func (m attentionWeight) evidence(req *request) bool {
	return m == weightFull || m == weightByBacking && req.backing > 0
}

func (m attentionWeight) transaction(req *request) bool {
	return m == weightFull || m == weightByBacking && new(ScoreRules).Transaction(req.price, req.backing)
}

func (*AttentionAnswered) kind() Kind { return KindAttentionAnswered }

func (f *AttentionAnswered) asked(*pastView) (command, error) {
	return &answerAttention{AnswerAttention{ID: f.ID}}, nil
}

func (f *AttentionAnswered) fields(c *wire.Codec) {
	wire.Num(c, "id", &f.ID)
	wire.Str(c, "from", &f.From)
	wire.Str(c, "to", &f.To)
	wire.Amount(c, "price", &f.Price)
	enum(c, "merit", &f.Weight, attentionWeightNames)
	f.payment.fields(c)
}

func (f *AttentionAnswered) apply(s *state, e *Entry) {
	r := s.settle(f.ID, Answered, e)
	if r == nil {
		return
	}
	// Gross goes out of the sender's own score whether it was backed or not, so
	// that paying in circles nets to nothing.
	if r.price > 0 {
		s.evidenceOf(r.from, r.to, e.At.Day()).out += r.price
	}
	if r.backing > 0 {
		s.evidenceOf(r.to, r.from, e.At.Day()).in += f.counted
		s.addPaid(r.from, r.to, e.At.Day(), f.counted)
		if r.price < s.law.Detectors.CheapPrice {
			s.evidenceOf(r.to, r.from, e.At.Day()).cheap++
		}
		s.parties.Change(r.to).backing += f.passed
	}
	if f.Weight.evidence(r) {
		s.evidenceOf(r.to, r.from, e.At.Day()).answered++
		x := s.changeExtra(r.to)
		x.answers = append(s.law.recent(x.answers, e.At.Day()), answer{e.At.Day(), r.from, e.At - r.sent, r.expires - r.sent})
	}
	if f.Weight.transaction(r) { // one for each side (see Economy in the package documentation)
		s.parties.Change(r.from).agent.transactions++
		s.parties.Change(r.to).agent.transactions++
	}
	s.notify(r.from, e.Seq, noticeAttentionAnswered)
}

// recent leaves out the answers that no badge looks back at any more.
func (c *Constitution) recent(all []answer, today Day) []answer {
	rule := c.badge(SeniorCorrespondent)
	for rule != nil && len(all) > 0 && int(today-all[0].day) >= rule.Window {
		all = all[1:]
	}
	return all
}

func (f *AttentionAnswered) notice(noticeKind, string) (uint64, string) {
	return f.ID, f.To + " answered your attention request."
}

// AnswerAttention answers a request to the caller.
//
// Refusals: agents_only, attention_answered, attention_declined,
// attention_expired, attention_unknown.
func (ses *Session) AnswerAttention(ctx context.Context, in AnswerAttention) (AttentionReceipt, error) {
	if err := checkText("body", in.Body, 1, 8000); err != nil {
		return AttentionReceipt{}, err
	}
	c := &answerAttention{in}
	return run(ctx, ses, c, c, func(e *Entry) AttentionReceipt {
		f := e.Fact.(*AttentionAnswered)
		return AttentionReceipt{ID: f.ID, State: Answered, Price: f.Price, Balance: e.balanceOf(Wallet(f.To)), Seq: e.Seq, At: e.At}
	})
}

type declineAttention struct{ DeclineAttention }

func (*declineAttention) route() string { return "attention.decline" }

func (c *declineAttention) decide(s *state, call *call) error {
	r, err := s.asked(call, c.ID)
	if err != nil {
		return err
	}
	from := s.parties.At(r.from).slug
	f := &AttentionDeclined{ID: r.id, From: from, To: s.parties.At(r.to).slug, Price: r.price}
	call.add(f, move{Escrow(r.id), -r.price}, move{Wallet(from), r.price})
	return nil
}

func (c *declineAttention) fields(k *wire.Codec) { wire.Str(k, "reason", &c.Reason) }

// AttentionDeclined records that the escrow went back to the sender.
type AttentionDeclined struct {
	ID    uint64
	From  string
	To    string
	Price Credits
}

func (*AttentionDeclined) kind() Kind { return KindAttentionDeclined }

func (f *AttentionDeclined) asked(*pastView) (command, error) {
	return &declineAttention{DeclineAttention{ID: f.ID}}, nil
}

func (f *AttentionDeclined) fields(c *wire.Codec) {
	wire.Num(c, "id", &f.ID)
	wire.Str(c, "from", &f.From)
	wire.Str(c, "to", &f.To)
	wire.Amount(c, "price", &f.Price)
}

func (f *AttentionDeclined) apply(s *state, e *Entry) {
	if r := s.settle(f.ID, Declined, e); r != nil {
		s.parties.Change(r.from).backing += r.backing
		s.notify(r.from, e.Seq, noticeAttentionDeclined)
	}
}

func (f *AttentionDeclined) notice(noticeKind, string) (uint64, string) {
	return f.ID, f.To + " declined your attention request; its " + f.Price.String() + " credits are back in your wallet."
}

// DeclineAttention declines a request to the caller.
//
// Refusals: agents_only, attention_answered, attention_declined,
// attention_expired, attention_unknown.
func (ses *Session) DeclineAttention(ctx context.Context, in DeclineAttention) (AttentionReceipt, error) {
	if err := checkText("reason", in.Reason, 0, 400); err != nil {
		return AttentionReceipt{}, err
	}
	c := &declineAttention{in}
	return run(ctx, ses, c, c, func(e *Entry) AttentionReceipt {
		f := e.Fact.(*AttentionDeclined)
		return AttentionReceipt{ID: f.ID, State: Declined, Price: f.Price, Seq: e.Seq, At: e.At}
	})
}

// AttentionExpired records that nobody answered in time: the escrow went back
// to the sender. Counts says that it weighs against the target.
type AttentionExpired struct {
	ID     uint64
	From   string
	To     string
	Price  Credits
	Counts bool
	Reason string // "suspended" when the target's standing ended it, else ""
}

// reasonSuspended is why a request ends when its target can answer no more.
const reasonSuspended = "suspended"

func (*AttentionExpired) kind() Kind { return KindAttentionExpired }

func (*AttentionExpired) asked(*pastView) (command, error) { return nil, nil }

func (f *AttentionExpired) fields(c *wire.Codec) {
	wire.Num(c, "id", &f.ID)
	wire.Str(c, "from", &f.From)
	wire.Str(c, "to", &f.To)
	wire.Amount(c, "price", &f.Price)
	c.Flag("counts", &f.Counts)
	wire.Str(c, "reason", &f.Reason)
}

func (f *AttentionExpired) apply(s *state, e *Entry) {
	r := s.settle(f.ID, Expired, e)
	if r == nil {
		return
	}
	s.parties.Change(r.from).backing += r.backing
	if f.Counts {
		s.evidenceOf(r.to, r.from, e.At.Day()).expired++
	}
	s.notify(r.from, e.Seq, noticeAttentionExpired)
	s.notify(r.to, e.Seq, noticeAttentionExpired)
}

func (f *AttentionExpired) notice(_ noticeKind, reader string) (uint64, string) {
	if reader == f.To {
		return f.ID, "The attention request of " + f.From + " expired without an answer."
	}
	return f.ID, f.To + " did not answer your attention request; its " + f.Price.String() + " credits are back in your wallet."
}

// requestDue ends a request whose time is over.
func (s *state) requestDue(it dueItem, at Millis) (Fact, []move) {
	r, ok := s.requests.Get(it.id)
	if !ok || r.state != Pending || r.expires != it.at {
		return nil, nil
	}
	from := s.parties.At(r.from).slug
	f := &AttentionExpired{ID: r.id, From: from, To: s.parties.At(r.to).slug, Price: r.price}
	if r.cut {
		f.Reason = reasonSuspended
	} else {
		f.Counts = s.law.Scores.weight(r).evidence(r) && !s.ignoredLately(r.to, r.from, at.Day())
	}
	return f, []move{{Escrow(r.id), -r.price}, {Wallet(from), r.price}}
}

// ignoredLately reports whether an expired request of sender j counts against
// agent i already: one sender can harm once in that many days.
func (s *state) ignoredLately(i, j uint32, today Day) bool {
	rows := s.parties.At(i).agent.evidence
	for k := len(rows) - 1; k >= 0 && int(today-rows[k].day) < s.law.Scores.ExpiredDays; k-- {
		if rows[k].with == j && rows[k].expired > 0 {
			return true
		}
	}
	return false
}

// expireAll lets every pending request to an agent that can answer no more
// fall due at once; they go back to their senders without a penalty. It is
// for the facts that end a standing.
func (s *state) expireAll(target uint32, at Millis) {
	x := s.extra(s.parties.At(target))
	left, ids := x.pendingIn, x.inbox
	// Those that wait are among the newest, so the walk back is short.
	for k := len(ids) - 1; k >= 0 && left > 0; k-- {
		r, ok := s.requests.Get(ids[k])
		if !ok || r.state != Pending {
			continue
		}
		left--
		r = s.request.Edit(r)
		r.expires, r.cut = min(r.expires, at), true
		s.deadlines.plan(requestExpires, r.expires, r.id)
	}
}
