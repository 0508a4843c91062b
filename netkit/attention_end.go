package netkit

import "context"

// AnswerAttention answers a request; its price is yours.
type AnswerAttention struct {
	ID   uint64 `json:"id"`
	Body string `json:"body" doc:"at most 8,000 characters"`
}

// DeclineAttention declines a request; its price goes back. Declining never
// counts against an agent (L7).
type DeclineAttention struct {
	ID     uint64 `json:"id"`
	Reason string `json:"reason,omitempty" doc:"at most 400 characters"`
}

// answer is a backed request that an agent answered.
type answer struct {
	day  Day
	with uint32 // row of the sender
	took Millis // until the answer
	span Millis // until it would have expired
}

func (a *answer) fields(c *codec) {
	num(c, "day", &a.day)
	num(c, "with", &a.with)
	num(c, "took", &a.took)
	num(c, "span", &a.span)
}

// asked returns a pending request to the caller. To anyone else it does not
// exist.
func (s *state) asked(call *call, id uint64) (*request, error) {
	i, _, err := call.actingAgent(s)
	if err != nil {
		return nil, err
	}
	r, ok := s.requests.get(id)
	switch {
	case !ok || r.to != i:
		return nil, requestUnknown()
	case r.state != Pending:
		return nil, conflict("attention_"+r.state.String(), "the request is "+r.state.String()+" already", "{listInbox} lists those that wait")
	case call.at >= r.expires:
		return nil, conflict("attention_expired", "the request has expired", "{listInbox} lists those that wait")
	}
	return r, nil
}

func requestUnknown() error {
	return &Refusal{Kind: ErrNotFound, Code: "attention_unknown", Field: "id", What: "names no attention request of yours",
		Next: "{listInbox} and {listSent} list them; settled ones are listed for 30 days"}
}

type answerAttention struct{ AnswerAttention }

func (*answerAttention) route() string { return "attention.answer" }

func (c *answerAttention) decide(s *state, call *call) error {
	r, err := s.asked(call, c.ID)
	if err != nil {
		return err
	}
	to := s.parties.at(r.to).slug
	f := &attentionAnswered{ID: r.id, From: s.parties.at(r.from).slug, To: to, Price: r.price,
		payment: s.settlement(r.to, r.from, r.price, r.price, r.backing, call.at)}
	call.add(f, move{Escrow(r.id), -r.price}, move{Wallet(to), r.price})
	return nil
}

func (c *answerAttention) fields(k *codec) { str(k, "body", &c.Body) }

// attentionAnswered records that the escrow went to the target. For the scores
// it is a payment of the sender to the target with g = n = price, whose backing
// is not min(g, b) of now but the e that was locked when the request was sent:
// Used says it, and nothing is taken from the sender's backing a second time.
type attentionAnswered struct {
	ID    uint64
	From  string
	To    string
	Price Credits
	payment
}

func (*attentionAnswered) kind() Kind { return "attention.answered" }

func (f *attentionAnswered) asked(*hindsight) (command, error) {
	return &answerAttention{AnswerAttention{ID: f.ID}}, nil
}

func (f *attentionAnswered) fields(c *codec) {
	num(c, "id", &f.ID)
	str(c, "from", &f.From)
	str(c, "to", &f.To)
	c.amount("price", &f.Price)
	f.payment.fields(c)
}

func (f *attentionAnswered) apply(s *state, e *Entry) {
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
		ev := s.evidenceOf(r.to, r.from, e.At.Day())
		ev.in += f.counted
		ev.answered++
		s.parties.change(r.to).backing += f.passed
		x := s.changeExtra(r.to)
		x.answers = append(s.law.recent(x.answers, e.At.Day()), answer{e.At.Day(), r.from, e.At - r.sent, r.expires - r.sent})
	}
	// Fully backed it is a transaction, one for each side (DESIGN, section 4).
	if r.price > 0 && r.backing == r.price {
		s.parties.change(r.from).agent.transactions++
		s.parties.change(r.to).agent.transactions++
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

func (f *attentionAnswered) notice(noticeKind, string) (uint64, string) {
	return f.ID, f.To + " answered your attention request."
}

// AnswerAttention answers a request to the caller.
func (n *Network) AnswerAttention(ctx context.Context, by Caller, in AnswerAttention) (AttentionReceipt, error) {
	if err := checkText("body", in.Body, 1, 8000); err != nil {
		return AttentionReceipt{}, err
	}
	c := &answerAttention{in}
	return run(ctx, n, by, c, c, func(e *Entry) AttentionReceipt {
		f := e.Fact.(*attentionAnswered)
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
	from := s.parties.at(r.from).slug
	f := &attentionDeclined{ID: r.id, From: from, To: s.parties.at(r.to).slug, Price: r.price}
	call.add(f, move{Escrow(r.id), -r.price}, move{Wallet(from), r.price})
	return nil
}

func (c *declineAttention) fields(k *codec) { str(k, "reason", &c.Reason) }

// attentionDeclined records that the escrow went back to the sender.
type attentionDeclined struct {
	ID    uint64
	From  string
	To    string
	Price Credits
}

func (*attentionDeclined) kind() Kind { return "attention.declined" }

func (f *attentionDeclined) asked(*hindsight) (command, error) {
	return &declineAttention{DeclineAttention{ID: f.ID}}, nil
}

func (f *attentionDeclined) fields(c *codec) {
	num(c, "id", &f.ID)
	str(c, "from", &f.From)
	str(c, "to", &f.To)
	c.amount("price", &f.Price)
}

func (f *attentionDeclined) apply(s *state, e *Entry) {
	if r := s.settle(f.ID, Declined, e); r != nil {
		s.parties.change(r.from).backing += r.backing
		s.notify(r.from, e.Seq, noticeAttentionDeclined)
	}
}

func (f *attentionDeclined) notice(noticeKind, string) (uint64, string) {
	return f.ID, f.To + " declined your attention request; its " + f.Price.String() + " credits are back in your wallet."
}

// DeclineAttention declines a request to the caller.
func (n *Network) DeclineAttention(ctx context.Context, by Caller, in DeclineAttention) (AttentionReceipt, error) {
	if err := checkText("reason", in.Reason, 0, 400); err != nil {
		return AttentionReceipt{}, err
	}
	c := &declineAttention{in}
	return run(ctx, n, by, c, c, func(e *Entry) AttentionReceipt {
		f := e.Fact.(*attentionDeclined)
		return AttentionReceipt{ID: f.ID, State: Declined, Price: f.Price, Seq: e.Seq, At: e.At}
	})
}
