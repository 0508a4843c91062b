package webhook

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/agentnet/netctl/netkit"
)

func secret(t *testing.T, fill byte) Secret {
	t.Helper()
	s, err := NewSecret(bytes.NewReader(bytes.Repeat([]byte{fill}, secretBytes)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The reference implementation accepts what is signed here, by either secret
// while one replaces the other, and nothing that was changed.
func TestReferenceVerifies(t *testing.T) {
	body, one, two := []byte(`{"id":7,"type":"notice","data":{}}`), secret(t, 1), secret(t, 2)
	header := http.Header{}
	for name, value := range Headers("ada_7_notice", time.Now(), body, one, two) {
		header.Set(name, value)
	}
	for _, s := range []Secret{one, two} {
		peer, err := standard.NewWebhook(s.String())
		if err != nil {
			t.Fatal(err)
		}
		if err := peer.Verify(body, header); err != nil {
			t.Errorf("got %v, want it verified", err)
		}
		if peer.Verify(append(body, ' '), header) == nil {
			t.Error("a changed body: got it verified")
		}
	}
	if peer, err := standard.NewWebhook(secret(t, 3).String()); err != nil || peer.Verify(body, header) == nil {
		t.Errorf("another secret: got it verified, %v", err)
	}
}

func TestSecret(t *testing.T) {
	s := secret(t, 9)
	back, err := ParseSecret(s.String())
	if err != nil || back.String() != s.String() || !strings.HasPrefix(s.String(), "whsec_") {
		t.Errorf("got %v, %v back", back, err)
	}
	for _, bad := range []string{"", "whsec_", "whsec_AAAA", "whsec_!" + strings.Repeat("A", 43), "whsec_" + strings.Repeat("A", 120)} {
		if _, err := ParseSecret(bad); err == nil {
			t.Errorf("%q: got it accepted", bad)
		}
	}
	failed := errors.New("no randomness")
	if _, err := NewSecret(iotest.ErrReader(failed)); !errors.Is(err, failed) {
		t.Errorf("got %v, want %v", err, failed)
	}
}

func TestID(t *testing.T) {
	if got := ID("ada", &netkit.Event{ID: 7, Type: "campaign.opened"}); got != "ada_7_campaign-opened" {
		t.Errorf("got %s", got)
	}
}
