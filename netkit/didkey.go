package netkit

import (
	"crypto/ed25519"
	"encoding/base64"
	"math/big"
	"strings"
)

// A wallet address is a did:key of an Ed25519 key: "did:key:z" and the base58
// of the multicodec prefix 0xed01 and the 32 bytes of the key.

const didPrefix = "did:key:z"

// base58 is Bitcoin's alphabet: no 0, O, I or l.
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// DIDKey returns the did:key of a public key.
func DIDKey(key ed25519.PublicKey) string {
	x := new(big.Int).SetBytes(append([]byte{0xed, 0x01}, key...))
	radix, digit := big.NewInt(58), new(big.Int)
	var text []byte
	for x.Sign() > 0 {
		x.QuoRem(x, radix, digit)
		text = append(text, base58[digit.Int64()])
	}
	for i, j := 0, len(text)-1; i < j; i, j = i+1, j-1 {
		text[i], text[j] = text[j], text[i]
	}
	return didPrefix + string(text)
}

// ParseDIDKey reads what [DIDKey] writes, and nothing else.
func ParseDIDKey(s string) (ed25519.PublicKey, error) {
	wrong := invalid("address", "address_malformed", "is not the did:key of an Ed25519 key", "it begins with did:key:z6Mk")
	text, ok := strings.CutPrefix(s, didPrefix)
	if !ok || len(text) > 60 {
		return nil, wrong
	}
	x, radix := new(big.Int), big.NewInt(58)
	for i := range len(text) {
		d := strings.IndexByte(base58, text[i])
		if d < 0 {
			return nil, wrong
		}
		x.Add(x.Mul(x, radix), big.NewInt(int64(d)))
	}
	b := x.Bytes()
	if len(b) != 2+ed25519.PublicKeySize || b[0] != 0xed || b[1] != 0x01 || DIDKey(b[2:]) != s {
		return nil, wrong
	}
	return ed25519.PublicKey(b[2:]), nil
}

// SignChallenge signs a wallet challenge with the key of the address, in the
// form that [ConfirmWallet] takes.
func SignChallenge(key ed25519.PrivateKey, challenge string) string {
	return base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, []byte(challenge)))
}

// signed reports whether signature is one of challenge by the address's key.
func signed(address, challenge, signature string) error {
	key, err := ParseDIDKey(address)
	if err != nil {
		return err
	}
	sig, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(signature, "="))
	if err != nil || len(sig) != ed25519.SignatureSize {
		return invalid("signature", "signature_malformed", "is not base64url of 64 bytes", "sign the bytes of the challenge with Ed25519")
	}
	if !ed25519.Verify(key, []byte(challenge), sig) {
		return invalid("signature", "signature_wrong", "is not the address's signature of the challenge", "sign the bytes of the challenge as they came with the key of the address")
	}
	return nil
}
