package audio

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// KeySize is the length of a signing key in bytes.
const KeySize = 32

var (
	// ErrSignature is an address that was not signed here, or altered since.
	ErrSignature = errors.New("audio: address is not validly signed; take a fresh one from the manifest")
	// ErrExpired is an address past its time.
	ErrExpired = errors.New("audio: address has expired; take a fresh one from the manifest")
)

// Signer makes and checks addresses that open one path until a given second.
type Signer struct{ key []byte }

// NewSigner takes a secret key of KeySize random bytes, of which it keeps a copy.
// Whoever holds it can open every recording.
func NewSigner(key []byte) (*Signer, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("audio: signing key has %d bytes, want %d", len(key), KeySize)
	}
	return &Signer{slices.Clone(key)}, nil
}

// Sign returns the query (exp and sig) that opens path until expires, in whole
// seconds. The signature is in hexadecimal, which no search for secret keys
// takes for one.
func (s *Signer) Sign(path string, expires time.Time) string {
	exp := strconv.FormatInt(expires.Unix(), 10)
	return url.Values{"exp": {exp}, "sig": {hex.EncodeToString(s.mac(path, exp))}}.Encode()
}

// Verify checks the query that came with path. The signature is compared in
// constant time and before the expiry, so that a forger learns nothing.
func (s *Signer) Verify(path string, query url.Values, now time.Time) error {
	exp, sig := query["exp"], query["sig"]
	if len(exp) != 1 || len(sig) != 1 {
		return ErrSignature
	}
	got, err := hex.DecodeString(sig[0])
	if err != nil { // an address of an earlier release
		got, err = base64.RawURLEncoding.DecodeString(sig[0])
	}
	if err != nil || !hmac.Equal(got, s.mac(path, exp[0])) {
		return ErrSignature
	}
	until, err := strconv.ParseInt(exp[0], 10, 64)
	if err != nil {
		return ErrSignature
	}
	if now.Unix() >= until {
		return ErrExpired
	}
	return nil
}

// mac binds purpose, time and path; exp holds digits only, so that the parts
// cannot run into each other.
func (s *Signer) mac(path, exp string) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte("netctl audio address 1\n" + exp + "\n" + path))
	return h.Sum(nil)
}
