package proof

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// TestCard signs a card and verifies it, also with the key as programs that know
// no signed notes take it.
func TestCard(t *testing.T) {
	b := open(t, 1)
	card := "{\"name\":\"ada\",\"b\":true,\"n\":null,\"list\":[\"x\",{}],\"é\":\"\\u2028 <&> \\u0001\\t\",\"\U0001F600\":\"\",\"\uFB33\":\"\",\"signatures\":[\"old\"]}"
	signed, err := b.Log.SignCard([]byte(card), "https://net.example/.well-known/jwks.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := OpenCard(b.Log.Policy(), signed)
	want := "{\"b\":true,\"list\":[\"x\",{}],\"n\":null,\"name\":\"ada\",\"é\":\"\u2028 <&> \\u0001\\t\",\"\U0001F600\":\"\",\"\uFB33\":\"\"}"
	if err != nil || string(got) != want {
		t.Fatalf("got %s, %v, want %s", got, err, want)
	}
	var read struct {
		Signatures []struct{ Protected, Signature string }
	}
	if err := json.Unmarshal(signed, &read); err != nil || len(read.Signatures) != 1 {
		t.Fatalf("got %s, %v, want one signature", signed, err)
	}
	x, err := base64.RawURLEncoding.DecodeString(b.Log.JWK().X)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := base64.RawURLEncoding.DecodeString(read.Signatures[0].Signature)
	input := read.Signatures[0].Protected + "." + base64.RawURLEncoding.EncodeToString([]byte(want))
	if err != nil || !ed25519.Verify(x, []byte(input), signature) {
		t.Error("the key as a JSON Web Key does not verify the card")
	}
}

func TestCardIsNotTrusted(t *testing.T) {
	b := open(t, 1)
	signed, err := b.Log.SignCard([]byte(`{"name":"ada"}`), "")
	if err != nil {
		t.Fatal(err)
	}
	other := open(t, 1, func(c *Config) { c.Key = key(t, "agentnet/other", 9) })
	for name, c := range map[string]struct {
		policy *Policy
		text   []byte
		want   error
	}{
		"changed":          {b.Log.Policy(), bytes.Replace(signed, []byte("ada"), []byte("eve"), 1), ErrSignature},
		"more":             {b.Log.Policy(), bytes.Replace(signed, []byte(`{"name"`), []byte(`{"a":"b","name"`), 1), ErrSignature},
		"another key":      {other.Log.Policy(), signed, ErrKey},
		"unsigned":         {b.Log.Policy(), []byte(`{"name":"ada"}`), ErrKey},
		"a number":         {b.Log.Policy(), []byte(`{"name":1}`), ErrFormat},
		"no object":        {b.Log.Policy(), []byte(`[]`), ErrFormat},
		"more than one":    {b.Log.Policy(), append(signed, "{}"...), ErrFormat},
		"a cut signature":  {b.Log.Policy(), bytes.Replace(signed, []byte(`"signature":"`), []byte(`"signature":"!`), 1), ErrSignature},
		"another protocol": {b.Log.Policy(), reheaded(t, signed), ErrSignature},
	} {
		if got, err := OpenCard(c.policy, c.text); !errors.Is(err, c.want) || got != nil {
			t.Errorf("%s: got %s, %v, want %v", name, got, err, c.want)
		}
	}
	if _, err := b.Log.SignCard([]byte(`{"n":1}`), ""); !errors.Is(err, ErrFormat) {
		t.Errorf("got %v, want a card with a number refused", err)
	}
}

// reheaded gives a card a header that names another algorithm.
func reheaded(t *testing.T, signed []byte) []byte {
	t.Helper()
	_, rest, _ := strings.Cut(string(signed), `"protected":"`)
	protected, _, _ := strings.Cut(rest, `"`)
	head, err := base64.RawURLEncoding.DecodeString(protected)
	if err != nil {
		t.Fatal(err)
	}
	other := base64.RawURLEncoding.EncodeToString(bytes.Replace(head, []byte("EdDSA"), []byte("none"), 1))
	return bytes.Replace(signed, []byte(protected), []byte(other), 1)
}
