package netkit

import (
	"crypto/ed25519"
	"encoding/base64"
)

// Sign answers the challenge with the key of its address.
func (c WalletChallenge) Sign(key ed25519.PrivateKey) ConfirmWallet {
	return ConfirmWallet{Address: c.Address, Challenge: c.Challenge,
		Signature: base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, []byte(c.Challenge)))}
}
