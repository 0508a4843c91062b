package web_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

func escape(s string) string { return url.QueryEscape(s) }

// paths are all pages that anyone may read.
func (w *town) paths() []string {
	return []string{"/", "/market", "/market/" + id(w.contract), "/market/" + id(w.contract) + "/results", "/feed", "/directory", "/agent/ada", "/ledger", "/ledger/1", "/ledger/accounts/treasury",
		"/constitution", "/login", "/admin/agent-setup", "/docs", "/docs/executeContract"}
}

var inline = regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<]|<style|\sstyle=|\son[a-z]+=|javascript:|(?:src|href|action)="(?:https?:)?//`)

// TestStrict reads every page without a script: it says what it is for, under
// a policy that loads from here alone, with nothing inline.
func TestStrict(t *testing.T) {
	w := found(t)
	w.execute(w.spawn("ada"))
	v := w.visitor()
	for _, path := range w.paths() {
		got := v.get(path)
		if got.StatusCode != 200 || got.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: got %d %s, want a page", path, got.StatusCode, got.Header.Get("Content-Type"))
		}
		policy := got.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || len(got.Header["Content-Security-Policy"]) != 1 {
			t.Errorf("%s: got policy %q, want nothing but self", path, policy)
		}
		if found := inline.FindString(got.text); found != "" {
			t.Errorf("%s: holds %q", path, found)
		}
		if strings.Count(got.text, "<h1") != 1 || !strings.Contains(got.text, "<main") {
			t.Errorf("%s: has no single headline in a main part", path)
		}
		if got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: got headers %v", path, got.Header)
		}
	}
}

var reference = regexp.MustCompile(`(?:href|src)="(/static/[^"]+)"`)

// TestWeight adds up a page with all it loads, as it goes over the wire.
func TestWeight(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	for range 10 {
		w.execute(ada)
	}
	for range 30 {
		w.open(strings.Repeat("A long title of a contract ", 4), "p")
	}
	v := w.visitor()
	v.Transport = &http.Transport{DisableCompression: true}
	const most = 60 << 10
	for _, path := range w.paths() {
		got := v.get(path, "Accept-Encoding", "gzip")
		if got.Header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%s: is not compressed", path)
		}
		total := len(got.text)
		seen := map[string]bool{}
		for _, m := range reference.FindAllStringSubmatch(unpack(t, got.text), -1) {
			if seen[m[1]] {
				continue
			}
			seen[m[1]] = true
			file := v.get(m[1], "Accept-Encoding", "gzip")
			if file.StatusCode != 200 || !strings.Contains(file.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("%s: got %d, %v", m[1], file.StatusCode, file.Header)
			}
			if again := v.get(m[1], "If-None-Match", file.Header.Get("ETag")); again.StatusCode != 304 || again.text != "" {
				t.Errorf("%s: got %d for its own tag, want 304", m[1], again.StatusCode)
			}
			total += len(file.text)
		}
		if t.Logf("%s weighs %d bytes, %d of them its own", path, total, len(got.text)); total > most {
			t.Errorf("%s weighs %d bytes, want at most %d", path, total, most)
		}
		if len(seen) != 4 {
			t.Errorf("%s: loads %d files, want style, mark and two scripts", path, len(seen))
		}
	}
}

func unpack(t *testing.T, text string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// TestNegotiation asks for the shared addresses in several ways.
func TestNegotiation(t *testing.T) {
	w := found(t)
	w.spawn("ada")
	v := w.visitor()
	for accept, html := range map[string]bool{
		"":                 false,
		"*/*":              false,
		"application/json": false,
		"text/html":        true,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true,
		"text/html;q=0.5, application/json":                               false,
		"application/json;q=0.1, text/html;q=0.2, */*":                    true,
		"text/html, application/json":                                     false,
		"text/html;q=nonsense":                                            false,
		"image/*":                                                         false,
	} {
		for _, path := range []string{"/directory", "/agent/ada"} {
			got := v.get(path, "Accept", accept)
			kind := got.Header.Get("Content-Type")
			if got.StatusCode != 200 || strings.HasPrefix(kind, "text/html") != html {
				t.Errorf("%s, Accept %q: got %d %s, want html %v", path, accept, got.StatusCode, kind, html)
			}
			if !strings.Contains(strings.Join(got.Header["Vary"], ","), "Accept") {
				t.Errorf("%s: got Vary %v, want Accept in it", path, got.Header["Vary"])
			}
		}
	}
	if got := v.get("/nothing"); got.StatusCode != 404 || !strings.Contains(got.text, "<h1>Not Found</h1>") {
		t.Errorf("got %d, want a page that says that there is none", got.StatusCode)
	}
	if got := v.get("/nothing", "Accept", "*/*"); got.StatusCode != 404 || got.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("got %d %s, want a problem", got.StatusCode, got.Header.Get("Content-Type"))
	}
	if got := v.get("/agent/nobody"); got.StatusCode != 404 || !strings.Contains(got.text, "<h1>") {
		t.Errorf("got %d, want a page", got.StatusCode)
	}
}

// TestFavicon asks for the mark where programs look for it.
func TestFavicon(t *testing.T) {
	got := found(t).visitor().get("/favicon.ico")
	if got.StatusCode != 200 || got.Header.Get("Content-Type") != "image/x-icon" || !strings.HasPrefix(got.text, "\x00\x00\x01\x00") {
		t.Errorf("got %d %s, want an icon", got.StatusCode, got.Header.Get("Content-Type"))
	}
}

// TestUntrusted lets a sponsor and an agent write what they like.
func TestUntrusted(t *testing.T) {
	w := found(t)
	const evil = `<script>alert(1)</script>"><img src=x onerror=alert(2)>`
	bad := w.open(evil, evil)
	v := w.visitor()
	v.login(w.spawn("mallory"))
	v.form("/admin/agent-setup/claims", "niche", "SILICON", "preferred_llm_provider", "x", "capability_statement", evil, "attention_floor_price", "1")
	for _, path := range []string{"/market", "/market/" + id(bad), "/directory", "/agent/mallory", "/admin/agent-setup?step=contract", "/admin/agent-setup?step=claims"} {
		got := v.get(path)
		if !strings.Contains(got.text, "alert(1)") {
			t.Errorf("%s: does not show the text", path)
		}
		if strings.Contains(got.text, "<script>alert") || strings.Contains(got.text, "<img src=x") {
			t.Errorf("%s: lets markup through", path)
		}
		if !strings.Contains(got.text, `class="said`) && !strings.Contains(path, "claims") {
			t.Errorf("%s: does not mark the text", path)
		}
	}
}

// TestBlackout reads every page while a crisis runs, as a stranger, an agent
// and an operator: L3 knows no exception.
func TestBlackout(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	w.execute(ada)
	w.crisis()
	for _, token := range []string{"", ada, w.op} {
		v := w.visitor()
		if token != "" {
			v.login(token)
		}
		for _, path := range append(w.paths(), "/admin", "/admin/agent-setup?step=contract", "/market?matched=yes", "/alert") {
			got := v.get(path)
			if strings.Contains(got.text, "fabs of the north") {
				t.Errorf("%s shows a suppressed payload", path)
			}
			if !strings.Contains(got.text, "P0 · Breaking crisis") {
				t.Errorf("%s: says nothing of the crisis", path)
			}
		}
	}
	v := w.visitor()
	v.login(ada)
	got := v.form("/market/"+id(w.contract), "headline", "h", "body", "b", "sources", "https://example.org/")
	if got.StatusCode != 403 || !strings.Contains(got.text, "L3") {
		t.Errorf("got %d, want the refusal to name L3", got.StatusCode)
	}
}
