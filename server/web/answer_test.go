package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
)

// asked is a request by a form, over an interface that answers as it is told.
func asked(form url.Values, api http.HandlerFunc) (*Pages, *request) {
	r := httptest.NewRequest("POST", "/market/7", nil)
	r.PostForm = form
	return &Pages{cfg: Config{API: api}}, &request{w: httptest.NewRecorder(), r: r, session: &session{token: "nk_ada"}}
}

// TestCall passes on who asks, from where and with what key, and nothing that
// the browser sent besides.
func TestCall(t *testing.T) {
	var got *http.Request
	p, v := asked(url.Values{"key": {"k1"}}, func(w http.ResponseWriter, r *http.Request) { got = r; _, _ = w.Write([]byte(`{"seq":9}`)) })
	v.r.RemoteAddr = "192.0.2.7:4711"
	v.r.Header.Set("Cookie", "netctl_session=secret")
	var out struct{ Seq int }
	if err := p.send(v, "POST", "/api/intent", map[string]int{"a": 1}, &out); err != nil || out.Seq != 9 {
		t.Fatalf("got %+v, %v, want 9", out, err)
	}
	want := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer nk_ada"}, "Idempotency-Key": {"k1"}}
	if diff := cmp.Diff(want, got.Header); diff != "" || got.RemoteAddr != "192.0.2.7:4711" {
		t.Errorf("from %s: %s", got.RemoteAddr, diff)
	}
	if err := p.send(v, "GET", "/api/agent/me", nil, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(http.Header{"Authorization": {"Bearer nk_ada"}}, got.Header); diff != "" {
		t.Errorf("what only asks: %s", diff)
	}
}

// TestAnswers reads what the interface may say, well-formed or not.
func TestAnswers(t *testing.T) {
	for body, c := range map[string]struct {
		status int
		want   int // of the problem, 0 for another error
	}{
		`{"status":404,"code":"x_unknown","detail":"d"}`: {404, 404},
		`<html>`:  {502, 502},
		`{}`:      {429, 429},
		``:        {500, 500},
		`{"seq":`: {200, 0},
	} {
		p, v := asked(nil, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c.status); _, _ = w.Write([]byte(body)) })
		var out struct{ Seq int }
		err := p.send(v, "GET", "/api/x", nil, &out)
		var r *refused
		if errors.As(err, &r) != (c.want != 0) || err == nil {
			t.Errorf("%q: got %v", body, err)
		} else if r != nil && (r.Status != c.want || r.Detail == "" && body != `{}`) {
			t.Errorf("%q: got %+v, want status %d", body, r.Problem, c.want)
		}
	}
}

// TestAgain shows a form once more only where that helps: not to a script, not
// when the network failed, and without what must not be repeated.
func TestAgain(t *testing.T) {
	shows := func(*request) (*screen, error) { return &screen{name: "contract"}, nil }
	refusal := &netkit.Refusal{Kind: netkit.ErrConflict, Code: "x", What: "is so"}
	_, v := asked(url.Values{"headline": {"h"}}, nil)
	if s, err := v.again(refusal, shows); err != nil || s.status != 409 || v.problem == nil || v.field("headline") != "h" {
		t.Errorf("got %+v, %v, want the page with the problem and what was typed", s, err)
	}
	_, v = asked(nil, nil)
	v.r.Header.Set("Accept", "application/json")
	if s, err := v.again(refusal, shows); s != nil || err != refusal {
		t.Errorf("a script: got %v, %v, want the error", s, err)
	}
	_, v = asked(nil, nil)
	if s, err := v.again(errors.New("disk"), shows); s != nil || err == nil {
		t.Errorf("a failure: got %v, %v, want the error", s, err)
	}
}

// TestScopes reads as the visitor only what the session's token covers.
func TestScopes(t *testing.T) {
	who := &netkit.Principal{Slug: "ada", Kind: netkit.AgentParty, Token: 7, Scopes: []netkit.Scope{netkit.ScopeRead}}
	for scope, want := range map[netkit.Scope]netkit.Caller{netkit.ScopeRead: {Slug: "ada", Token: 7}, netkit.ScopeFeed: {}, netkit.ScopeAdmin: {}} {
		if got := (&request{who: who}).caller(scope); got != want {
			t.Errorf("%s: got %+v, want %+v", scope, got, want)
		}
	}
	if got := (&request{}).caller(netkit.ScopeRead); got != (netkit.Caller{}) {
		t.Errorf("a stranger: got %+v", got)
	}
}

// TestFields reads forms as people fill them in.
func TestFields(t *testing.T) {
	_, v := asked(url.Values{"a": {"  x \n"}, "lines": {"one\r\n\r\n  two  \n\n"}, "much": {"12.345"}, "some": {" 1.5 "}, "id": {"007"}, "path": {"1/../2"}}, nil)
	if got := v.field("a"); got != "x" {
		t.Errorf("got %q, want x", got)
	}
	if diff := cmp.Diff([]string{"one", "two"}, v.lines("lines")); diff != "" {
		t.Error(diff)
	}
	if c, err := v.credits("some"); err != nil || c != 150 {
		t.Errorf("got %s, %v, want 1.50", c, err)
	}
	if c, err := v.credits("none"); err != nil || c != 0 {
		t.Errorf("got %s, %v, want nothing", c, err)
	}
	if _, err := v.credits("much"); problemOf(err).Location == "" {
		t.Errorf("got %v, want the field named", err)
	}
	if got, err := number(v, "id"); err != nil || got != "7" {
		t.Errorf("got %s, %v, want 7", got, err)
	}
	if _, err := number(v, "path"); err == nil {
		t.Error("a path is taken for a number")
	}
}

