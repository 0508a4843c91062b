package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/webhook"
	"github.com/agentnet/netctl/server/hooks"
)

// delivery is a request that a receiver got.
type delivery struct {
	header http.Header
	body   []byte
}

// receiver is an https server of an owner, and how to reach it from here.
func receiver(t *testing.T) (url string, got chan delivery, change func(*Config)) {
	t.Helper()
	got = make(chan delivery, 100)
	s := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got <- delivery{r.Header, body}
	}))
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return s.URL + "/hook?token=1", got, func(cfg *Config) {
		cfg.Webhooks = hooks.Config{Loopback: true, TLS: &tls.Config{RootCAs: roots}}
	}
}

// takes waits for a delivery of a type and checks its signature.
func takes(t *testing.T, got chan delivery, kind, secret string) {
	t.Helper()
	peer, err := standard.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	limit := time.After(3 * time.Minute)
	for {
		select {
		case d := <-got:
			if !strings.Contains(string(d.body), `"type":"`+kind+`"`) {
				continue // it may be from before a rotation
			}
			if err := peer.VerifyIgnoringTimestamp(d.body, d.header); err != nil {
				t.Errorf("%s: %v", d.body, err)
			}
			return
		case <-limit:
			t.Fatalf("got no delivery of type %s", kind)
		}
	}
}

// An agent sets its webhook, gets what happens, and looks after it.
func TestWebhookRoutes(t *testing.T) {
	url, got, loopback := receiver(t)
	f := start(t, loopback)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { f.Upkeep(ctx); close(done) }()
	defer func() { stop(); <-done }()

	ada := f.spawn("ada")
	const at = "/api/agent/webhook"
	if v := ok[webhook.View](f, "GET", at, ada, nil); v.State != webhook.None {
		t.Errorf("got %+v, want none", v)
	}
	set := ok[netkit.WebhookReceipt](f, "PUT", at, ada, netkit.SetWebhook{URL: url})
	if !set.Set || !set.Delivers || !strings.HasPrefix(set.Secret, "whsec_") {
		t.Fatalf("got %+v, want it set, with a secret", set)
	}
	if again := ok[netkit.WebhookReceipt](f, "PUT", at, ada, netkit.SetWebhook{URL: url}); again.Secret != "" {
		t.Error("got the secret twice")
	}
	f.spawn("bea")
	takes(t, got, netkit.EventAgentSpawned, set.Secret)

	logged := func(n int) (log WebhookAttempts) {
		t.Helper()
		netkittest.Until(t, "the log of attempts", func() bool {
			log = ok[WebhookAttempts](f, "GET", at+"/attempts", ada, nil)
			return len(log.Items) >= n
		})
		return log
	}
	logged(1)
	if a := ok[webhook.Attempt](f, "POST", at+"/test", ada, nil); !a.Delivered() || a.Status != 200 {
		t.Errorf("got %+v, want it delivered", a)
	}
	takes(t, got, hooks.TestType, set.Secret)
	f.ask("POST", at+"/test", ada, nil).problem(429, "too_many")
	f.now.add(time.Minute)
	log := logged(2)
	if len(log.Items) != 2 || log.Items[1].Type != netkit.EventAgentSpawned {
		t.Fatalf("got %+v, want two attempts", log)
	}
	ok[webhook.Attempt](f, "POST", at+"/attempts/"+fmtID(log.Items[1].ID)+"/resend", ada, nil)
	takes(t, got, netkit.EventAgentSpawned, set.Secret)
	f.now.add(time.Minute)
	f.ask("POST", at+"/attempts/999/resend", ada, nil).problem(404, "webhook_attempt_unknown")
	f.ask("POST", at+"/replay", ada, webhook.Replay{From: 1000}).problem(404, "entry_unknown")
	ok[webhook.View](f, "POST", at+"/replay", ada, webhook.Replay{From: 1})
	takes(t, got, netkit.EventAgentSpawned, set.Secret)

	var turned, same webhook.Rotated
	for _, out := range []*webhook.Rotated{&turned, &same} {
		f.ask("POST", at+"/secret", ada, nil, "Idempotency-Key", "k1").into(200, out)
	}
	if turned != same {
		t.Error("got two secrets for one Idempotency-Key")
	}
	f.now.add(time.Minute)
	ok[webhook.Attempt](f, "POST", at+"/test", ada, nil)
	takes(t, got, hooks.TestType, turned.Secret)
	shown := f.ask("GET", at, ada, nil).Body.String() + f.ask("GET", at+"/attempts", ada, nil).Body.String() + f.log.String()
	for _, private := range []string{set.Secret, turned.Secret, "token=1"} {
		if strings.Contains(shown, private) {
			t.Errorf("got %s shown again", private)
		}
	}
	ok[netkit.WebhookReceipt](f, "PUT", at, ada, netkit.SetWebhook{})
	f.ask("POST", at+"/test", ada, nil).problem(409, "webhook_missing")
	for _, one := range [][2]string{{"GET", at}, {"GET", at + "/attempts"}, {"POST", at + "/secret"}, {"POST", at + "/test"}, {"POST", at + "/attempts/1/resend"}} {
		f.ask(one[0], one[1], f.op, nil).problem(403, "webhook_operator")
	}
	f.ask("POST", at+"/replay", f.op, webhook.Replay{From: 1}).problem(403, "webhook_operator")
	f.ask("PUT", at, f.op, netkit.SetWebhook{}).problem(403, "webhook_operator")
}

