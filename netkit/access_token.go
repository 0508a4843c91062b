package netkit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
)

// Token is a bearer token: 256 random bits. The network stores its SHA-256
// alone.
type Token [32]byte

// NewToken makes a token from a source of randomness.
func NewToken(rand io.Reader) (Token, error) {
	var t Token
	return t, Fill(t[:], rand)
}

// Fill fills p with random bytes.
func Fill(p []byte, rand io.Reader) error {
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
