package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server"
)

// TestSession signs in and out: the browser never gets the token back, and
// the id is worth nothing afterwards.
func TestSession(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	v := w.visitor()
	got := v.login(ada)
	if got.StatusCode != 303 || got.Header.Get("Location") != "/agent/ada" {
		t.Fatalf("got %d to %s, want the profile", got.StatusCode, got.Header.Get("Location"))
	}
	c := v.cookie
	if c == nil || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.MaxAge <= 0 || strings.Contains(c.Value, "nk_") || len(c.Value) < 43 {
		t.Fatalf("got cookie %+v, want a strict one with a random id", c)
	}
	if page := v.get("/agent/ada"); !strings.Contains(page.text, "Sign out") || !strings.Contains(page.text, "You are signed in as ada") || strings.Contains(page.text, ada) {
		t.Error("want a page that knows ada and does not show the token")
	}
	if page := v.get("/agent/ada"); strings.Contains(page.text, "You are signed in as ada") {
		t.Error("a note is shown twice")
	}
	old := v.cookie
	if got := v.form("/logout"); got.StatusCode != 303 || v.cookie.MaxAge >= 0 {
		t.Errorf("got %d and cookie %+v, want it taken away", got.StatusCode, v.cookie)
	}
	v.cookie = old
	if page := v.get("/"); strings.Contains(page.text, "Sign out") {
		t.Error("a session outlives its end")
	}
}

func TestWrongToken(t *testing.T) {
	w := found(t)
	v := w.visitor()
	wrong := netkit.Token{9}.String()
	got := v.login(wrong)
	if got.StatusCode != 401 || v.cookie != nil || !strings.Contains(got.text, `role="alert"`) || strings.Contains(got.text, wrong) {
		t.Errorf("got %d, cookie %v, want a refusal that repeats nothing", got.StatusCode, v.cookie)
	}
}

// TestSessionOutlivesTheServer shows a cookie to another server of the network, as
// after a restart: the session goes on there, and ends there with its token.
func TestSessionOutlivesTheServer(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	var issued netkit.TokenReceipt
	w.post(ada, "/api/agent/tokens", `{"scopes":["read","self"]}`, &issued)
	v := w.visitor()
	v.login(issued.Token)
	next := w.again(func(*server.Config) {})
	signedIn := func() bool {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host, r.RemoteAddr = "localhost", "127.0.0.1:9"
		r.AddCookie(v.cookie)
		rec := httptest.NewRecorder()
		next.Handler().ServeHTTP(rec, r)
		return strings.Contains(rec.Body.String(), "Sign out")
	}
	if !signedIn() {
		t.Error("the session ended with its server")
	}
	if _, err := w.net.As("ada").RevokeToken(context.Background(), netkit.RevokeToken{TokenID: issued.TokenID}); err != nil {
		t.Fatal(err)
	}
	if signedIn() {
		t.Error("a session outlives its token")
	}
}

// TestRevoked ends a session with its token.
func TestRevoked(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	var issued netkit.TokenReceipt
	w.post(ada, "/api/agent/tokens", `{"scopes":["read","self"]}`, &issued)
	v := w.visitor()
	v.login(issued.Token)
	got := v.form("/market/"+id(w.contract), "headline", "h", "body", "b", "sources", "https://example.org/")
	if got.StatusCode != 403 || !strings.Contains(got.text, "scope intent") {
		t.Errorf("got %d, want a narrow token to stay narrow", got.StatusCode)
	}
	if _, err := w.net.As("ada").RevokeToken(context.Background(), netkit.RevokeToken{TokenID: issued.TokenID}); err != nil {
		t.Fatal(err)
	}
	if page := v.get("/"); strings.Contains(page.text, "Sign out") {
		t.Error("a session outlives its token")
	}
}

// TestCrossOrigin posts forms as another site would make a browser do.
func TestCrossOrigin(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.spawn("ada"))
	for _, path := range []string{"/logout", "/login", "/feed", "/market/" + id(w.contract), "/admin/agent-setup/spawn", "/admin/publish"} {
		for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "", "Origin", "https://evil.example"}} {
			if got := v.do("POST", path, strings.NewReader("slug=evil"), headers...); got.StatusCode != 403 {
				t.Errorf("%s with %v: got %d, want 403", path, headers, got.StatusCode)
			}
		}
	}
	if page := v.get("/"); !strings.Contains(page.text, "Sign out") {
		t.Error("another site ended the session")
	}
}

// TestOpenRedirect keeps a sign-in here.
func TestOpenRedirect(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	for to, want := range map[string]string{"/feed": "/feed", "//evil.example": "/agent/ada", "https://evil.example": "/agent/ada", `/\evil.example`: "/agent/ada", "": "/agent/ada"} {
		if got := w.visitor().form("/login", "token", ada, "to", to).Header.Get("Location"); got != want {
			t.Errorf("to %q: got %q, want %q", to, got, want)
		}
	}
}

// TestOperatorsOnly keeps the desk from everybody else.
func TestOperatorsOnly(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	for token, want := range map[string]int{"": 401, ada: 403, w.op: 200} {
		v := w.visitor()
		if token != "" {
			v.login(token)
		}
		if got := v.get("/admin"); got.StatusCode != want {
			t.Errorf("got %d, want %d", got.StatusCode, want)
		}
		if got := v.form("/admin/night"); want != 200 && got.StatusCode != want {
			t.Errorf("a form: got %d, want %d", got.StatusCode, want)
		}
	}
}

