package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server"
)

// evil is what somebody writes wherever there is room. The last mark turns
// the direction of what follows.
const evil = `<script>alert(1)</script>"><img src=x onerror=alert(2)>{{.}}'` + "\u202e"

// TestEveryText writes markup into every text that a party may write, and
// reads all pages as everybody.
func TestEveryText(t *testing.T) {
	w := found(t)
	ada, bert := w.spawn("ada"), w.spawn("bert")
	said, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	text := string(said)
	w.post(w.op, "/api/sponsors", `{"sponsor":"evil","name":`+text+`}`, nil)
	w.post(w.op, "/api/sponsors/evil/deposits", `{"amount":100,"reference":`+text+`}`, nil)
	w.post(w.op, "/api/agents/ada/roles", `{"role":"correspondent","grant":true,"reason":`+text+`}`, nil)
	w.post(ada, "/api/net/dispatches", `{"priority":"P1","channel":"SILICON","headline":`+text+`,"summary":`+text+`}`, nil)
	contract := w.open(evil, evil)
	var e netkit.Execution
	w.post(ada, "/api/intent", fmt.Sprintf(`{"campaign_id":%d,"signal":{"headline":%s,"body":%s,"sources":["https://example.org/\"><i>"]}}`, contract, text, text), &e)
	w.post(w.op, "/api/review/reports", `{"subject":`+id(e.ExecutionID)+`,"law":"L1","evidence":`+text+`}`, nil)
	var p0 netkit.DispatchReceipt
	w.post(w.op, "/api/net/dispatches", `{"priority":"P0","channel":"POLICY","headline":`+text+`,"summary":`+text+`}`, &p0)
	w.post(w.op, "/api/net/dispatches/"+id(p0.DispatchID)+"/resolve", `{"reason":`+text+`}`, nil)

	paths := append(w.paths(), "/market/"+id(contract), "/admin", "/login?to="+escape("/"+evil), "/market?sponsor="+escape(evil), "/market?cursor="+escape(evil),
		"/feed?channel="+escape(evil), "/agent/"+url.PathEscape(evil), "/"+url.PathEscape(evil), "/ledger/accounts/"+url.PathEscape(evil), "/admin/agent-setup?step="+escape(evil)+"&exp="+escape(evil)+"&sig="+escape(evil))
	for seq := range w.entries() {
		paths = append(paths, "/ledger/"+id(seq))
	}
	for _, token := range []string{"", ada, bert, w.op} {
		v := w.visitor()
		if token != "" {
			v.login(token)
		}
		for _, path := range paths {
			got := v.get(path)
			if strange := strangeMarkup(t, got.text); strange != "" {
				t.Errorf("%s: holds %s", path, strange)
			}
			if strings.Contains(path, "/ledger/") && strings.Contains(got.text, "\u202e") && !strings.Contains(path, "accounts") {
				t.Errorf("%s: shows an entry turned round", path)
			}
		}
	}
}

// strangeMarkup reads a page as a browser does and returns what none of our
// templates wrote.
func strangeMarkup(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.ContainsAny(a.Key, "<>'\"") || n.Data == "script" && a.Key == "src" && !strings.HasPrefix(a.Val, "/static/") {
				return n.Data + " " + a.Key
			}
		}
		if n.Data == "i" && len(n.Attr) == 0 || n.Data == "script" && n.FirstChild != nil || n.Data == "img" && n.Attr[0].Val == "x" {
			return n.Data
		}
	}
	return ""
}

func (w *town) entries() uint64 { return w.net.Health().Entries }

// TestPrivate reads what is not for everybody as everybody else.
func TestPrivate(t *testing.T) {
	w := found(t)
	ada, bert := w.spawn("ada"), w.spawn("bert")
	e := w.execute(ada)
	w.post(w.op, "/api/review/reports", `{"subject":`+id(e)+`,"law":"L1","evidence":"the line runs"}`, nil)
	w.post(w.op, "/api/agents/ada/roles", `{"role":"correspondent","grant":true,"reason":"tests"}`, nil)
	w.post(ada, "/api/net/dispatches", `{"priority":"P2","channel":"SILICON","headline":"Paid headline","summary":"Paid summary"}`, nil)
	if _, err := w.net.As("ada").SetWebhook(context.Background(), netkit.SetWebhook{URL: "https://hooks.example.org/ada"}); err != nil {
		t.Fatal(err)
	}
	paths := append(w.paths(), "/agent/bert", "/admin")
	for seq := range w.entries() {
		paths = append(paths, "/ledger/"+id(seq))
	}
	for name, token := range map[string]string{"a stranger": "", "another agent": w.spawn("carl")} {
		v := w.visitor()
		if token != "" {
			v.login(token)
		}
		for _, path := range paths {
			page := v.get(path).text
			for _, secret := range []string{"the line runs", "Paid headline", "Paid summary", "Line 3 stopped", "hooks.example.org", "nk_0", ada, bert, w.op} {
				if strings.Contains(page, secret) {
					t.Errorf("%s shows %q to %s", path, secret, name)
				}
			}
		}
	}
}

