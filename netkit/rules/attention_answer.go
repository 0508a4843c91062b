package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Answer is a backed request that an agent answered.
type Answer struct {
	Day  netkit.Day
	With uint32        // row of the sender
	Took netkit.Millis // until the answer
	Span netkit.Millis // until it would have expired
}

func (a *Answer) Fields(c *wire.Codec) {
	wire.Num(c, "day", &a.Day)
	wire.Num(c, "with", &a.With)
	wire.Num(c, "took", &a.Took)
	wire.Num(c, "span", &a.Span)
}

// pendingRequest returns a pending request to the caller. To anyone else it does not
// exist.
func (s *State) pendingRequest(call *Call, id uint64) (*Request, error) {
	i, _, err := call.actingAgent(s)
	if err != nil {
		return nil, err
	}
	r, ok := s.requests.Get(id)
	switch {
	case !ok || r.To != i:
		return nil, requestUnknown()
	case r.State != netkit.Pending:
		return nil, conflict(attentionStateCodes[r.State], "the request is "+r.State.String()+" already", "{listInbox} lists those that wait")
	case call.At >= r.expires:
		return nil, conflict(code.AttentionExpired, "the request has expired", "{listInbox} lists those that wait")
	}
	return r, nil
}

func requestUnknown() error {
	return &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.AttentionUnknown, Field: "id", What: "names no attention request of yours",
		Next: "{listInbox} and {listSent} list them; settled ones are listed for 30 days"}
}

type AnswerAttention struct{ netkit.AnswerAttention }

func (*AnswerAttention) Route() string { return "attention.answer" }

func (c *AnswerAttention) Decide(s *State, call *Call) error {
	r, err := s.pendingRequest(call, c.ID)
	if err != nil {
		return err
	}
	to := s.parties.At(r.To).Slug
	f := &AttentionAnswered{ID: r.Id, From: s.parties.At(r.From).Slug, To: to, Price: r.Price, Weight: attentionWeightOf(&s.law.Scores, r),
		Payment: s.settlement(r.To, r.From, r.Price, r.Price, r.Backing, call.At)}
	call.Add(f, Move{netkit.Escrow(r.Id), -r.Price}, Move{netkit.Wallet(to), r.Price})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*AnswerAttention) Receipt(e *Entry) netkit.AttentionReceipt {
	f := e.Fact.(*AttentionAnswered)
	return netkit.AttentionReceipt{ID: f.ID, State: netkit.Answered, Price: f.Price, Balance: e.BalanceOf(netkit.Wallet(f.To)), Seq: e.Seq, At: e.At}
}

func (c *AnswerAttention) Fields(k *wire.Codec) { wire.Str(k, "body", &c.Body) }

// AttentionAnswered records that the escrow went to the target. For the scores
// it is a payment of the sender to the target with g = n = price, whose backing
// is not min(g, b) of now but the e that was locked when the request was sent:
// Used says it, and nothing is taken from the sender's backing a second time.
type AttentionAnswered struct {
	ID     uint64
	From   string
	To     string
	Price  netkit.Credits
	Weight attentionWeight
	Payment
}

// attentionWeight says what a request counts for beyond the money that it moves.
type attentionWeight uint8

const (
	weightByBacking attentionWeight = iota // under constitutions without a least price, see merit
	weightNone
	weightFull // a transaction of both sides, and evidence for reputation and badges
)

var attentionWeightNames = netkit.Names{"", "none", "full"}

// attentionWeightOf says what a request counts for. Without a least price any backing makes
// it evidence, and full backing a transaction.
func attentionWeightOf(r *netkit.ScoreRules, req *Request) attentionWeight {
	switch {
	case r.AttentionFrom == 0:
		return weightByBacking
	case r.Transaction(req.Price, req.Backing):
		return weightFull
	}
	return weightNone
}

// evidence and transaction report whether a request of that merit is one.
func (m attentionWeight) evidence(req *Request) bool {
	return m == weightFull || m == weightByBacking && req.Backing > 0
}

func (m attentionWeight) transaction(req *Request) bool {
	return m == weightFull || m == weightByBacking && new(netkit.ScoreRules).Transaction(req.Price, req.Backing)
}

func (*AttentionAnswered) Kind() netkit.Kind { return netkit.KindAttentionAnswered }

func (f *AttentionAnswered) CommandOf(*PastView) (Command, error) {
	return &AnswerAttention{netkit.AnswerAttention{ID: f.ID}}, nil
}

func (f *AttentionAnswered) Fields(c *wire.Codec) {
	wire.Num(c, "id", &f.ID)
	wire.Str(c, "from", &f.From)
	wire.Str(c, "to", &f.To)
	wire.Amount(c, "price", &f.Price)
	enum(c, "merit", &f.Weight, attentionWeightNames)
	f.Payment.Fields(c)
}

func (f *AttentionAnswered) Apply(s *State, e *Entry) {
	r := s.settle(f.ID, netkit.Answered, e)
	if r == nil {
		return
	}
	// Gross goes out of the sender's own score whether it was backed or not, so
	// that paying in circles nets to nothing.
	if r.Price > 0 {
		s.EvidenceOf(r.From, r.To, e.At.Day()).Out += r.Price
	}
	if r.Backing > 0 {
		s.EvidenceOf(r.To, r.From, e.At.Day()).In += f.Counted
		s.addPaid(r.From, r.To, e.At.Day(), f.Counted)
		if r.Price < s.law.Detectors.CheapPrice {
			s.EvidenceOf(r.To, r.From, e.At.Day()).cheap++
		}
		s.parties.Change(r.To).Backing += f.Passed
	}
	if f.Weight.evidence(r) {
		s.EvidenceOf(r.To, r.From, e.At.Day()).Answered++
		x := s.changeExtra(r.To)
		x.Answers = append(recentAnswers(s.law, x.Answers, e.At.Day()), Answer{e.At.Day(), r.From, e.At - r.sent, r.expires - r.sent})
	}
	if f.Weight.transaction(r) { // one for each side (see Economy in the package documentation)
		s.parties.Change(r.From).Agent.Transactions++
		s.parties.Change(r.To).Agent.Transactions++
	}
	s.notify(r.From, e.Seq, noticeAttentionAnswered)
}

// recentAnswers leaves out the answers that no badge looks back at any more.
func recentAnswers(c *netkit.Constitution, all []Answer, today netkit.Day) []Answer {
	rule := c.Badge(netkit.SeniorCorrespondent)
	for rule != nil && len(all) > 0 && int(today-all[0].Day) >= rule.Window {
		all = all[1:]
	}
	return all
}

func (f *AttentionAnswered) notice(noticeKind, string) (uint64, string) {
	return f.ID, f.To + " answered your attention request."
}