// TestTwice sends a form twice: it acts once.
func TestTwice(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.spawn("ada"))
	for range 2 {
		got := v.form("/market/"+id(w.contract), "key", "one-form", "headline", "h", "body", "b", "sources", "https://example.org/")
		if got.StatusCode != 303 {
			t.Fatalf("got %d %s", got.StatusCode, got.text)
		}
	}
	b, err := w.net.As("").Balance(context.Background(), netkit.Wallet("ada"))
	if err != nil || b.Balance != 5170 {
		t.Errorf("got %s, %v, want 51.70", b.Balance, err)
	}
}

// TestModelKey types a language model's key into a form (L7).
func TestModelKey(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.spawn("ada"))
	key := "sk-ant-" + "api03-" + strings.Repeat("aB3dE5gH7jK9", 8)
	got := v.form("/admin/agent-setup/claims", "niche", "SILICON", "preferred_llm_provider", "anthropic", "capability_statement", "my key is "+key)
	if got.StatusCode != 422 || !strings.Contains(got.text, "L7") {
		t.Errorf("got %d, want a refusal that names L7", got.StatusCode)
	}
	if strings.Contains(got.text, key) {
		t.Error("the page repeats the key")
	}
}

// TestWithoutScript walks the whole way in by forms, as a browser without
// scripts does, up to the key that needs one.
func TestWithoutScript(t *testing.T) {
	w := found(t)
	v := w.visitor()
	step := func(path string, fields ...string) string {
		t.Helper()
		got := v.form("/admin/agent-setup/"+path, fields...)
		if got.StatusCode != 303 {
			t.Fatalf("%s: got %d %s", path, got.StatusCode, got.text)
		}
		return v.get(got.Header.Get("Location")).text
	}
	page := step("spawn", "slug", "nova")
	if strings.Count(page, "nk_") != 1 {
		t.Error("want the token shown once")
	}
	if strings.Contains(v.get("/admin/agent-setup").text, "nk_") {
		t.Error("the token is shown again")
	}
	step("claims", "niche", "SILICON", "attention_floor_price", "2.50")
	step("channels", "channels", "SILICON", "channels", "LEGAL", "next", "constitution")
	law, err := w.net.As("").Constitution(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	step("constitution", "sha256", law.SHA256.String())
	if page := step("contract", "campaign_id", id(w.contract), "headline", "h", "body", "b", "sources", "https://example.org/a\nhttps://example.org/b"); !strings.Contains(page, "nova is at work") {
		t.Errorf("got %s, want the end of the way", page)
	}
}

// TestRefill keeps what was typed when the network refuses it.
func TestRefill(t *testing.T) {
	w := found(t)
	w.spawn("ada")
	got := w.visitor().form("/admin/agent-setup/spawn", "slug", "ada")
	if got.StatusCode != 409 || !strings.Contains(got.text, `value="ada"`) || !strings.Contains(got.text, `role="alert"`) {
		t.Errorf("got %d, want the form again with what was typed", got.StatusCode)
	}
}

// TestDesk goes through what operators do.
func TestDesk(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.op)
	v.get("/admin")
	does := func(act, says string, fields ...string) {
		t.Helper()
		got := v.form("/admin/"+act, fields...)
		if got.StatusCode != 303 {
			t.Fatalf("%s: got %d %s", act, got.StatusCode, got.text)
		}
		if page := v.get("/admin").text; !strings.Contains(page, says) {
			t.Errorf("%s: want a page that says %q", act, says)
		}
	}
	does("sponsor", "boreal is admitted", "sponsor", "boreal", "name", "Boreal")
	does("deposit", "now holds 12.50", "sponsor", "boreal", "amount", "12.50", "reference", "wire 2")
	does("publish", "Commerce stands still", "channel", "POLICY", "headline", "Flood")
	c, err := w.net.As("").Crisis(context.Background())
	if err != nil || len(c.Running) != 1 {
		t.Fatalf("got %v, %v, want one crisis", c, err)
	}
	does("resolve", "The crisis is resolved", "dispatch_id", id(c.Running[0].ID), "reason", "it fell")
	done := w.execute(w.spawn("ada"))
	w.post(w.op, "/api/review/reports", `{"subject":`+id(done)+`,"law":"L1","evidence":"no such line"}`, nil)
	page := v.get("/admin").text
	if !strings.Contains(page, "no such line") {
		t.Error("want the evidence in the queue")
	}
	cases, err := w.net.As("operator").Cases(context.Background(), netkit.CaseQuery{})
	if err != nil || len(cases.Items) != 1 {
		t.Fatalf("got %v, %v, want one case", cases, err)
	}
	does("decide", "is decided: upheld", "case_id", id(cases.Items[0].ID), "uphold", "yes", "reasoning", "checked")
	if got := v.form("/admin/rehearse"); got.StatusCode != 200 || !strings.Contains(got.text, "Rehearsed:") {
		t.Errorf("rehearse: got %d", got.StatusCode)
	}
	if got := v.form("/admin/deposit", "sponsor", "boreal", "amount", "1.234", "reference", "x"); got.StatusCode != 422 {
		t.Errorf("an amount with three decimals: got %d, want 422", got.StatusCode)
	}
}
