package netkit

// DeclareWallet declares the caller's wallet address. A new one starts again:
// the old confirmation is gone.
type DeclareWallet struct {
	Address string `json:"address" doc:"did:key of an Ed25519 key"`
}

// WalletChallenge is what the key of a declared address has to sign.
type WalletChallenge struct {
	Address   string `json:"address"`
	Challenge string `json:"challenge" doc:"sign these bytes"`
	ExpiresAt Millis `json:"expires_at"`
	Seq       uint64 `json:"seq"`
	At        Millis `json:"at"`
}

// ConfirmWallet proves control of a declared address.
type ConfirmWallet struct {
	Address   string `json:"address"`
	Challenge string `json:"challenge" doc:"as it came"`
	Signature string `json:"signature" doc:"base64url of the Ed25519 signature of the challenge's bytes"`
}

// WalletReceipt is the receipt of a confirmed address.
type WalletReceipt struct {
	Address   string `json:"address"`
	Confirmed bool   `json:"confirmed"`
	Seq       uint64 `json:"seq"`
	At        Millis `json:"at"`
}
