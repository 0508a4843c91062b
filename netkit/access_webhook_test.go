package netkit

import (
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestWebhookIsSetAndRemoved(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	const first, second = "https://example.org/hook?secret=1", "http://example.org/2"
	for _, url := range []string{first, second, ""} {
		r := must[WebhookReceipt](t)(f.SetWebhook(t.Context(), As("ada"), SetWebhook{url}))
		if got, _ := f.secrets.Hooks.Get("ada"); got.Address != url || r.Set != (url != "") {
			t.Errorf("got %v and %+v, want %q", got, r, url)
		}
		f.restarts(t)
	}
}

func TestWebhookRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.unchanged(t, func() {
		for _, url := range []string{"example.org", "ftp://example.org", "https://", "https://user:pass@example.org/"} {
			_, err := f.SetWebhook(t.Context(), As("ada"), SetWebhook{url})
			refused(t, err, ErrInvalid, "address_malformed")
		}
		_, err := f.SetWebhook(t.Context(), f.op, SetWebhook{})
		refused(t, err, ErrForbidden, "agents_only")
	})
}
