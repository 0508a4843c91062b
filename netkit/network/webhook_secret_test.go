package network

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
	"github.com/agentnet/netctl/netkit/webhook"
)

func hookAt(url string) netkit.SetWebhook { return netkit.SetWebhook{URL: url} }

// The secret is made with the webhook, shown by the receipt of that entry alone, and
// stays when the address changes; one that is removed and set again gets another one.
func TestWebhookSecret(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	set := func(url, key string) netkit.WebhookReceipt {
		t.Helper()
		return must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(netkit.WithKey(t.Context(), key), hookAt(url)))
	}
	first := set("https://example.org/1", "k1")
	if _, err := webhook.ParseSecret(first.Secret); err != nil || f.Webhook("ada").Secret != first.Secret {
		t.Errorf("got a receipt with another secret than the webhook, %v", err)
	}
	for _, again := range []netkit.WebhookReceipt{set("https://example.org/1", ""), set("https://example.org/2", "k2"), set("https://example.org/2", "k2")} {
		if again.Secret != "" {
			t.Errorf("got %+v, want the secret shown once", again)
		}
	}
	if diff := cmp.Diff(first, set("https://example.org/1", "k1")); diff != "" {
		t.Errorf("the same idempotency key: %s", diff)
	}
	if got := f.Webhook("ada"); got.Secret != first.Secret || got.URL != "https://example.org/2" || got.Since != first.Seq {
		t.Errorf("got %+v, want the secret and the position of the first address", got.SetWebhook)
	}
	f.restarts(t)
	set("", "")
	if got := f.Webhook("ada"); got.Secret != "" || got.Entry != 0 {
		t.Errorf("got entry %d and a secret: %v", got.Entry, got.Secret != "")
	}
	if again := set("https://example.org/1", "k3"); again.Secret == "" || again.Secret == first.Secret {
		t.Error("got the former secret, want another one")
	}
	f.restarts(t)
}

// A rotation keeps the former secret for a day and gives no notice; its idempotency key
// gives the same secret again.
func TestWebhookRotation(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", netkit.Credit)
	for _, owner := range []string{"ada", "acme"} {
		_, err := f.As(owner).RotateWebhook(t.Context())
		refused(t, err, netkit.ErrConflict, "webhook_missing")
		set := must[netkit.WebhookReceipt](t)(f.As(owner).SetWebhook(t.Context(), hookAt("https://example.org/")))
		notices := len(must[netkit.List[netkit.Notice]](t)(f.As(owner).Notices(t.Context(), netkit.Page{})).Items)
		keyed := netkit.WithKey(t.Context(), "once")
		one := must[webhook.Rotated](t)(f.As(owner).RotateWebhook(keyed))
		want := Webhook{SetWebhook: hookAt("https://example.org/"), Entry: set.Seq, Since: set.Seq, Secret: one.Secret, Former: []FormerSecret{{Secret: set.Secret, Until: int64(one.FormerUntil)}}}
		for range 2 {
			if diff := cmp.Diff(want, f.Webhook(owner)); diff != "" {
				t.Error(diff)
			}
			if got := must[webhook.Rotated](t)(f.As(owner).RotateWebhook(keyed)); got != one {
				t.Error("the same idempotency key: got another secret")
			}
			f.restarts(t)
		}
		if got := len(must[netkit.List[netkit.Notice]](t)(f.As(owner).Notices(t.Context(), netkit.Page{})).Items); got != notices {
			t.Errorf("got %d notices, want %d", got, notices)
		}
		f.passes(rules.FormerSecretHolds)
		if got := f.Webhook(owner).Former; len(got) != 0 {
			t.Errorf("a day later: got %d former secrets", len(got))
		}
	}
	_, err := f.op().RotateWebhook(t.Context())
	refused(t, err, netkit.ErrForbidden, "webhook_operator")
}

// A webhook that is switched off stays off when its secret is replaced. Set again, its
// events are sent from then on.
func TestRotationLeavesWebhookOff(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	set := must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), hookAt("https://example.org/"))).Seq
	if err := f.As(netkit.NetworkActor).StopWebhook(t.Context(), "ada", set); err != nil {
		t.Fatal(err)
	}
	must[webhook.Rotated](t)(f.As("ada").RotateWebhook(t.Context()))
	for range 2 {
		if got := f.Webhook("ada"); !got.Off || got.Secret == "" || got.Since != set {
			t.Errorf("got off %v, since %d, want it off, since %d", got.Off, got.Since, set)
		}
		f.restarts(t)
	}
	again := must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), hookAt("https://example.org/"))).Seq
	if got := f.Webhook("ada"); got.Off || got.Since != again || len(got.Former) != 1 {
		t.Errorf("got off %v, since %d, want it on, since %d", got.Off, got.Since, again)
	}
	f.restarts(t)
}

