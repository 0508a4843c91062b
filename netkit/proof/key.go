package proof

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
)

// seedSize is the length of a private key's text before encoding: one byte that
// names the algorithm, and the seed.
const seedSize = 1 + ed25519.SeedSize

// NewKey makes an Ed25519 key in the text forms of c2sp.org/signed-note: the
// private one, to be kept secret, and the one by which others verify. The name
// becomes part of both; a network's is its origin.
func NewKey(random io.Reader, name string) (private, public string, err error) {
	if err := checkName(name); err != nil {
		return "", "", err
	}
	return note.GenerateKey(random, name)
}

// checkName refuses what no signature line can carry.
func checkName(name string) error {
	if name == "" || strings.ContainsAny(name, "+ \t\r\n") {
		return fmt.Errorf("proof: %q cannot name a key: it must not be empty or hold spaces or a plus sign", name)
	}
	return nil
}

// PublicKey returns the text by which others verify what a private key signs.
func PublicKey(private string) (string, error) {
	if _, err := note.NewSigner(private); err != nil {
		return "", fmt.Errorf("proof: this is not a private key: %w", err)
	}
	name, seed, err := seedOf(private)
	if err != nil {
		return "", err
	}
	return note.NewEd25519VerifierKey(name, seed.Public().(ed25519.PublicKey))
}

// NewCosigner makes the signer of a witness from a private key. Cosignatures
// are of an algorithm of their own, so the witness's public key is the String
// of the signer's Verifier, and never that of [PublicKey]. They carry the time
// of this machine's clock, which the library reads by itself.
func NewCosigner(private string) (*torchwood.CosignatureSigner, error) {
	if _, err := note.NewSigner(private); err != nil {
		return nil, fmt.Errorf("proof: this is not a private key: %w", err)
	}
	name, key, err := seedOf(private)
	if err != nil {
		return nil, err
	}
	return torchwood.NewCosignatureSigner(name, key)
}

// seedOf takes a private key apart that note has found to be well formed.
func seedOf(private string) (name string, key ed25519.PrivateKey, err error) {
	parts := strings.SplitN(private, "+", 5) // PRIVATE, KEY, name, hash, seed
	if len(parts) != 5 {
		return "", nil, errors.New("proof: this is not a private key")
	}
	seed, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(seed) != seedSize {
		return "", nil, errors.New("proof: this is not a private key")
	}
	return parts[2], ed25519.NewKeyFromSeed(seed[1:]), nil
}
