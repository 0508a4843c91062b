package proof

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// JWK is the public key of a log as a JSON Web Key (RFC 8037).
type JWK struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Kid string `json:"kid"`
	Use string `json:"use"`
	Alg string `json:"alg"`
}

// JWK returns the key that signs cards: that of the log, under the name and
// number that it has in signed notes.
func (l *Log) JWK() JWK {
	text := strings.TrimPrefix(l.public, l.policy.keyID()+"+")
	raw, _ := base64.StdEncoding.DecodeString(text) // New has read it
	return JWK{"OKP", "Ed25519", base64.RawURLEncoding.EncodeToString(raw[1:]), l.policy.keyID(), "sig", "EdDSA"}
}

// keyID names the log's key in signatures of cards: what its text begins with.
func (p *Policy) keyID() string { return fmt.Sprintf("%s+%08x", p.log.Name(), p.log.KeyHash()) }

// jwsHeader is what a signature of a card says of itself.
type jwsHeader struct {
	Alg string `json:"alg"`
	Jku string `json:"jku,omitempty"`
	Kid string `json:"kid"`
	Typ string `json:"typ"`
}

// SignCard adds the log's signature to an agent card (A2A): a JSON Web Signature
// over the canonical form (RFC 8785) of the card without its signatures. jku is
// where [Log.JWK] is found. What is signed has no line break, so that it can be
// taken neither for a checkpoint nor for a credential, which the same key signs.
func (l *Log) SignCard(card []byte, jku string) ([]byte, error) {
	all, payload, err := readCard(card)
	if err != nil {
		return nil, err
	}
	head, err := json.Marshal(jwsHeader{"EdDSA", jku, l.policy.keyID(), "JOSE"})
	if err != nil {
		return nil, err
	}
	protected := base64.RawURLEncoding.EncodeToString(head)
	signature, err := l.signer.Sign(signingInput(protected, payload))
	if err != nil {
		return nil, err
	}
	all["signatures"] = []any{map[string]any{"protected": protected, "signature": base64.RawURLEncoding.EncodeToString(signature)}}
	return appendCanonical(nil, all)
}

func signingInput(protected string, payload []byte) []byte {
	return []byte(protected + "." + base64.RawURLEncoding.EncodeToString(payload))
}

// OpenCard verifies an agent card with the log's key of a policy, and returns
// the canonical form of what was signed. An error is [ErrFormat], [ErrKey] or
// [ErrSignature].
func OpenCard(p *Policy, text []byte) ([]byte, error) {
	var signed struct {
		Signatures []struct{ Protected, Signature string }
	}
	if err := json.Unmarshal(text, &signed); err != nil {
		return nil, fmt.Errorf("%w: this is not an agent card", ErrFormat)
	}
	_, payload, err := readCard(text)
	if err != nil {
		return nil, err
	}
	for _, s := range signed.Signatures {
		var head jwsHeader
		raw, err := base64.RawURLEncoding.DecodeString(s.Protected)
		if err != nil || json.Unmarshal(raw, &head) != nil || head.Kid != p.keyID() {
			continue
		}
		signature, err := base64.RawURLEncoding.DecodeString(s.Signature)
		if err == nil && head.Alg == "EdDSA" && p.log.Verify(signingInput(s.Protected, payload), signature) {
			return payload, nil
		}
		return nil, fmt.Errorf("%w of the card", ErrSignature)
	}
	return nil, fmt.Errorf("%w: no signature of the card is by %s", ErrKey, p.keyID())
}

// readCard decodes a card and returns the canonical form of what is signed of it.
func readCard(text []byte) (map[string]any, []byte, error) {
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&all); err != nil || all == nil || d.More() {
		return nil, nil, fmt.Errorf("%w: this is not an agent card", ErrFormat)
	}
	delete(all, "signatures")
	payload, err := appendCanonical(nil, all)
	return all, payload, err
}

// appendCanonical appends the form of RFC 8785. Cards hold no numbers.
func appendCanonical(b []byte, v any) (_ []byte, err error) {
	switch v := v.(type) {
	case map[string]any:
		b = append(b, '{')
		for i, name := range sortedNames(v) {
			b = append(appendText(separated(b, i), name), ':')
			if b, err = appendCanonical(b, v[name]); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if b, err = appendCanonical(separated(b, i), item); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case string:
		return appendText(b, v), nil
	case bool:
		return fmt.Append(b, v), nil
	case nil:
		return append(b, "null"...), nil
	}
	return nil, fmt.Errorf("%w: a card holds no numbers", ErrFormat)
}

// separated appends a comma before each item but the first.
func separated(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// sortedNames returns the names of an object in the order of their UTF-16 units.
func sortedNames(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b))) })
	return names
}

// short are the escapes that RFC 8785 writes with one letter.
var short = map[rune]string{'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`, '"': `\"`, '\\': `\\`}

func appendText(b []byte, text string) []byte {
	b = append(b, '"')
	for _, r := range text {
		escape, ok := short[r]
		switch {
		case ok:
			b = append(b, escape...)
		case r < ' ':
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}
