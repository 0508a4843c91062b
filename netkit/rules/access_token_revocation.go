package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type RevokeToken struct {
	netkit.RevokeToken
	Owner string `json:"-"` // "" when there is no such token
}

func (*RevokeToken) Route() string { return "token.revoke" }

func (c *RevokeToken) Decide(s *State, call *Call) error {
	_, p, err := call.Actor(s)
	if err != nil {
		return err
	}
	if err := netkit.CheckText("reason", c.Reason, 0, 280); err != nil {
		return err
	}
	if c.Owner == "" || c.Owner != p.Slug && p.Kind != netkit.OperatorParty {
		return NotFound(code.TokenUnknown, "you have no such token", "{listTokens} lists yours")
	}
	if c.Owner != p.Slug && s.law.Limits.TokenRevocationReason {
		if err := checkReason(c.Reason); err != nil {
			return err
		}
	}
	call.Add(&TokenRevoked{Token: c.TokenID, Owner: c.Owner, Reason: c.Reason})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*RevokeToken) Receipt(e *Entry) netkit.TokenReceipt {
	f := e.Fact.(*TokenRevoked)
	return netkit.TokenReceipt{TokenID: f.Token, Owner: f.Owner, Seq: e.Seq, At: e.At}
}

// TokenRevoked records that a token is worth nothing any more. Reason is "" where
// its holder stated none, and in entries of networks that asked for none.
type TokenRevoked struct {
	Token  uint64
	Owner  string
	Reason string
}

func (*TokenRevoked) Kind() netkit.Kind { return netkit.KindTokenRevoked }

func (f *TokenRevoked) CommandOf(h *PastView) (Command, error) {
	c := &RevokeToken{RevokeToken: netkit.RevokeToken{TokenID: f.Token, Reason: f.Reason}}
	if _, p, ok := h.S.party(f.Owner); ok && (p.Seq == f.Token || slices.Contains(h.S.extra(p).tokens, f.Token)) {
		c.Owner = f.Owner
	}
	return c, nil
}

func (f *TokenRevoked) Fields(c *wire.Codec) {
	wire.Num(c, "token", &f.Token)
	wire.Str(c, "owner", &f.Owner)
	wire.Str(c, "reason", &f.Reason)
}

func (f *TokenRevoked) Apply(s *State, _ *Entry) {
	if i, p, ok := s.party(f.Owner); ok {
		left := slices.DeleteFunc(slices.Clone(s.extra(p).tokens), func(id uint64) bool { return id == f.Token })
		s.changeExtra(i).tokens = left
	}
}

func (f *TokenRevoked) applySecret(x *Secrets, _ *Entry, _ *Private) { x.Tokens.Withdraw(f.Token) }

// LockedOut reports whether a party has no valid token left.
func (s *State) LockedOut(x *Secrets, slug string, at netkit.Millis) bool {
	_, p, ok := s.party(slug)
	return ok && x.Usable(s, p, at) == 0
}

// TokensOf describes a caller's tokens, oldest first.
func (s *State) TokensOf(x *Secrets, by netkit.Caller) ([]netkit.TokenInfo, error) {
	_, p, err := s.reader(by)
	if err != nil {
		return nil, err
	}
	out := []netkit.TokenInfo{}
	for _, id := range append([]uint64{p.Seq}, s.extra(p).tokens...) {
		if row, ok := x.Tokens.ByID(id); ok {
			out = append(out, netkit.TokenInfo{TokenID: id, Scopes: slices.Clone(row.Scopes), ExpiresAt: netkit.Millis(row.Expires), SpendCap: capCredits(row.Limit), Spent: netkit.Credits(row.Spent)})
		}
	}
	return out, nil
}

// capCredits is the inverse of [CapOf].
func capCredits(s access.SpendCap) *netkit.Credits {
	if !s.Set {
		return nil
	}
	amount := netkit.Credits(s.Max)
	return &amount
}
