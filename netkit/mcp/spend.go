package mcp

import (
	"context"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// question asks the client's user whether to buy. It travels as an error, since
// it stops the call; the client repeats the call with the answer.
type question struct {
	quote quote
	about string
}

func (q *question) Error() string { return "mcp: the user is asked first" }

// answerID names the question within a result.
const answerID = "agree"

func (q *question) result() *sdk.CallToolResult {
	return &sdk.CallToolResult{RequestState: q.quote.ID, InputRequests: sdk.InputRequestMap{answerID: &sdk.ElicitParams{Mode: "form",
		Message:         "Pay " + q.quote.Price.String() + " credits " + q.about + "?",
		RequestedSchema: schema{"type": "object", "properties": schema{}}}}}
}

// agree returns the quote by which to buy: one that the user agreed to where the
// client can ask, else the one that the call names.
func (c *call) agree(what purchase, id string) (quote, error) {
	asks, state := c.asks(), c.req.Params.RequestState
	switch {
	case asks && state != "":
		id = state
	case id == "" && asks:
		return quote{}, &question{c.quote(what), what.about}
	case id == "":
		return quote{}, refuse(netkit.Refusal{Kind: netkit.ErrInsufficientCredits, Code: code.QuoteNeeded, Field: "quote_id", What: "is missing: this costs credits",
			Next: "call quote, see that its price is worth it, and call again with its quote_id"})
	}
	q, err := c.quoted(what, id)
	if err != nil {
		return quote{}, err
	}
	if asks && state == "" {
		return quote{}, &question{q, what.about}
	}
	if asks && !c.agreed() {
		return quote{}, refuse(netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.UserDeclined, What: "the user did not agree to pay", Next: "go on without it; do not ask again for the same"})
	}
	return q, nil
}

// asks reports whether the client can put a question to its user.
func (c *call) asks() bool {
	can := c.req.ClientCapabilities()
	return can != nil && can.Elicitation != nil && (can.Elicitation.Form != nil || can.Elicitation.URL == nil)
}

func (c *call) agreed() bool {
	answer, ok := c.req.Params.InputResponses[answerID].(*sdk.ElicitResult)
	return ok && answer.Action == "accept"
}

// reserve counts a purchase against what the session may spend, once however
// often it is repeated, and returns what takes that back: nothing for a
// purchase that is counted already.
func (s *service) reserve(q quote) (release func(), err error) {
	if s.cfg.MaxSpend == nil || s.paid[q.ID] {
		return func() {}, nil
	}
	if q.Price > *s.cfg.MaxSpend-s.spent {
		return nil, refuse(netkit.Refusal{Kind: netkit.ErrInsufficientCredits, Code: code.SessionSpend, What: "the price is above what this session may still spend",
			Next: "tell your user, who may start a session with a higher limit"})
	}
	if s.paid == nil {
		s.paid = map[string]bool{}
	}
	s.paid[q.ID] = true
	s.spent += q.Price
	return func() {
		delete(s.paid, q.ID)
		s.spent -= q.Price
	}, nil
}

// buy makes a purchase by a quote that was agreed to. Where spending is counted,
// purchases follow each other: a refused one must not take back what the same
// quote paid meanwhile.
func buy[Out any](ctx context.Context, c *call, what purchase, id string, do func(context.Context, quote) (Out, error)) (out Out, err error) {
	q, err := c.agree(what, id)
	if err != nil {
		return out, err
	}
	if c.cfg.MaxSpend != nil {
		c.buying.Lock()
		defer c.buying.Unlock()
	}
	release, err := c.reserve(q)
	if err != nil {
		return out, err
	}
	out, err = do(netkit.WithKey(ctx, q.ID), q)
	var r *netkit.Refusal
	if errors.As(err, &r) && !errors.Is(err, netkit.ErrUnknownOutcome) {
		release()
	}
	return out, err
}
