package netkit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Token is a bearer token: 256 random bits. The network stores its SHA-256
// alone.
type Token [32]byte

// NewToken makes a token from a source of randomness.
func NewToken(rand io.Reader) (Token, error) {
	var t Token
	return t, fill(t[:], rand)
}

// fill fills p with random bytes.
func fill(p []byte, rand io.Reader) error {
	if _, err := io.ReadFull(rand, p); err != nil {
		return fmt.Errorf("netkit: no randomness: %w", err)
	}
	return nil
}

const tokenPrefix = "nk_"

// String returns the token as it is sent: "nk_" and 64 hexadecimal digits.
func (t Token) String() string { return tokenPrefix + hex.EncodeToString(t[:]) }

// SHA256 returns the hash by which the network knows the token.
func (t Token) SHA256() Hash { return sha256.Sum256(t[:]) }

// ParseToken reads what [Token.String] writes.
func ParseToken(s string) (Token, error) {
	var t Token
	if len(s) != len(tokenPrefix)+2*len(t) || s[:len(tokenPrefix)] != tokenPrefix {
		return t, fmt.Errorf("netkit: not a token: want %q and 64 hexadecimal digits", tokenPrefix)
	}
	if _, err := hex.Decode(t[:], []byte(s[len(tokenPrefix):])); err != nil {
		return t, fmt.Errorf("netkit: not a token: want %q and 64 hexadecimal digits", tokenPrefix)
	}
	return t, nil
}

// Hash is a SHA-256 in hexadecimal.
type Hash [32]byte

// String returns 64 hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText writes 64 hexadecimal digits.
func (h Hash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText reads 64 hexadecimal digits.
func (h *Hash) UnmarshalText(b []byte) error {
	if len(b) != 2*len(h) {
		return fmt.Errorf("netkit: must be a SHA-256 in 64 hexadecimal digits")
	}
	if _, err := hex.Decode(h[:], b); err != nil {
		return fmt.Errorf("netkit: must be a SHA-256 in 64 hexadecimal digits")
	}
	return nil
}

// Scope says what a token may be used for. A route that is not covered by a
// scope of the token is refused.
type Scope string

// The scopes.
const (
	ScopeAll    Scope = "*"      // whatever its owner may do
	ScopeRead   Scope = "read"   // views that need a token
	ScopeFeed   Scope = "feed"   // paid reads of the feed, publishing
	ScopeIntent Scope = "intent" // executing contracts
	ScopeSend   Scope = "send"   // attention requests, sent and answered
	ScopeSelf   Scope = "self"   // claims, channels, wallet, tokens, webhook
	ScopeMarket Scope = "market" // a sponsor's contracts
	ScopeReview Scope = "review" // reports, verdicts, witnessing
	ScopeBTDT   Scope = "btdt"   // playbook inventory
	ScopePlants Scope = "plants" // the plant store
	ScopeAdmin  Scope = "admin"  // what operators do
)

// Scopes lists all scopes.
func Scopes() []Scope {
	return []Scope{ScopeAll, ScopeRead, ScopeFeed, ScopeIntent, ScopeSend, ScopeSelf, ScopeMarket, ScopeReview, ScopeBTDT, ScopePlants, ScopeAdmin}
}

// Principal is who a token stands for.
type Principal struct {
	Slug    string
	Kind    PartyKind
	Token   uint64  // id of the token: the sequence number of its entry
	Scopes  []Scope // shared with the network: read it, never change it
	Expires Millis  // 0 is never
}

// Allows reports whether the token covers a scope. ScopeAll is all that its
// owner may do: administration is an operator's, and the plant store is for
// those to whom an operator gave its scope by name.
func (p *Principal) Allows(want Scope) bool {
	if p.Kind != OperatorParty && (want == ScopeAdmin || want == ScopePlants) {
		return want == ScopePlants && slices.Contains(p.Scopes, ScopePlants)
	}
	return slices.Contains(p.Scopes, ScopeAll) || slices.Contains(p.Scopes, want)
}

// Authenticate returns who a token stands for. It waits for nothing: a token
// is known once its entry was decided, and whatever it is used for becomes
// durable after that entry.
func (n *Network) Authenticate(token string) (*Principal, error) {
	unknown := refuse(ErrUnauthenticated, code.TokenUnknown, "the token is unknown, expired or revoked", "use a current one; an operator gives an agent another with {recoverAgent}")
	t, err := ParseToken(token)
	if err != nil {
		return nil, unknown
	}
	hash := t.SHA256()
	now := Millis(n.clock.Latest())
	n.mu.RLock()
	defer n.mu.RUnlock()
	row, ok := n.secrets.Tokens.ByHash(hash)
	if !ok || row.Expires != 0 && max(now, n.state.root.at) >= Millis(row.Expires) {
		return nil, unknown
	}
	_, p, ok := n.state.party(row.Owner)
	if !ok {
		return nil, unknown
	}
	return &Principal{Slug: row.Owner, Kind: p.kind, Token: row.ID, Scopes: row.Scopes, Expires: Millis(row.Expires)}, nil
}

func tokenText(hash [32]byte, scopes []Scope, expires Millis) []byte {
	t := access.Grant[Scope]{Hash: hash, Scopes: scopes, Expires: int64(expires)}
	var c wire.Codec
	c.Begin()
	t.Fields(&c)
	c.End()
	return c.Bytes()
}

// capOf returns the cap that a request names, none for nil.
func capOf(amount *Credits) access.SpendCap {
	if amount == nil {
		return access.SpendCap{}
	}
	return access.SpendCap{Set: true, Max: int64(*amount)}
}

// capCredits is the inverse of capOf.
func capCredits(s access.SpendCap) *Credits {
	if !s.Set {
		return nil
	}
	amount := Credits(s.Max)
	return &amount
}

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
//
// Refusals: scope_broader, slug_malformed, slug_reserved, slug_taken.
func (ses *Session) AddOperator(ctx context.Context, in AddOperator) (OperatorReceipt, error) {
	c := &addOperator{AddOperator: in, parent: ses.n.tokenRow(ses.by.Token)}
	token, err := ses.n.mint(in.TokenSHA256, &c.hash)
	if err != nil {
		return OperatorReceipt{}, err
	}
	receipt := func(e *Entry) OperatorReceipt {
		return OperatorReceipt{Slug: e.Fact.(*OperatorAdded).Operator, Seq: e.Seq, At: e.At}
	}
	out, again, err := perform(ctx, ses, c, c, receipt)
	if err == nil && !again {
		out.Token = token
	}
	if errors.Is(err, ErrConflict) && in.TokenSHA256 != nil {
		if e, ok := ses.n.regrant(ctx, in.Slug, *in.TokenSHA256); ok {
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
