package rules

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/didkey"
)

// ParseAddress reads the key of an address.
func ParseAddress(address string) (ed25519.PublicKey, error) {
	key, err := didkey.Parse(address)
	if err != nil {
		return nil, netkit.Invalid("address", code.AddressMalformed, "is not the did:key of an Ed25519 key", "it begins with did:key:z6Mk")
	}
	return key, nil
}

// Signed reports whether signature is one of challenge by the address's key.
func Signed(address, challenge, signature string) error {
	key, err := ParseAddress(address)
	if err != nil {
		return err
	}
	sig, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(signature, "="))
	if err != nil || len(sig) != ed25519.SignatureSize {
		return netkit.Invalid("signature", code.SignatureMalformed, "is not base64url of 64 bytes", "sign the bytes of the challenge with Ed25519")
	}
	if !ed25519.Verify(key, []byte(challenge), sig) {
		return netkit.Invalid("signature", code.SignatureWrong, "is not the address's signature of the challenge", "sign the bytes of the challenge as they came with the key of the address")
	}
	return nil
}
