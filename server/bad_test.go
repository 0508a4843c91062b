package server

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// mess makes bad requests from a seed, so that a failure can be repeated.
type mess struct {
	*rand.Rand
	f      *fixture
	tokens []string
	routes []route
}

// pieces are values of every kind at and beyond their limits.
var pieces = []string{`null`, `true`, `0`, `-1`, `1.5`, `1e400`, `9223372036854775808`, `18446744073709551616`, `-9223372036854775809`, `0.001`, `1.005`, `12`,
	`""`, `"a"`, `"ada"`, `"nobody"`, `"\u0000"`, `"\ud800"`, `"<script>alert(1)</script>"`, `"../../etc/passwd"`, `"'; DROP TABLE entries;--"`, `"2026-02-30T00:00:00Z"`,
	`"P0"`, `"P9"`, `"SILICON"`, `"ELITE"`, `"L1"`, `"*"`, `"` + strings.Repeat("é", 281) + `"`, `"` + strings.Repeat("0", 64) + `"`,
	`[]`, `{}`, `[[]]`, `[null]`, `["a","a"]`, `{"a":{}}`, `[1,"x",{}]`, `"http://example.org/"`, `"did:key:z6Mkx"`, `NaN`, `tru`, `'a'`, `01`, `"unfinished`}

func pick[T any](m *mess, all []T) T { return all[m.IntN(len(all))] }

// names are fields of all requests, and some of none.
var names = []string{"slug", "token_sha256", "accept_constitution", "niche", "accepts_attention_requests", "attention_floor_price", "capability_statement", "channels", "address",
	"challenge", "signature", "sha256", "scopes", "for", "expires_at", "spend_cap", "url", "agent", "role", "grant", "reason", "priority", "channel", "headline", "summary",
	"audio", "transcript", "sponsor", "title", "brief", "kind", "payload", "budget", "matching", "campaign_id", "signal", "amount", "reference", "to", "subject", "body",
	"max_price", "expires_in", "id", "badge", "date", "dry_run", "law", "evidence", "uphold", "reasoning", "grounds", "category", "status", "content_sha256", "name", "tag",
	"document", "__proto__", "Slug", "", "seq", "$ref", "ID"}

func (m *mess) object() string {
	var b strings.Builder
	for i := range m.IntN(7) {
		if i > 0 {
			b.WriteString(pick(m, []string{",", ",", ",", ",,", " "}))
		}
		fmt.Fprintf(&b, "%q:%s", pick(m, names), pick(m, pieces))
	}
	return "{" + b.String() + pick(m, []string{"}", "}", "}", "}", "", "}}", "]"})
}

