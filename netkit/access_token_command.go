package netkit

import (
	"context"
	"errors"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// IssueToken asks for another token. One that was issued with fewer scopes, or
// that expires, can never issue one that may do more or lasts longer; one
// with a spend cap issues none.
type IssueToken struct {
	For       string  `json:"for,omitempty" doc:"another party; operators only"`
	Scopes    []Scope `json:"scopes" doc:"what it may be used for" minItems:"1" uniqueItems:"true"`
	ExpiresAt Millis  `json:"expires_at,omitempty" doc:"default: never"`
	// SpendCap is the most that the token may cost its owner over its life; with
	// 0 it can spend nothing, and nil is not a cap.
	SpendCap    *Credits `json:"spend_cap,omitempty" doc:"most credits that it may cost its owner over its life; 0 lets it spend nothing, absent or null means no cap" minimum:"0" maximum:"10000000000"`
	TokenSHA256 *Hash    `json:"token_sha256,omitempty" doc:"SHA-256 of the 32 bytes of a token that the caller made itself, in hexadecimal; makes the call safe to retry"`
}

// RevokeToken withdraws a token at once. An operator that withdraws the token
// of another party states a reason, which is public; the holder needs none.
type RevokeToken struct {
	TokenID uint64 `json:"token_id"`
	Reason  string `json:"reason,omitempty" doc:"why, for everybody to read; 1 to 280 characters; required of an operator for the token of another party" maxLength:"280"`
}

// TokenReceipt is the receipt of an issued or revoked token.
type TokenReceipt struct {
	TokenID   uint64   `json:"token_id"`
	Token     string   `json:"token,omitempty" doc:"the bearer token, shown this once"`
	Scopes    []Scope  `json:"scopes,omitempty"`
	ExpiresAt Millis   `json:"expires_at,omitempty"`
	SpendCap  *Credits `json:"spend_cap,omitempty" doc:"absent without a cap"`
	// Owner and Last are set for a revoked token.
	Owner string `json:"owner,omitempty" doc:"whose token was revoked"`
	Last  bool   `json:"last,omitempty" doc:"its owner has no valid token left and cannot act; an operator can recover an agent"`
	Seq   uint64 `json:"seq"`
	At    Millis `json:"at"`
}

// TokenInfo describes a token without showing it.
type TokenInfo struct {
	TokenID   uint64   `json:"token_id"`
	Scopes    []Scope  `json:"scopes"`
	ExpiresAt Millis   `json:"expires_at,omitempty"`
	SpendCap  *Credits `json:"spend_cap,omitempty" doc:"absent without a cap"`
	Spent     Credits  `json:"spent" doc:"of the cap; 0 for a token without one"`
}

// maxTokens is how many tokens a party may hold at a time.
const maxTokens = 100

type issueToken struct {
	IssueToken
	hash   Hash
	parent *tokenRow // the token that acts, nil in process; its scopes never change
}

func (*issueToken) route() string { return "token" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *issueToken) tokenHash() Hash { return c.hash }

func (c *issueToken) decide(s *state, call *call) error {
	_, p, err := call.actor(s)
	if err != nil {
		return err
	}
	if err := c.check(call.at); err != nil {
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
	call.add(&TokenIssued{owner.slug})
	return nil
}

// check looks at the request alone.
func (c *issueToken) check(at Millis) error {
	if len(c.Scopes) == 0 {
		return invalid("scopes", code.ScopesMissing, "must name at least one scope", "")
	}
	known := Scopes()
	for i, sc := range c.Scopes {
		if !slices.Contains(known, sc) {
			return invalid("scopes", code.ScopeUnknown, "names an unknown scope", "use *, read, feed, intent, send, self, market, review, btdt, plants or admin")
		}
		if slices.Contains(c.Scopes[:i], sc) {
			return invalid("scopes", code.ScopeTwice, "names a scope twice", "")
		}
	}
	if c.ExpiresAt != 0 && c.ExpiresAt <= at {
		return invalid("expires_at", code.TimePast, "is not in the future", "")
	}
	if c.SpendCap == nil {
		return nil
	}
	return checkCap("spend_cap", *c.SpendCap)
}

// within refuses what goes beyond the token that acts.
func (c *issueToken) within(p *party) error {
	if p.kind != OperatorParty && (slices.Contains(c.Scopes, ScopeAdmin) || slices.Contains(c.Scopes, ScopePlants)) {
		return forbidden("", code.ScopeOperator, "scopes admin and plants are issued by operators", "ask an operator of this network")
	}
	if c.parent == nil {
		return nil
	}
	if c.parent.Limit.Set {
		return forbidden("", code.TokenCapped, "a token with a spend cap issues none", "use a token without one")
	}
	for _, sc := range c.Scopes {
		if !slices.Contains(c.parent.Scopes, ScopeAll) && !slices.Contains(c.parent.Scopes, sc) {
			return forbidden("", code.ScopeBroader, "your token lacks a scope that the new one would have", "use a token with all the scopes that you issue")
		}
	}
	if c.parent.Expires != 0 && (c.ExpiresAt == 0 || c.ExpiresAt > Millis(c.parent.Expires)) {
		return forbidden("", code.ExpiryLater, "your token expires before the new one would", "name an earlier expires_at")
	}
	return nil
}

// owner returns whose token it will be. An operator gives others tokens, but
// an agent nothing beyond the plant store: a token that acts for an agent
// could witness, vote and spend in its name. What acts for another operator
// would put that one's name on entries that are not its own (L6).
func (c *issueToken) owner(s *state, p *party) (*party, error) {
	if c.For == "" || c.For == p.slug {
		return p, nil
	}
	if p.kind != OperatorParty {
		return nil, forbidden("", code.OperatorsOnly, "only an operator issues tokens for others", "leave for out")
	}
	_, owner, ok := s.party(c.For)
	if !ok {
		return nil, &Refusal{Kind: ErrNotFound, Code: code.PartyUnknown, Field: "for", What: "names no party of this network", Next: "admit a sponsor with {admitSponsor}"}
	}
	if owner.kind == OperatorParty {
		return nil, forbidden("L6", code.OperatorToken, "an operator alone issues tokens that act for it", "make another operator instead")
	}
	if owner.kind == AgentParty && !slices.Equal(c.Scopes, []Scope{ScopePlants}) {
		return nil, forbidden("L7", code.AgentToken, "an agent alone issues tokens that act for it; an operator may give it scope plants only", "")
	}
	return owner, nil
}

func (c *issueToken) fields(k *wire.Codec) {
	t := access.Grant[Scope]{Hash: c.hash, Scopes: c.Scopes, Expires: int64(c.ExpiresAt), Limit: capOf(c.SpendCap)}
	t.Fields(k)
}

// TokenIssued records that a party got a token; what it may do stands in the
// private part.
type TokenIssued struct{ Owner string }

func (*TokenIssued) kind() Kind { return KindTokenIssued }

func (f *TokenIssued) asked(h *pastView) (command, error) {
	c := &issueToken{IssueToken: IssueToken{For: f.Owner, Scopes: []Scope{ScopeRead}}}
	if f.Owner != h.e.Actor {
		c.Scopes[0] = ScopePlants // all that every other party may be given
	}
	return c, nil
}

func (f *TokenIssued) fields(c *wire.Codec) { wire.Str(c, "owner", &f.Owner) }

func (f *TokenIssued) apply(s *state, e *Entry) {
	if i, _, ok := s.party(f.Owner); ok {
		x := s.changeExtra(i)
		x.tokens = append(x.tokens, e.Seq)
	}
}

func (f *TokenIssued) applySecret(x *secrets, e *Entry, p *private) { x.grant(f.Owner, e, p) }

// IssueToken gives the caller, or for an operator another party, a token.
//
// Refusals: agent_token, expiry_later, operator_token, party_unknown,
// scope_broader, scope_operator, scope_twice, scope_unknown, scopes_missing,
// token_capped, too_many_tokens.
func (ses *Session) IssueToken(ctx context.Context, in IssueToken) (TokenReceipt, error) {
	c := &issueToken{IssueToken: in, parent: ses.n.tokenRow(ses.by.Token)}
	token, err := ses.n.mint(in.TokenSHA256, &c.hash)
	if err != nil {
		return TokenReceipt{}, err
	}
	receipt := func(e *Entry) TokenReceipt {
		return TokenReceipt{TokenID: e.Seq, Scopes: in.Scopes, ExpiresAt: in.ExpiresAt, SpendCap: in.SpendCap, Seq: e.Seq, At: e.At}
	}
	out, again, err := perform(ctx, ses, c, c, receipt)
	if err == nil && !again {
		out.Token = token
	}
	if errors.Is(err, ErrConflict) && in.TokenSHA256 != nil {
		if id, ok := ses.issued(in); ok {
			e, err := ses.n.Entry(ctx, id)
			if err != nil {
				return TokenReceipt{}, err
			}
			return receipt(e), nil
		}
	}
	return out, err
}

// mint makes a token unless the caller brings the hash of its own, and puts
// the hash into place. The text is "" for a token that the caller knows.
func (n *Network) mint(own *Hash, hash *Hash) (string, error) {
	if own != nil {
		*hash = *own
		return "", nil
	}
	t, err := NewToken(n.rand)
	if err != nil {
		return "", err
	}
	*hash = t.SHA256()
	return t.String(), nil
}

// tokenRow returns a copy of what is known of a token, nil for none.
func (n *Network) tokenRow(id uint64) *tokenRow {
	n.mu.RLock()
	defer n.mu.RUnlock()
	row, ok := n.secrets.Tokens.ByID(id)
	if !ok {
		return nil
	}
	return &row
}

// issued finds the very token that a lost call asked for: to whoever can name
// its hash, its owner and what it may do, the receipt is given again.
func (ses *Session) issued(in IssueToken) (uint64, bool) {
	owner := in.For
	if owner == "" {
		owner = ses.by.Slug
	}
	ses.n.mu.RLock()
	defer ses.n.mu.RUnlock()
	row, ok := ses.n.secrets.Tokens.ByHash(*in.TokenSHA256)
	return row.ID, ok && row.Owner == owner && Millis(row.Expires) == in.ExpiresAt && row.Limit == capOf(in.SpendCap) && slices.Equal(row.Scopes, in.Scopes)
}

type revokeToken struct {
	RevokeToken
	owner string // "" when there is no such token
}

func (*revokeToken) route() string { return "token.revoke" }

func (c *revokeToken) decide(s *state, call *call) error {
	_, p, err := call.actor(s)
	if err != nil {
		return err
	}
	if err := checkText("reason", c.Reason, 0, 280); err != nil {
		return err
	}
	if c.owner == "" || c.owner != p.slug && p.kind != OperatorParty {
		return notFound(code.TokenUnknown, "you have no such token", "{listTokens} lists yours")
	}
	if c.owner != p.slug && s.law.Limits.TokenRevocationReason {
		if err := checkReason(c.Reason); err != nil {
			return err
		}
	}
	call.add(&TokenRevoked{Token: c.TokenID, Owner: c.owner, Reason: c.Reason})
	return nil
}

// TokenRevoked records that a token is worth nothing any more. Reason is "" where
// its holder stated none, and in entries of networks that asked for none.
type TokenRevoked struct {
	Token  uint64
	Owner  string
	Reason string
}

func (*TokenRevoked) kind() Kind { return KindTokenRevoked }

func (f *TokenRevoked) asked(h *pastView) (command, error) {
	c := &revokeToken{RevokeToken: RevokeToken{TokenID: f.Token, Reason: f.Reason}}
	if _, p, ok := h.s.party(f.Owner); ok && (p.seq == f.Token || slices.Contains(h.s.extra(p).tokens, f.Token)) {
		c.owner = f.Owner
	}
	return c, nil
}

func (f *TokenRevoked) fields(c *wire.Codec) {
	wire.Num(c, "token", &f.Token)
	wire.Str(c, "owner", &f.Owner)
	wire.Str(c, "reason", &f.Reason)
}

func (f *TokenRevoked) apply(s *state, _ *Entry) {
	if i, p, ok := s.party(f.Owner); ok {
		left := slices.DeleteFunc(slices.Clone(s.extra(p).tokens), func(id uint64) bool { return id == f.Token })
		s.changeExtra(i).tokens = left
	}
}

func (f *TokenRevoked) applySecret(x *secrets, _ *Entry, _ *private) { x.Tokens.Withdraw(f.Token) }

// RevokeToken withdraws a token of the caller; an operator may withdraw any,
// and states a reason for that of another party.
//
// Refusals: reason_missing, token_unknown.
func (ses *Session) RevokeToken(ctx context.Context, in RevokeToken) (TokenReceipt, error) {
	c := &revokeToken{RevokeToken: in}
	if row := ses.n.tokenRow(in.TokenID); row != nil {
		c.owner = row.Owner
	}
	r, err := run(ctx, ses, c, nil, func(e *Entry) TokenReceipt {
		f := e.Fact.(*TokenRevoked)
		return TokenReceipt{TokenID: f.Token, Owner: f.Owner, Seq: e.Seq, At: e.At}
	})
	if err != nil {
		return r, err
	}
	r.Last, err = view(ctx, ses.n, func(s *state) (bool, error) {
		_, p, ok := s.party(r.Owner)
		return ok && ses.n.secrets.usable(s, p, r.At) == 0, nil
	})
	return r, err
}

// Tokens describes the caller's tokens, oldest first.
func (ses *Session) Tokens(ctx context.Context) ([]TokenInfo, error) {
	return view(ctx, ses.n, func(s *state) ([]TokenInfo, error) {
		_, p, err := s.reader(ses.by)
		if err != nil {
			return nil, err
		}
		out := []TokenInfo{}
		for _, id := range append([]uint64{p.seq}, s.extra(p).tokens...) {
			if row, ok := ses.n.secrets.Tokens.ByID(id); ok {
				out = append(out, TokenInfo{TokenID: id, Scopes: slices.Clone(row.Scopes), ExpiresAt: Millis(row.Expires), SpendCap: capCredits(row.Limit), Spent: Credits(row.Spent)})
			}
		}
		return out, nil
	})
}