// TestFormsWithoutHTTPS sends a form from a page that came by plain http under
// a name: browsers add no Sec-Fetch-Site there, so that the origin is all.
func TestFormsWithoutHTTPS(t *testing.T) {
	w := found(t)
	v := w.visitor()
	if got := v.get("/login").Header.Get("Referrer-Policy"); got != "same-origin" {
		t.Errorf("got policy %q: browsers would send Origin: null", got)
	}
	if got := v.do("POST", "/login", strings.NewReader("token="+w.spawn("ada")), "Sec-Fetch-Site", "", "Origin", w.url); got.StatusCode != 303 {
		t.Errorf("got %d for a form of our own, want 303", got.StatusCode)
	}
	for _, origin := range []string{"null", "http://evil.example", "http://" + strings.TrimPrefix(w.url, "http://") + ".evil.example"} {
		if got := v.do("POST", "/login", strings.NewReader("token=x"), "Sec-Fetch-Site", "", "Origin", origin); got.StatusCode != 403 {
			t.Errorf("%s: got %d, want 403", origin, got.StatusCode)
		}
	}
}

// TestSignInWithoutHTTPS does so in a browser.
func TestSignInWithoutHTTPS(t *testing.T) {
	w := found(t)
	b := browse(t, w)
	here, err := url.Parse(w.url)
	if err != nil {
		t.Fatal(err)
	}
	front := lan(t, here)
	b.base = front
	b.open("/login")
	var trusted bool
	b.eval(`window.isSecureContext`, &trusted)
	if trusted {
		t.Skip("the browser trusts " + front)
	}
	b.run(chromedp.SetValue("input[name=token]", w.spawn("ada"), chromedp.ByQuery))
	b.follow("main form button")
	b.says("You are signed in as ada")
}

// lan serves a town at an address of this machine that is not loopback.
func lan(t *testing.T, to *url.URL) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.To4() == nil {
			continue
		}
		l, err := net.Listen("tcp", net.JoinHostPort(ip.IP.String(), "0"))
		if err != nil {
			continue
		}
		front := httptest.NewUnstartedServer(forward(to))
		front.Listener.Close()
		front.Listener = l
		front.Start()
		t.Cleanup(func() { front.CloseClientConnections(); front.Close() })
		return front.URL
	}
	t.Skip("this machine has no address besides loopback")
	return ""
}

// forward passes requests on as they are.
func forward(to *url.URL) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := r.Clone(r.Context())
		out.URL.Scheme, out.URL.Host, out.RequestURI = to.Scheme, to.Host, ""
		resp, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		for name, values := range resp.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body)
	})
}

// TestShownOnce has scripts and curious clients ask first: what a person is
// shown once is still there.
func TestShownOnce(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.form("/admin/agent-setup/spawn", "slug", "nova")
	v.do("HEAD", "/admin/agent-setup", nil)
	v.get("/alert", "HX-Request", "true")
	v.get("/admin/agent-setup", "HX-Request", "true")
	page := v.get("/admin/agent-setup").text
	if !strings.Contains(page, "nova is spawned") || !strings.Contains(page, "nk_") {
		t.Error("the note or the token went to nobody")
	}
}

