package proof

import (
	"errors"
	"strings"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
)

const about = `{"tier":"ELITE","reputation_score":95.00}`

func TestCredential(t *testing.T) {
	b := open(t, 300)
	text, err := b.Credential(t.Context(), "ada", 280, []byte(about))
	if err != nil {
		t.Fatal(err)
	}
	got, err := OpenCredential(b.Policy(), text)
	if err != nil || got.Agent != "ada" || got.Size != 280 || got.Root != root(t, b.store, 280) || string(got.About) != about || got.Origin != origin {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, c := range map[string]struct {
		policy *Policy
		text   string
		want   error
	}{
		"another tier":  {b.Policy(), strings.Replace(string(text), "ELITE", "BADGE", 1), ErrSignature},
		"another agent": {b.Policy(), strings.Replace(string(text), "agent ada", "agent bob", 1), ErrSignature},
		"another key":   {must(NewPolicy(must(PublicKey(key(t, origin, 2))), nil, 0)), string(text), ErrKey},
		"a checkpoint":  {b.Policy(), string(must(b.Checkpoint(t.Context()))), ErrFormat},
		"nothing":       {b.Policy(), "", ErrFormat},
	} {
		if _, err := OpenCredential(c.policy, []byte(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

// The key must not vouch for what another log says.
func TestCredentialIsOfTheLog(t *testing.T) {
	b := open(t, 3)
	c := Credential{Origin: "agentnet/other", Agent: "ada", Size: 3, Root: root(t, b.store, 3), About: []byte(about)}
	if _, err := OpenCredential(b.Policy(), must(note.Sign(&note.Note{Text: c.String()}, b.signer))); !errors.Is(err, ErrOrigin) {
		t.Errorf("got %v, want %v", err, ErrOrigin)
	}
}

// What the key signs of an agent can never be taken for a checkpoint.
func TestCredentialIsNoCheckpoint(t *testing.T) {
	b := open(t, 3)
	for _, slug := range []string{"ada", "123", "300"} {
		text, err := b.Credential(t.Context(), slug, 3, []byte(about))
		if err != nil {
			t.Fatal(err)
		}
		n := must(note.Open(text, b.Policy()))
		if c, err := torchwood.ParseCheckpoint(n.Text); err == nil {
			t.Errorf("%s: it reads as checkpoint %+v", slug, c)
		}
	}
}

func TestCredentialIsOneText(t *testing.T) {
	b := open(t, 3)
	for name, c := range map[string]struct {
		agent string
		size  uint64
		about string
	}{
		"lines in the agent": {"ada\nsize 9", 3, about},
		"lines in the JSON":  {"ada", 3, "{\n}"},
		"nothing yet":        {"ada", 0, about},
		"beyond the end":     {"ada", 4, about},
	} {
		if text, err := b.Credential(t.Context(), c.agent, c.size, []byte(c.about)); err == nil {
			t.Errorf("%s: got %q, want it refused", name, text)
		}
	}
}
