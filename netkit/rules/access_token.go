package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// CapOf returns the cap that a request names, none for nil.
func CapOf(amount *netkit.Credits) access.SpendCap {
	if amount == nil {
		return access.SpendCap{}
	}
	return access.SpendCap{Set: true, Max: int64(*amount)}
}

type AddOperator struct {
	netkit.AddOperator
	Hash   netkit.Hash `json:"-"`
	Parent *TokenRow   `json:"-"` // the token that acts, nil in process
}

func (*AddOperator) Route() string { return "operator" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *AddOperator) tokenHash() netkit.Hash { return c.Hash }

func (c *AddOperator) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if t := c.Parent; t != nil && (!slices.Contains(t.Scopes, netkit.ScopeAll) || t.Expires != 0 || t.Limit.Set) {
		return netkit.Forbidden("", code.ScopeBroader, "a new operator's token would be broader than yours", "use a token with scope * that neither expires nor has a cap")
	}
	if err := s.newSlug("slug", c.Slug); err != nil {
		return err
	}
	call.Add(&OperatorAdded{c.Slug})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*AddOperator) Receipt(e *Entry) netkit.OperatorReceipt {
	return netkit.OperatorReceipt{Slug: e.Fact.(*OperatorAdded).Operator, Seq: e.Seq, At: e.At}
}

func (c *AddOperator) Fields(k *wire.Codec) {
	t := access.Grant[netkit.Scope]{Hash: c.Hash, Scopes: []netkit.Scope{netkit.ScopeAll}}
	t.Fields(k)
}

// OperatorAdded records an operator.
type OperatorAdded struct{ Operator string }

func (*OperatorAdded) Kind() netkit.Kind { return netkit.KindOperatorAdded }

func (f *OperatorAdded) CommandOf(*PastView) (Command, error) {
	return &AddOperator{AddOperator: netkit.AddOperator{Slug: f.Operator}}, nil
}

func (f *OperatorAdded) Fields(c *wire.Codec) { wire.Str(c, "operator", &f.Operator) }

func (f *OperatorAdded) Apply(s *State, e *Entry) {
	s.enrol(Party{Slug: f.Operator, Kind: netkit.OperatorParty, since: e.At, Seq: e.Seq})
}

func (f *OperatorAdded) applySecret(x *Secrets, e *Entry, p *Private) { x.Grant(f.Operator, e, p) }