// TestSpawnTwice sends the spawn twice as an impatient finger does: whichever
// answer counts, it holds the agent's token.
func TestSpawnTwice(t *testing.T) {
	w := found(t)
	first, second, other := w.visitor(), w.visitor(), w.visitor()
	_, key, _ := strings.Cut(first.get("/admin/agent-setup").text, `name="key" value="`)
	key, _, _ = strings.Cut(key, `"`)
	for _, v := range []*browserless{first, second} {
		if got := v.form("/admin/agent-setup/spawn", "slug", "nova", "key", key); got.StatusCode != 303 {
			t.Fatalf("got %d %s", got.StatusCode, got.text)
		}
		if page := v.get("/admin/agent-setup").text; strings.Count(page, "nk_") != 1 {
			t.Error("want the token")
		}
	}
	for _, guess := range []string{"", "1", strings.Repeat("A", 25), strings.Repeat("A", 26)} {
		if got := other.form("/admin/agent-setup/spawn", "slug", "nova", "key", guess); got.StatusCode != 409 {
			t.Errorf("with key %q: got %d, want 409", guess, got.StatusCode)
		}
	}
}

// TestInvited spawns by invitation: an operator makes a link, a browser opens it
// and is led to the page that spawns, and who only has the link's text pastes it.
func TestInvited(t *testing.T) {
	w := found(t, func(c *server.Config) { c.Spawn = server.SpawnInvite })
	v := w.visitor()
	if got := v.form("/admin/agent-setup/spawn", "slug", "nova"); got.StatusCode != 403 || !strings.Contains(got.text, "invitation") {
		t.Errorf("got %d, want 403 without one", got.StatusCode)
	}
	wantAll(t, "the setup page", v.get("/admin/agent-setup").text, `name="invitation"`)
	if got := v.get("/api/agent/spawn"); got.StatusCode != 405 || got.Header.Get("Allow") != "POST" {
		t.Errorf("without an invitation: got %d, want 405", got.StatusCode)
	}
	op := w.visitor()
	op.login(w.op)
	link := func() string {
		page := op.said("/admin/invite", "act", "x")
		if strings.Contains(page, "bearer token") {
			t.Error("an invitation is shown as a token")
		}
		wantAll(t, "the desk", page, "The invitation", "It expires on")
		return html.UnescapeString(between(page, `id="the-link" class="break" href="`, `"`))
	}
	first := link()
	if !strings.HasPrefix(first, w.url+"/") {
		t.Fatalf("got link %q, want an address of %s", first, w.url)
	}
	to := v.get(strings.TrimPrefix(first, w.url)).Header.Get("Location")
	page := v.get(to).text
	if strings.Contains(page, `name="invitation"`) {
		t.Error("the page that a link opens asks for an invitation")
	}
	action := html.UnescapeString(between(page, `<form method="post" action="/admin/agent-setup/spawn`, `"`))
	if got := v.form("/admin/agent-setup/spawn"+action, "slug", "nova"); got.StatusCode != 303 {
		t.Errorf("%s: got %d, want the spawn", action, got.StatusCode)
	}
	second := link()
	wantAll(t, "the link, opened by an agent", v.get(v.get(strings.TrimPrefix(second, w.url)).Header.Get("Location")).text, "signed in as nova", "Spawn the agent")
	if got := w.visitor().form("/admin/agent-setup/spawn", "slug", "vega", "invitation", second); got.StatusCode != 303 {
		t.Errorf("a pasted link: got %d, want the spawn", got.StatusCode)
	}
	if got := w.visitor().form("/admin/agent-setup/spawn", "slug", "rigel", "invitation", second); got.StatusCode != 403 || !strings.Contains(got.text, html.EscapeString(second)) {
		t.Errorf("a used link: got %d, want 403 and the link back", got.StatusCode)
	}
}

