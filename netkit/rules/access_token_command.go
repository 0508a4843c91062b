package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// maxTokens is how many tokens a party may hold at a time.
const maxTokens = 100

type IssueToken struct {
	netkit.IssueToken
	Hash   netkit.Hash `json:"-"`
	Parent *TokenRow   `json:"-"` // the token that acts, nil in process; its scopes never change
}

func (*IssueToken) Route() string { return "token" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *IssueToken) tokenHash() netkit.Hash { return c.Hash }

func (c *IssueToken) Decide(s *State, call *Call) error {
	_, p, err := call.Actor(s)
	if err != nil {
		return err
	}
	if err := c.check(call.At); err != nil {
		return err
	}
	if err := c.within(p); err != nil {
		return err
	}
	owner, err := c.owner(s, p)
	if err != nil {
		return err
	}
	if len(s.extra(owner).tokens) >= maxTokens {
		return conflict(code.TooManyTokens, "the party holds 100 tokens", "revoke one first with {revokeToken}")
	}
	call.Add(&TokenIssued{owner.Slug})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (c *IssueToken) Receipt(e *Entry) netkit.TokenReceipt {
	return netkit.TokenReceipt{TokenID: e.Seq, Scopes: c.Scopes, ExpiresAt: c.ExpiresAt, SpendCap: c.SpendCap, Seq: e.Seq, At: e.At}
}

// check looks at the request alone.
func (c *IssueToken) check(at netkit.Millis) error {
	if len(c.Scopes) == 0 {
		return netkit.Invalid("scopes", code.ScopesMissing, "must name at least one scope", "")
	}
	known := netkit.Scopes()
	for i, sc := range c.Scopes {
		if !slices.Contains(known, sc) {
			return netkit.Invalid("scopes", code.ScopeUnknown, "names an unknown scope", "use *, read, feed, intent, send, self, market, review, btdt, plants or admin")
		}
		if slices.Contains(c.Scopes[:i], sc) {
			return netkit.Invalid("scopes", code.ScopeTwice, "names a scope twice", "")
		}
	}
	if c.ExpiresAt != 0 && c.ExpiresAt <= at {
		return netkit.Invalid("expires_at", code.TimePast, "is not in the future", "")
	}
	if c.SpendCap == nil {
		return nil
	}
	return checkCap("spend_cap", *c.SpendCap)
}

// within refuses what goes beyond the token that acts.
func (c *IssueToken) within(p *Party) error {
	if p.Kind != netkit.OperatorParty && (slices.Contains(c.Scopes, netkit.ScopeAdmin) || slices.Contains(c.Scopes, netkit.ScopePlants)) {
		return netkit.Forbidden("", code.ScopeOperator, "scopes admin and plants are issued by operators", "ask an operator of this network")
	}
	if c.Parent == nil {
		return nil
	}
	if c.Parent.Limit.Set {
		return netkit.Forbidden("", code.TokenCapped, "a token with a spend cap issues none", "use a token without one")
	}
	for _, sc := range c.Scopes {
		if !slices.Contains(c.Parent.Scopes, netkit.ScopeAll) && !slices.Contains(c.Parent.Scopes, sc) {
			return netkit.Forbidden("", code.ScopeBroader, "your token lacks a scope that the new one would have", "use a token with all the scopes that you issue")
		}
	}
	if c.Parent.Expires != 0 && (c.ExpiresAt == 0 || c.ExpiresAt > netkit.Millis(c.Parent.Expires)) {
		return netkit.Forbidden("", code.ExpiryLater, "your token expires before the new one would", "name an earlier expires_at")
	}
	return nil
}

// owner returns whose token it will be. An operator gives others tokens, but
// an agent nothing beyond the plant store: a token that acts for an agent
// could witness, vote and spend in its name. What acts for another operator
// would put that one's name on entries that are not its own (L6).
func (c *IssueToken) owner(s *State, p *Party) (*Party, error) {
	if c.For == "" || c.For == p.Slug {
		return p, nil
	}
	if p.Kind != netkit.OperatorParty {
		return nil, netkit.Forbidden("", code.OperatorsOnly, "only an operator issues tokens for others", "leave for out")
	}
	_, owner, ok := s.party(c.For)
	if !ok {
		return nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.PartyUnknown, Field: "for", What: "names no party of this network", Next: "admit a sponsor with {admitSponsor}"}
	}
	if owner.Kind == netkit.OperatorParty {
		return nil, netkit.Forbidden("L6", code.OperatorToken, "an operator alone issues tokens that act for it", "make another operator instead")
	}
	if owner.Kind == netkit.AgentParty && !slices.Equal(c.Scopes, []netkit.Scope{netkit.ScopePlants}) {
		return nil, netkit.Forbidden("L7", code.AgentToken, "an agent alone issues tokens that act for it; an operator may give it scope plants only", "")
	}
	return owner, nil
}

func (c *IssueToken) Fields(k *wire.Codec) {
	t := access.Grant[netkit.Scope]{Hash: c.Hash, Scopes: c.Scopes, Expires: int64(c.ExpiresAt), Limit: CapOf(c.SpendCap)}
	t.Fields(k)
}

// TokenIssued records that a party got a token; what it may do stands in the
// private part.
type TokenIssued struct{ Owner string }

func (*TokenIssued) Kind() netkit.Kind { return netkit.KindTokenIssued }

func (f *TokenIssued) CommandOf(h *PastView) (Command, error) {
	c := &IssueToken{IssueToken: netkit.IssueToken{For: f.Owner, Scopes: []netkit.Scope{netkit.ScopeRead}}}
	if f.Owner != h.E.Actor {
		c.Scopes[0] = netkit.ScopePlants // all that every other party may be given
	}
	return c, nil
}

func (f *TokenIssued) Fields(c *wire.Codec) { wire.Str(c, "owner", &f.Owner) }

func (f *TokenIssued) Apply(s *State, e *Entry) {
	if i, _, ok := s.party(f.Owner); ok {
		x := s.changeExtra(i)
		x.tokens = append(x.tokens, e.Seq)
	}
}

func (f *TokenIssued) applySecret(x *Secrets, e *Entry, p *Private) { x.Grant(f.Owner, e, p) }
