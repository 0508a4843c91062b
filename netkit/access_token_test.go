package netkit

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTokenRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Token(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "token"))
		got, err := ParseToken(want.String())
		if err != nil || got != want {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	})
}

func TestParseTokenRefuses(t *testing.T) {
	good := Token{1}.String()
	for _, s := range []string{"", "nk_", good[1:], good + "0", "xx_" + good[3:], good[:66] + "g", strings.Repeat("a", 67)} {
		if _, err := ParseToken(s); err == nil || strings.Contains(err.Error(), "aaa") {
			t.Errorf("%q: got %v, want an error that does not repeat it", s, err)
		}
	}
}

func TestHashText(t *testing.T) {
	h := Token{1}.SHA256()
	var back Hash
	if err := back.UnmarshalText([]byte(h.String())); err != nil || back != h {
		t.Errorf("got %s, %v, want %s", back, err, h)
	}
	for _, s := range []string{"", h.String()[1:], h.String() + "00", strings.Repeat("x", 64)} {
		if err := back.UnmarshalText([]byte(s)); err == nil {
			t.Errorf("%q is taken for a hash", s)
		}
	}
}
