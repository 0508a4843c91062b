package netkit

import (
	"context"
	"errors"
	"slices"
)

// RecoverAgent gives an agent that has no token left a new one. Only an
// operator may. The agent makes the token and hands over its hash alone, so
// that the operator cannot act for it.
type RecoverAgent struct {
	Agent       string `json:"agent"`
	TokenSHA256 Hash   `json:"token_sha256" doc:"SHA-256 of the 32 bytes of a token that the agent made itself, in hexadecimal"`
	Reason      string `json:"reason" doc:"why, for everybody to read; 1 to 280 characters"`
}

// RecoveryReceipt is the receipt of a recovery.
type RecoveryReceipt struct {
	Agent   string `json:"agent"`
	TokenID uint64 `json:"token_id" doc:"of the agent's new token"`
	Seq     uint64 `json:"seq"`
	At      Millis `json:"at"`
}

type recoverAgent struct{ RecoverAgent }

func (*recoverAgent) route() string { return "recover" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *recoverAgent) tokenHash() Hash { return c.TokenSHA256 }

func (c *recoverAgent) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	_, p, err := s.agent("agent", c.Agent)
	if err != nil {
		return err
	}
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	call.add(&agentRecovered{Agent: p.slug, Reason: c.Reason})
	return nil
}

// permitted refuses to give a token to an agent that has one.
func (c *recoverAgent) permitted(s *state, x *secrets, at Millis) error {
	if _, p, ok := s.party(c.Agent); ok && x.usable(s, p, at) > 0 {
		return conflict("agent_has_token", "the agent has a valid token and can issue more itself", "if that token is lost, revoke it first with {revokeToken}")
	}
	return nil
}

func (c *recoverAgent) fields(k *codec) {
	t := tokenFields{hash: c.TokenSHA256, scopes: []Scope{ScopeAll}}
	t.fields(k)
}

// usable counts the valid tokens by which a party can act in the network; the
// plant store is none of that.
func (x *secrets) usable(s *state, p *party, at Millis) (n int) {
	for _, id := range append([]uint64{p.seq}, s.extra(p).tokens...) {
		hash, ok := x.byID.get(id)
		row, _ := x.tokens.get(hash)
		if ok && (row.expires == 0 || at < row.expires) && !slices.Equal(row.scopes, []Scope{ScopePlants}) {
			n++
		}
	}
	return n
}

// agentRecovered records that an operator let an agent in again, and why; the
// hash of the token stands in the private part.
type agentRecovered struct {
	Agent  string
	Reason string
}

func (*agentRecovered) kind() Kind { return "agent.recovered" }

func (f *agentRecovered) asked(*hindsight) (command, error) {
	return &recoverAgent{RecoverAgent{Agent: f.Agent, Reason: f.Reason}}, nil
}

func (f *agentRecovered) fields(c *codec) {
	str(c, "agent", &f.Agent)
	str(c, "reason", &f.Reason)
}

func (f *agentRecovered) apply(s *state, e *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		x := s.changeExtra(i)
		x.tokens = append(x.tokens, e.Seq)
		s.notify(i, e.Seq, noticeRecovered)
	}
}

func (f *agentRecovered) applySecret(x *secrets, e *Entry, p *private) { x.grant(f.Agent, e, p) }

// RecoverAgent gives an agent without a valid token the one whose hash it
// names. The same call again gives the same receipt.
func (n *Network) RecoverAgent(ctx context.Context, by Caller, in RecoverAgent) (RecoveryReceipt, error) {
	if in.TokenSHA256 == (Hash{}) {
		return RecoveryReceipt{}, invalid("token_sha256", "hash_missing", "is required", "the agent makes 32 random bytes and sends their SHA-256")
	}
	c := &recoverAgent{in}
	r, err := run(ctx, n, by, c, c, in.receipt)
	if errors.Is(err, ErrConflict) {
		if e, ok := n.recovered(ctx, in); ok {
			return in.receipt(e), nil
		}
	}
	return r, err
}

func (in *RecoverAgent) receipt(e *Entry) RecoveryReceipt {
	return RecoveryReceipt{Agent: in.Agent, TokenID: e.Seq, Seq: e.Seq, At: e.At}
}

// recovered finds the entry of a recovery whose receipt was lost.
func (n *Network) recovered(ctx context.Context, in RecoverAgent) (*Entry, bool) {
	n.mu.RLock()
	row, known := n.secrets.tokens.get(in.TokenSHA256)
	n.mu.RUnlock()
	if !known || row.owner != in.Agent {
		return nil, false
	}
	e, err := n.Entry(ctx, row.id)
	if err != nil {
		return nil, false
	}
	_, ok := e.Fact.(*agentRecovered)
	return e, ok
}
