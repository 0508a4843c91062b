package vault

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"strings"
)

// hidden stands for a key wherever one is printed.
const hidden = "[hidden]"

// Secret is a key. However it is printed, logged or encoded, it shows a mark in
// the key's place; only Reveal gives the key.
type Secret struct{ text *string } // fmt follows no pointer inside of a struct

// NewSecret makes a secret of a text, without the white space around it.
func NewSecret(text string) Secret {
	text = strings.TrimSpace(text)
	return Secret{&text}
}

// Reveal returns the key: for the request that it authorizes, and nothing else.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Format implements fmt.Formatter for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// String returns a mark.
func (Secret) String() string { return hidden }

// MarshalText returns a mark.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// NewSigning makes a signing key from a source of randomness: Ed25519, in PEM
// (PKCS #8).
func NewSigning(random io.Reader) (Secret, ed25519.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(random)
	if err != nil {
		return Secret{}, nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return Secret{}, nil, err
	}
	return NewSecret(string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))), public, nil
}

// SigningKey reads what NewSigning made.
func (s Secret) SigningKey() (ed25519.PrivateKey, error) {
	block, _ := pem.Decode([]byte(s.Reveal()))
	if block == nil {
		return nil, ErrForm
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if private, ok := key.(ed25519.PrivateKey); ok && err == nil {
		return private, nil
	}
	return nil, ErrForm
}
