package netkit

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
