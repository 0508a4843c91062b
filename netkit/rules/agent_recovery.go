package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type RecoverAgent struct{ netkit.RecoverAgent }

func (*RecoverAgent) Route() string { return "recover" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *RecoverAgent) tokenHash() netkit.Hash { return c.TokenSHA256 }

func (c *RecoverAgent) Decide(s *State, call *Call) error {
	p, err := call.operatorOn(s, c.Agent)
	if err != nil {
		return err
	}
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	call.Add(&AgentRecovered{Agent: p.Slug, Reason: c.Reason})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (c *RecoverAgent) Receipt(e *Entry) netkit.RecoveryReceipt {
	return netkit.RecoveryReceipt{Agent: c.Agent, TokenID: e.Seq, Seq: e.Seq, At: e.At}
}

// Permitted refuses to give a token to an agent that has one.
func (c *RecoverAgent) Permitted(s *State, x *Secrets, at netkit.Millis) error {
	if _, p, ok := s.party(c.Agent); ok && x.Usable(s, p, at) > 0 {
		return conflict(code.AgentHasToken, "the agent has a valid token and can issue more itself", "if that token is lost, revoke it first with {revokeToken}")
	}
	return nil
}

func (c *RecoverAgent) Fields(k *wire.Codec) {
	t := access.Grant[netkit.Scope]{Hash: c.TokenSHA256, Scopes: []netkit.Scope{netkit.ScopeAll}}
	t.Fields(k)
}

// Usable counts the valid tokens by which a party can act in the network; the
// plant store is none of that.
func (x *Secrets) Usable(s *State, p *Party, at netkit.Millis) (n int) {
	for _, id := range append([]uint64{p.Seq}, s.extra(p).tokens...) {
		row, ok := x.Tokens.ByID(id)
		if ok && (row.Expires == 0 || at < netkit.Millis(row.Expires)) && !slices.Equal(row.Scopes, []netkit.Scope{netkit.ScopePlants}) {
			n++
		}
	}
	return n
}

// AgentRecovered records that an operator let an agent in again, and why; the
// hash of the token stands in the private part.
type AgentRecovered struct {
	Agent  string
	Reason string
}

func (*AgentRecovered) Kind() netkit.Kind { return netkit.KindAgentRecovered }

func (f *AgentRecovered) CommandOf(*PastView) (Command, error) {
	return &RecoverAgent{netkit.RecoverAgent{Agent: f.Agent, Reason: f.Reason}}, nil
}

func (f *AgentRecovered) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "reason", &f.Reason)
}

func (f *AgentRecovered) Apply(s *State, e *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		x := s.changeExtra(i)
		x.tokens = append(x.tokens, e.Seq)
		s.notify(i, e.Seq, noticeRecovered)
	}
}

func (f *AgentRecovered) applySecret(x *Secrets, e *Entry, p *Private) { x.Grant(f.Agent, e, p) }
