package audio

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"
)

func signer(t *testing.T, fill byte) *Signer {
	t.Helper()
	s, err := NewSigner(bytes.Repeat([]byte{fill}, KeySize))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSigner(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	s := signer(t, 1)
	good, err := url.ParseQuery(s.Sign("/audio/ab", now.Add(time.Minute)))
	if err != nil {
		t.Fatal(err)
	}
	earlier, err := hex.DecodeString(good.Get("sig"))
	if err != nil {
		t.Fatalf("got signature %q, want hexadecimal", good.Get("sig"))
	}
	with := func(change func(url.Values)) url.Values {
		q := url.Values{"exp": {good.Get("exp")}, "sig": {good.Get("sig")}}
		change(q)
		return q
	}
	for name, c := range map[string]struct {
		path  string
		query url.Values
		now   time.Time
		want  error
	}{
		"good":               {"/audio/ab", good, now, nil},
		"earlier release":    {"/audio/ab", with(func(q url.Values) { q.Set("sig", base64.RawURLEncoding.EncodeToString(earlier)) }), now, nil},
		"last second":        {"/audio/ab", good, now.Add(59 * time.Second), nil},
		"expired":            {"/audio/ab", good, now.Add(time.Minute), ErrExpired},
		"other path":         {"/audio/ac", good, now, ErrSignature},
		"later expiry":       {"/audio/ab", with(func(q url.Values) { q.Set("exp", "1900000000") }), now, ErrSignature},
		"expiry twice":       {"/audio/ab", with(func(q url.Values) { q.Add("exp", q.Get("exp")) }), now, ErrSignature},
		"signature twice":    {"/audio/ab", with(func(q url.Values) { q.Add("sig", q.Get("sig")) }), now, ErrSignature},
		"no signature":       {"/audio/ab", with(func(q url.Values) { q.Del("sig") }), now, ErrSignature},
		"empty signature":    {"/audio/ab", with(func(q url.Values) { q.Set("sig", "") }), now, ErrSignature},
		"half a signature":   {"/audio/ab", with(func(q url.Values) { q.Set("sig", q.Get("sig")[:20]) }), now, ErrSignature},
		"neither form":       {"/audio/ab", with(func(q url.Values) { q.Set("sig", "!") }), now, ErrSignature},
		"nothing":            {"/audio/ab", nil, now, ErrSignature},
		"expired and forged": {"/audio/ac", good, now.Add(time.Hour), ErrSignature},
	} {
		if err := s.Verify(c.path, c.query, c.now); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	if err := signer(t, 2).Verify("/audio/ab", good, now); !errors.Is(err, ErrSignature) {
		t.Errorf("other key: got %v, want %v", err, ErrSignature)
	}
}

func TestSignerKey(t *testing.T) {
	key := bytes.Repeat([]byte{1}, KeySize)
	s, err := NewSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	before := s.Sign("/a", time.Unix(9, 0))
	key[0] = 9
	if got := s.Sign("/a", time.Unix(9, 0)); got != before {
		t.Error("the signer shares the caller's key")
	}
	if _, err := NewSigner(key[:31]); err == nil || !strings.Contains(err.Error(), "31 bytes, want 32") {
		t.Errorf("short key: got %v", err)
	}
}