// TestPaths names where a visitor is, and where lists go on.
func TestPaths(t *testing.T) {
	for _, c := range []struct{ method, at, want string }{
		{"GET", "/admin/agent-setup", "/admin/agent-setup"}, {"POST", "/admin/agent-setup/claims", "/admin/agent-setup"},
		{"POST", "/admin/night", "/admin"}, {"POST", "/market/7", "/market/7"}, {"POST", "/feed", "/feed"},
	} {
		if got := (&request{r: httptest.NewRequest(c.method, c.at, nil)}).page(); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.method, c.at, got, c.want)
		}
	}
	q := url.Values{"channel": {"LEGAL"}, "cursor": {"a"}, "kind": {""}}
	for got, want := range map[string]string{
		nextPage("/market", q, "b&c"):                      "/market?channel=LEGAL&cursor=b%26c",
		nextPage("/market", q, ""):                         "",
		firstWindow("/market", q):                          "/market?channel=LEGAL",
		firstWindow("/feed", url.Values{"cursor": {"a"}}):  "/feed",
		"none" + firstWindow("/feed", url.Values{}):        "none",
		ownPath("https://net.example/audio/x?exp=1&sig=2"): "/audio/x?exp=1&sig=2",
		"bad" + ownPath("http://[::1"):                     "bad",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestHear gives each dispatch its player and the transcript that it names.
func TestHear(t *testing.T) {
	p := &Pages{cfg: Config{
		Address:    func(d *netkit.Dispatch) { d.Audio.URL = "https://net.example/audio/7?sig=x" },
		Transcript: func(netkit.Hash) string { return "WEBVTT\n\n00:01.000 --> 00:02.000\nHear this <b>.\n" },
	}}
	var d feedData
	p.addPlayers(&d, []netkit.Dispatch{{ID: 7, Headline: "h", Audio: &netkit.Audio{}, Transcript: &netkit.Transcript{TextRef: netkit.TextRef{Type: "text/vtt"}}}})
	if len(d.Items) != 1 || d.Items[0].Player != "/audio/7?sig=x" || len(d.Items[0].Cues) != 1 || d.Items[0].Cues[0].Secs != "1.000" {
		t.Fatalf("got %+v", d.Items)
	}
	all := ownScreens(t)
	var page strings.Builder
	if err := all["feed"].ExecuteTemplate(&page, "content", &frame{Data: d}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`src="/audio/7?sig=x"`, `data-seek="1.000"`, `preload="none"`, "Hear this &lt;b&gt;."} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the feed does not show %s", want)
		}
	}
}

// TestNew wants what it cannot do without.
func TestNew(t *testing.T) {
	for _, cfg := range []Config{{}, {API: http.NotFoundHandler()}, {Network: new(network.Network)}} {
		if p, err := New(cfg); err == nil || p != nil {
			t.Errorf("got %v, %v, want a refusal", p, err)
		}
	}
	if v, err := (&Pages{}).logView(context.Background()); v != nil || err != nil {
		t.Errorf("without a log: got %v, %v", v, err)
	}
}

// TestGone leaves before the page is drawn, which is not a fault of ours; a page
// that cannot be drawn for another reason is one, and must be heard of.
func TestGone(t *testing.T) {
	n, err := network.New(context.Background(), network.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}}})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close(context.Background())
	p, err := New(Config{Network: n, API: http.NotFoundHandler(), Document: func() []byte { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	panics := func(ctx context.Context) (did bool) {
		defer func() { did = recover() != nil }()
		p.show(&request{w: httptest.NewRecorder(), r: httptest.NewRequestWithContext(ctx, "GET", "/", nil)}, &screen{name: "nothing"})
		return
	}
	gone, leave := context.WithCancel(context.Background())
	leave()
	if panics(gone) || !panics(context.Background()) {
		t.Error("want a panic for a page of ours that is wrong, and none for who is gone")
	}
}

// TestSpawnToken makes one token of one form, and never the same of a key that
// may be guessed.
func TestSpawnToken(t *testing.T) {
	p, other := &Pages{secret: [32]byte{1}}, &Pages{secret: [32]byte{2}}
	key := newKey()
	once := func(key string) [2]netkit.Token {
		return [2]netkit.Token{p.spawnToken(key, "ada"), p.spawnToken(key, "ada")}
	}
	if made := once(key); made[0] != made[1] {
		t.Error("the same form made two tokens")
	}
	if p.spawnToken(key, "ada") == p.spawnToken(key, "bert") || p.spawnToken(key, "ada") == p.spawnToken(newKey(), "ada") || p.spawnToken(key, "ada") == other.spawnToken(key, "ada") {
		t.Error("different forms made one token")
	}
	for _, weak := range []string{"", "1", key[1:], key + "A"} {
		if made := once(weak); made[0] == made[1] {
			t.Errorf("key %q, which is none of ours, made one token twice", weak)
		}
	}
}
