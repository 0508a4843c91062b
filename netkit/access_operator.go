package netkit

import (
	"context"
	"errors"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// AddOperator makes another operator. Only an operator may.
type AddOperator struct {
	Slug        string `json:"slug" doc:"3 to 40 of a-z, 0-9 and -, never used again" minLength:"3" maxLength:"40" pattern:"^[a-z0-9][a-z0-9-]*[a-z0-9]$"`
	TokenSHA256 *Hash  `json:"token_sha256,omitempty" doc:"SHA-256 of the 32 bytes of a token that the caller made itself, in hexadecimal; makes the call safe to retry"`
}

// OperatorReceipt is the receipt of a new operator.
type OperatorReceipt struct {
	Slug  string `json:"slug"`
	Token string `json:"token,omitempty" doc:"the bearer token, shown this once; absent when the caller sent token_sha256"`
	Seq   uint64 `json:"seq"`
	At    Millis `json:"at"`
}

type addOperator struct {
	AddOperator
	hash   Hash
	parent *tokenRow // the token that acts, nil in process
}

func (*addOperator) route() string { return "operator" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *addOperator) tokenHash() Hash { return c.hash }

func (c *addOperator) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if t := c.parent; t != nil && (!slices.Contains(t.Scopes, ScopeAll) || t.Expires != 0 || t.Limit.Set) {
		return forbidden("", code.ScopeBroader, "a new operator's token would be broader than yours", "use a token with scope * that neither expires nor has a cap")
	}
	if err := s.newSlug("slug", c.Slug); err != nil {
		return err
	}
	call.add(&OperatorAdded{c.Slug})
	return nil
}

func (c *addOperator) fields(k *wire.Codec) {
	t := access.Grant[Scope]{Hash: c.hash, Scopes: []Scope{ScopeAll}}
	t.Fields(k)
}

// OperatorAdded records an operator.
type OperatorAdded struct{ Operator string }

func (*OperatorAdded) kind() Kind { return KindOperatorAdded }

func (f *OperatorAdded) asked(*pastView) (command, error) {
	return &addOperator{AddOperator: AddOperator{Slug: f.Operator}}, nil
}

func (f *OperatorAdded) fields(c *wire.Codec) { wire.Str(c, "operator", &f.Operator) }

func (f *OperatorAdded) apply(s *state, e *Entry) {
	s.enrol(party{slug: f.Operator, kind: OperatorParty, since: e.At, seq: e.Seq})
}

func (f *OperatorAdded) applySecret(x *secrets, e *Entry, p *private) { x.grant(f.Operator, e, p) }

// AddOperator makes another operator with a token of its own.
func (n *Network) AddOperator(ctx context.Context, by Caller, in AddOperator) (OperatorReceipt, error) {
	c := &addOperator{AddOperator: in, parent: n.tokenRow(by.Token)}
	token, err := n.mint(in.TokenSHA256, &c.hash)
	if err != nil {
		return OperatorReceipt{}, err
	}
	receipt := func(e *Entry) OperatorReceipt {
		return OperatorReceipt{Slug: e.Fact.(*OperatorAdded).Operator, Seq: e.Seq, At: e.At}
	}
	out, again, err := perform(ctx, n, by, c, c, receipt)
	if err == nil && !again {
		out.Token = token
	}
	if errors.Is(err, ErrConflict) && in.TokenSHA256 != nil {
		if e, ok := n.regrant(ctx, in.Slug, *in.TokenSHA256); ok {
			return receipt(e), nil
		}
	}
	return out, err
}

// regrant returns the entry that made a party to whoever can name the hash of
// the token that it was made with: its receipt was lost on the way.
func (n *Network) regrant(ctx context.Context, slug string, hash Hash) (*Entry, bool) {
	n.mu.RLock()
	row, known := n.secrets.Tokens.ByHash(hash)
	_, p, exists := n.state.party(slug)
	same := known && exists && row.Owner == slug && row.ID == p.seq
	n.mu.RUnlock()
	if !same {
		return nil, false
	}
	e, err := n.Entry(ctx, row.ID)
	return e, err == nil
}