// TestRubbish asks for pages with nonsense, and sends forms that no page has.
func TestRubbish(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.spawn("ada"))
	for _, path := range []string{"/market?cursor=", "/directory?cursor=", "/feed?cursor=", "/ledger/accounts/treasury?cursor=", "/ledger?before="} {
		for _, c := range []string{"%00", "!", "-1", strings.Repeat("A", 5000), "99999999999999999999", "%F0%28%8C"} {
			if got := v.get(path + c); got.StatusCode != 422 || !strings.Contains(got.text, "<h1>") {
				t.Errorf("%s%.20s: got %d, want 422 and a page", path, c, got.StatusCode)
			}
		}
	}
	for _, path := range []string{"/ledger/18446744073709551615", "/ledger/-1", "/ledger/1e3", "/market/18446744073709551616", "/agent/%00", "/agent/..%2fada", "/ledger/accounts/wallet:", "/static/..%2fweb.go", "/docs/%22"} {
		if got := v.get(path); got.StatusCode != 404 {
			t.Errorf("%s: got %d, want 404", path, got.StatusCode)
		}
	}
	for _, path := range []string{"/market/" + id(w.contract), "/login", "/admin/agent-setup/spawn", "/admin/agent-setup/claims", "/admin/agent-setup/contract", "/admin/agent-setup/constitution"} {
		for name, body := range map[string]string{"nothing": "", "a key of a mile": "key=" + strings.Repeat("k", 200), "a key with a line end": "key=a%0d%0ab", "no encoding": "%zz=1", "a mile": "headline=" + strings.Repeat("a", 300<<10)} {
			if got := v.do("POST", path, strings.NewReader(body)); got.StatusCode < 400 || got.StatusCode >= 500 {
				t.Errorf("%s with %s: got %d, want a refusal", path, name, got.StatusCode)
			}
		}
		if got := v.do("POST", path, strings.NewReader("--x\r\n\r\n"), "Content-Type", "multipart/form-data; boundary=x"); got.StatusCode < 400 || got.StatusCode >= 500 {
			t.Errorf("%s in parts: got %d, want a refusal", path, got.StatusCode)
		}
	}
	if got := v.do("POST", "/admin/agent-setup/channels", strings.NewReader("--x\r\n\r\n"), "Content-Type", "multipart/form-data; boundary=x"); got.StatusCode != 422 {
		t.Errorf("channels in parts: got %d, want 422 and not all of them taken away", got.StatusCode)
	}
	if got := v.form("/admin/agent-setup/channels", "next", "x&to=//evil.example\r\nSet-Cookie: a=b"); got.StatusCode != 303 || strings.Contains(got.Header.Get("Location"), "&") || got.Header.Get("Set-Cookie") != "" {
		t.Errorf("got %d to %q", got.StatusCode, got.Header.Get("Location"))
	}
	if got := v.form("/admin/agent-setup/contract", "campaign_id", id(w.contract)+" and more", "headline", "h", "body", "b", "sources", "https://example.org/"); got.StatusCode != 422 {
		t.Errorf("a number with more behind it: got %d, want 422", got.StatusCode)
	}
}

// TestHead asks for the head of every page: it is that of the page.
func TestHead(t *testing.T) {
	w := found(t)
	w.execute(w.spawn("ada"))
	v := w.visitor()
	for _, path := range w.paths() {
		full, head := v.get(path), v.do("HEAD", path, nil)
		if head.StatusCode != full.StatusCode || head.text != "" || head.Header.Get("Content-Type") != full.Header.Get("Content-Type") || head.Header.Get("Content-Security-Policy") != full.Header.Get("Content-Security-Policy") {
			t.Errorf("%s: got %d %v and %d bytes, want the head of the page", path, head.StatusCode, head.Header, len(head.text))
		}
	}
}

// TestLogHoldsNoToken signs in, rightly and wrongly, and reads the log.
func TestLogHoldsNoToken(t *testing.T) {
	w := found(t)
	ada := w.spawn("ada")
	var log bytes.Buffer
	s := w.again(func(c *server.Config) { c.Logger = logTo(&log) })
	wrong := netkit.Token{7}.String()
	for _, token := range []string{ada, wrong} {
		for _, path := range []string{"/login", "/login?token=" + token} {
			r := httptest.NewRequest("POST", path, strings.NewReader("token="+token))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			s.Handler().ServeHTTP(httptest.NewRecorder(), r)
		}
	}
	if got := log.String(); strings.Contains(got, ada[3:20]) || strings.Contains(got, wrong[3:20]) || !strings.Contains(got, "POST /login") {
		t.Errorf("got %s, want the requests without a token", got)
	}
}

// TestExpired ends a session when its token expires.
func TestExpired(t *testing.T) {
	w := found(t)
	var issued netkit.TokenReceipt
	until := w.net.Now() + 400
	w.post(w.spawn("ada"), "/api/agent/tokens", fmt.Sprintf(`{"scopes":["read"],"expires_at":%q}`, until), &issued)
	v := w.visitor()
	v.login(issued.Token)
	for w.net.Now() < until {
		time.Sleep(20 * time.Millisecond)
	}
	if page := v.get("/"); strings.Contains(page.text, "Sign out") {
		t.Error("a session outlives its token")
	}
}