// shaped fills in the very fields of a request, each with anything.
func (m *mess) shaped(doc map[string][]string, id string) string {
	fields := doc[id]
	var parts []string
	for _, name := range fields {
		if m.IntN(8) > 0 {
			parts = append(parts, fmt.Sprintf("%q:%s", name, pick(m, pieces)))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (m *mess) body(doc map[string][]string, id string) string {
	switch m.IntN(10) {
	case 0:
		return ""
	case 1:
		return pick(m, pieces)
	case 2:
		b := make([]byte, m.IntN(200))
		for i := range b {
			b[i] = byte(m.Uint32())
		}
		return string(b)
	case 3:
		return strings.Repeat(pick(m, []string{"[", `{"a":`, "9", `"x",`, " "}), m.IntN(70_000))
	case 4, 5:
		return m.object()
	}
	return m.shaped(doc, id)
}

func (m *mess) target(path string) string {
	values := []string{"1", "0", "-1", "18446744073709551616", "nobody", "ada", "%00", "%ff", "..%2f..", "wallet:ada", "wallet:", "x:y", "treasury", strings.Repeat("a", 300), "é", "1.5", strings.Repeat("0", 64)}
	for strings.Contains(path, "{") {
		from, to := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		path = path[:from] + pick(m, values) + path[to+1:]
	}
	if m.IntN(3) == 0 {
		path += "?" + url.QueryEscape(pick(m, []string{"limit", "cursor", "tier", "priority", "channel", "state", "quote", "from", "date", "mine", "exp", "sig", "after", "zzz", ""})) +
			"=" + url.QueryEscape(pick(m, append(values, "P1", "all", "P1,,P2", "true", "open", "2026-13-01", "\x00")))
	}
	return path
}

// request makes one. Some reads turn out to be in order.
func (m *mess) request(doc map[string][]string) (method, target, body string, headers []string) {
	r := pick(m, m.routes)
	method, target = r.Method, m.target(r.Path)
	if m.IntN(12) == 0 {
		method = pick(m, []string{"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"})
	}
	body = m.body(doc, r.Name)
	for range m.IntN(3) {
		headers = append(headers, pick(m, []string{"Idempotency-Key", "Content-Type", "Authorization", "X-Request-Id", "Range", "Last-Event-ID", "Accept", "Content-Length", "Transfer-Encoding", "Sec-Fetch-Site"}),
			pick(m, []string{"", "x", "k\x01", strings.Repeat("k", 200), "Bearer", "Bearer ", "Bearer nk_", "Basic eDp5", "text/html", "application/json;charset=utf-7", "bytes=9-1", "-1", "*/*;q=x", "é"}))
	}
	return method, target, body, headers
}

// requestFields reads from the document which fields each request has.
func (f *fixture) requestFields() map[string][]string {
	f.t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
				}
			}
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(f.ask("GET", "/openapi.json", "", nil).Body.Bytes(), &doc); err != nil {
		f.t.Fatal(err)
	}
	fields := map[string][]string{"post-plants": {"id", "name", "tag"}}
	for _, ops := range doc.Paths {
		for _, op := range ops {
			ref := op.RequestBody.Content["application/json"].Schema.Ref
			for name := range doc.Components.Schemas[ref[strings.LastIndexByte(ref, '/')+1:]].Properties {
				fields[op.OperationID] = append(fields[op.OperationID], name)
			}
		}
	}
	for _, names := range fields {
		sortStrings(names)
	}
	return fields
}

// Whatever is sent, nothing breaks: no answer of 5xx, each refusal a problem
// that says what is wrong, and no journal entry but for what was in order.
func TestTenThousandBadRequests(t *testing.T) {
	f := start(t)
	bob := f.spawn("bob")
	m := &mess{Rand: rand.New(rand.NewPCG(2026, 2)), f: f, routes: f.routes(),
		tokens: []string{"", f.op, f.op, f.op, bob, bob, bob, f.token(bob, netkit.ScopeRead).Token, netkit.Token{9}.String(), "nk_zz"}}
	doc := f.requestFields()
	var refused, fine int
	for i := range 10_000 {
		method, target, body, headers := m.request(doc)
		token := pick(m, m.tokens)
		before := f.net.Health().Entries
		a, ok := f.send(method, target, token, body, headers)
		if !ok {
			continue
		}
		if a.Code < 400 {
			fine++
			continue
		}
		refused++
		what := fmt.Sprintf("request %d: %s %.100s %.200q as %.8s %q: %d %.300s", i, method, target, body, token, headers, a.Code, a.Body)
		if a.Code >= 500 {
			t.Errorf("%s", what)
		}
		if after := f.net.Health().Entries; after != before {
			t.Errorf("%s: wrote %d entries", what, after-before)
		}
		if method != "HEAD" {
			checkRefusal(t, what, target, a)
		}
	}
	t.Logf("%d refused, %d in order", refused, fine)
	if refused < 7500 {
		t.Errorf("got %d refusals, want 7,500 at least", refused)
	}
	var books netkit.Books
	f.ask("GET", "/api/ledger/conservation", "", nil).into(200, &books)
	if books.Sum != 0 {
		t.Errorf("all accounts sum to %s, want 0", books.Sum)
	}
}

// send puts a request together as a hostile client would; false when it is
// none that can reach a handler.
func (f *fixture) send(method, target, token, body string, headers []string) (answered, bool) {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return answered{}, false
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if u.Path == "/api/net/stream" {
		cancel()
	}
	req := httptest.NewRequestWithContext(ctx, method, "/", strings.NewReader(body))
	req.URL, req.RequestURI = u, target
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	f.Handler().ServeHTTP(rec, req)
	return answered{rec, f.t}, true
}

// checkRefusal wants the form of the interface that was asked.
func checkRefusal(t *testing.T, what, target string, a answered) {
	t.Helper()
	if path, _, _ := strings.Cut(target, "?"); path == "/plants" {
		var e plantError
		if err := json.Unmarshal(a.Body.Bytes(), &e); err != nil || e.Error == 0 || e.Message == "" {
			t.Errorf("%s: no Error of the plant store", what)
		}
		return
	}
	if strings.HasPrefix(a.Header().Get("Content-Type"), "text/html") { // for whoever asks for a page
		if !strings.HasPrefix(a.Body.String(), "<!doctype html>") {
			t.Errorf("%s: no page", what)
		}
		return
	}
	var p netkit.Problem
	if err := json.Unmarshal(a.Body.Bytes(), &p); err != nil || p.Code == "" || p.Detail == "" || p.Status != a.Code || a.Header().Get("Content-Type") != problemType {
		t.Errorf("%s: no problem", what)
	}
}
