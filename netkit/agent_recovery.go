package netkit

// RecoverAgent gives an agent that has no token left a new one. Only an
// operator may. The agent makes the token and hands over only its hash, so
// that the operator cannot act for it.
type RecoverAgent struct {
	Agent       string `json:"agent"`
	TokenSHA256 Hash   `json:"token_sha256" doc:"SHA-256 of the 32 bytes of a token that the agent made itself, in hexadecimal"`
	Reason      string `json:"reason" doc:"why, for everybody to read; 1 to 280 characters" minLength:"1" maxLength:"280"`
}

// RecoveryReceipt is the receipt of a recovery.
type RecoveryReceipt struct {
	Agent   string `json:"agent"`
	TokenID uint64 `json:"token_id" doc:"of the agent's new token"`
	Seq     uint64 `json:"seq"`
	At      Millis `json:"at"`
}