// The erasure of its entry erases a webhook; that of a rotation leaves it without a
// secret, and a later one counts. The running network and every later start agree. The
// public parts never have a secret.
func TestErasureTakesWebhookSecret(t *testing.T) {
	store := journal.NewMemory()
	f := start(t, store)
	f.agents("ada")
	set := must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), hookAt("https://example.org/")))
	keyed := netkit.WithKey(t.Context(), "once")
	one := must[webhook.Rotated](t)(f.As("ada").RotateWebhook(keyed))
	for r, err := range store.Read(t.Context(), 0, set.Seq+2) {
		for _, secret := range []string{set.Secret, one.Secret} {
			if err != nil || bytes.Contains(r.Public, []byte(strings.TrimPrefix(secret, "whsec_"))) {
				t.Errorf("entry %d: its public part has a secret, %v", r.Seq, err)
			}
		}
		e := must[*rules.Entry](t)(f.Entry(t.Context(), r.Seq))
		if b, err := json.Marshal(e); err != nil || bytes.Contains(b, []byte("whsec_")) {
			t.Errorf("entry %d shows a secret, %v", r.Seq, err)
		}
	}
	erases := func(seq, entry uint64, secret string) {
		t.Helper()
		must[netkit.ErasureReceipt](t)(f.op().ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: seq, Reason: "asked for"}))
		for range 2 {
			if got := f.Webhook("ada"); got.Entry != entry || got.Secret != secret {
				t.Errorf("entry %d erased: got entry %d, want %d; the right secret: %v", seq, got.Entry, entry, got.Secret == secret)
			}
			f.restarts(t)
		}
	}
	two := must[webhook.Rotated](t)(f.As("ada").RotateWebhook(t.Context())).Secret
	erases(set.Seq+1, set.Seq, two)
	_, err := f.As("ada").RotateWebhook(keyed)
	refused(t, err, netkit.ErrConflict, "webhook_missing")
	erases(set.Seq+2, set.Seq, "")
	again := must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), hookAt("https://example.org/")))
	if again.Secret == "" || again.Secret == two {
		t.Error("set again: got no new secret")
	}
	erases(set.Seq, again.Seq, again.Secret)
	erases(again.Seq, 0, "")
}

// Commands that meet leave one secret, that of the last receipt that showed one.
func TestWebhookCommandsMeet(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	var mu sync.Mutex
	shown := map[string]bool{}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			r, err := f.As("ada").SetWebhook(t.Context(), hookAt("https://example.org/"+string(rune('a'+i))))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if r.Secret != "" {
				shown[r.Secret] = true
			}
		})
		all.Go(func() {
			r, err := f.As("ada").RotateWebhook(t.Context())
			if p := netkit.ProblemOf(err); err != nil && p.Code != "webhook_missing" && p.Code != "too_many" {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if r.Secret != "" {
				shown[r.Secret] = true
			}
		})
	}
	all.Wait()
	got := f.Webhook("ada")
	if !shown[got.Secret] || len(shown) != len(got.Former)+1 {
		t.Errorf("got %d secrets shown and %d former ones", len(shown), len(got.Former))
	}
	f.restarts(t)
}

// What the network adopts from an earlier release counts once, and for it alone.
func TestWebhookSecretsAreAdopted(t *testing.T) {
	n := must[*Network](t)(New(t.Context(), Config{Store: recorded(t, "testdata/journal-1.jsonl")}))
	defer n.Close(t.Context())
	former := []FormerSecret{{Secret: "whsec_a", Until: int64(n.Now()) + 1e6}}
	refused(t, n.As("ada").AdoptWebhookSecrets(t.Context(), "ada", "whsec_b", former), netkit.ErrForbidden, "network_only")
	network := n.As(netkit.NetworkActor)
	refused(t, network.AdoptWebhookSecrets(t.Context(), "nobody", "whsec_b", former), netkit.ErrConflict, "webhook_missing")
	if err := network.AdoptWebhookSecrets(t.Context(), "ada", "whsec_b", former); err != nil {
		t.Fatal(err)
	}
	refused(t, network.AdoptWebhookSecrets(t.Context(), "ada", "whsec_c", nil), netkit.ErrConflict, "webhook_missing")
	if got := n.Webhook("ada"); got.Secret != "whsec_b" || got.URL != "https://example.org/" || len(got.Former) != 1 {
		t.Errorf("got %d former secrets, the right one %v", len(got.Former), got.Secret == "whsec_b")
	}
	must[netkit.Audited](t)(Audit(t.Context(), n.store))
}