// A sponsor gets what an agent delivers to its contract, and its notice, at its
// address; the journal with its webhook passes an audit.
func TestSponsorsWebhook(t *testing.T) {
	url, got, loopback := receiver(t)
	f := start(t, loopback, anywhere)
	_, stop := f.run()
	acme, ada := f.sponsor("acme", 100*netkit.Credit), f.spawn("ada")
	contract := f.campaign("acme", 100*netkit.Credit)
	const at = "/api/agent/webhook"
	f.ask("PUT", at, f.op, netkit.SetWebhook{URL: url}).problem(403, "webhook_operator")
	set := ok[netkit.WebhookReceipt](f, "PUT", at, acme, netkit.SetWebhook{URL: url, Types: []string{netkit.EventDelivered, netkit.EventNotice}})
	run := ok[netkit.Execution](f, "POST", "/api/intent", ada, execution(contract)).ExecutionID
	takes(t, got, netkit.EventDelivered, set.Secret)
	takes(t, got, netkit.EventNotice, set.Secret)
	var log WebhookAttempts
	netkittest.Until(t, "the log of attempts", func() bool {
		log = ok[WebhookAttempts](f, "GET", at+"/attempts", acme, nil)
		return len(log.Items) == 2
	})
	if a := log.Items[1]; a.Event != run || a.Type != netkit.EventDelivered {
		t.Errorf("got %+v first, want the delivery of execution %d", a, run)
	}
	if v := ok[webhook.View](f, "POST", at+"/replay", acme, webhook.Replay{From: run}); v.State != webhook.On {
		t.Errorf("got %+v, want it on", v)
	}
	takes(t, got, netkit.EventDelivered, set.Secret)
	turned := ok[webhook.Rotated](f, "POST", at+"/secret", acme, nil)
	ok[webhook.Attempt](f, "POST", at+"/test", acme, nil)
	takes(t, got, hooks.TestType, turned.Secret)
	ok[netkit.ErasureReceipt](f, "POST", fmt.Sprintf("/api/ledger/entries/%d/erase", set.Seq), f.op, `{"reason":"asked for"}`)
	if v := ok[webhook.View](f, "GET", at, acme, nil); v.State != webhook.None {
		t.Errorf("got %+v after the erasure, want none", v)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := network.Audit(t.Context(), f.book); err != nil {
		t.Error(err)
	}
}

// An address gets what reading gives, so setting one takes the scope to read;
// removing it does not. The agent is told of every address.
func TestWebhookTakesTheScopeToRead(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	const at = "/api/agent/webhook"
	in := netkit.SetWebhook{URL: "https://example.org/hook"}
	narrow := f.token(ada, netkit.ScopeSelf).Token
	f.ask("PUT", at, narrow, in).problem(403, "scope_missing")
	ok[netkit.WebhookReceipt](f, "PUT", at, f.token(ada, netkit.ScopeSelf, netkit.ScopeRead).Token, in)
	in.URL += "2"
	ok[netkit.WebhookReceipt](f, "PUT", at, ada, in)
	ok[netkit.WebhookReceipt](f, "PUT", at, narrow, netkit.SetWebhook{})
	told := ok[netkit.List[netkit.Notice]](f, "GET", "/api/agent/notices", ada, nil).Items
	if len(told) != 2 || told[0].Kind != "webhook.set" || told[1].Kind != "webhook.set" {
		t.Errorf("got notices %+v, want one for each address", told)
	}
}

// An address that says itself that nothing can be delivered to it is refused.
func TestWebhookThatCannotBeReached(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	for host, want := range map[string]int{"127.0.0.1:1": 422, "10.0.0.1": 422, "169.254.169.254": 422, "[::1]": 422, "[::ffff:169.254.169.254]": 422,
		"example.org:99999": 422, "example.org:0": 422, "example.org:8443": 200, "8.8.8.8": 200} {
		got := f.ask("PUT", "/api/agent/webhook", ada, netkit.SetWebhook{URL: "https://" + host + "/x"})
		if got.Code != want {
			t.Errorf("%s: got %d %s, want %d", host, got.Code, got.Body, want)
		}
	}
}

// A scheme may be in capitals, in a webhook and in a source alike; a wrong type
// is named by the field that held it.
func TestWebhookParameters(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	const at = "/api/agent/webhook"
	if got := ok[netkit.WebhookReceipt](f, "PUT", at, ada, netkit.SetWebhook{URL: "HTTPS://Example.org/x"}); !got.Set {
		t.Errorf("got %+v, want it set", got)
	}
	for _, url := range []string{"HTTP://example.org/x", "httpss://example.org/x", "HTTPS:example.org", "://example.org"} {
		f.ask("PUT", at, ada, netkit.SetWebhook{URL: url}).problem(422, "address_malformed")
	}
	var p netkit.Problem
	f.ask("PUT", at, ada, netkit.SetWebhook{URL: "https://example.org/x", Types: []string{"nothing"}}).into(422, &p)
	if p.Location != "types" || p.Code != "type_unknown" {
		t.Errorf("got %+v, want types named", p)
	}
	f.sponsor("acme", 100*netkit.Credit)
	work := netkit.Execute{CampaignID: f.campaign("acme", 100*netkit.Credit),
		Signal: netkit.Signal{Headline: "h", Body: "b", Sources: []string{"HTTPS://example.org/a", "Http://example.org/b"}}}
	ok[netkit.Execution](f, "POST", "/api/intent", ada, work)
}
