// Package didkey writes and reads did:key addresses of Ed25519 keys, which
// wallets are: "did:key:z" and the base58 of the multicodec prefix 0xed01 and the
// 32 bytes of the key. See the did:key method of the W3C Credentials Community
// Group.
package didkey

import (
	"crypto/ed25519"
	"errors"
	"math/big"
	"slices"
	"strings"
)

const prefix = "did:key:z"

// base58 is Bitcoin's alphabet: no 0, O, I or l.
const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// Of returns the address of a public key.
func Of(key ed25519.PublicKey) string {
	x := new(big.Int).SetBytes(append([]byte{0xed, 0x01}, key...))
	radix, digit := big.NewInt(58), new(big.Int)
	var text []byte
	for x.Sign() > 0 {
		x.QuoRem(x, radix, digit)
		text = append(text, base58[digit.Int64()])
	}
	slices.Reverse(text)
	return prefix + string(text)
}

var errMalformed = errors.New("didkey: not the did:key of an Ed25519 key")

// Parse reads what [Of] writes, and nothing else.
func Parse(address string) (ed25519.PublicKey, error) {
	text, ok := strings.CutPrefix(address, prefix)
	if !ok || len(text) > 60 {
		return nil, errMalformed
	}
	x, radix := new(big.Int), big.NewInt(58)
	for i := range len(text) {
		d := strings.IndexByte(base58, text[i])
		if d < 0 {
			return nil, errMalformed
		}
		x.Add(x.Mul(x, radix), big.NewInt(int64(d)))
	}
	b := x.Bytes()
	if len(b) != 2+ed25519.PublicKeySize || b[0] != 0xed || b[1] != 0x01 || Of(b[2:]) != address {
		return nil, errMalformed
	}
	return ed25519.PublicKey(b[2:]), nil
}
