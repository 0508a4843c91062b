package main

import (
	"errors"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"strings"
	"testing"
)

// An agent may have so much pay that waits to clear. Each face offers the contract
// to it before, and names the refusal when it has; none offers what the execution
// then refuses.
func TestNoFaceOffersWhatIsRefused(t *testing.T) {
	l := liveIn(t)
	l.netctl("market", "close", l.contract)
	other := l.netctl("market", "open", "--sponsor", "acme", "--title", "Fab watch", "--brief", "b", "--channel", "SILICON", "--budget", "40", "--per-agent", "20", "--jq", ".campaign_id")
	id := l.netctl("market", "open", "--sponsor", "acme", "--title", "Grid watch", "--brief", "b", "--channel", "SILICON", "--budget", "20", "--jq", ".campaign_id")
	newcomer := l.Spawn("dora").String()
	v := l.pages(newcomer)
	m := follow(t, "--data", l.Dir, "--as", "dora", "mcp")
	execute := []string{"intent", "execute", id, "--headline", "h", "--body", "b", "--source", "https://example.org/a"}
	const reason = "your pay that waits to clear is 18.70 credits"
	faces := []struct {
		name          string
		reads         func() string
		offers, never string // what is shown while it pays, and never then
		refuses       string // what is shown once it does not; what it offered is gone
	}{
		{"interface, list", func() string { return l.get("/api/market/campaigns", newcomer) }, `"agent_share":1.70`, "refusal", `"code":"uncleared_limit"`},
		{"interface, matched", func() string { return l.get("/api/market/campaigns?matched=true", newcomer) }, `"agent_share":1.70`, "refusal", `"items":[]`},
		{"interface, contract", func() string { return l.get("/api/market/campaigns/"+id, newcomer) }, `"agent_share":1.70`, "refusal", reason},
		{"command line, list", func() string { return l.tries("market", "ls") }, "1.70", "uncleared_limit", "uncleared_limit"},
		{"command line, matched", func() string { return l.tries("market", "ls", "--matched", "-o", "json") }, "Grid watch", "refusal", "[]"},
		{"command line, contract", func() string { return l.tries("market", "show", id) }, "agent_share 1.70", reason, reason},
		{"command line, dry run", func() string { return l.tries(append(execute, "--dry-run")...) }, "wallet:dora", reason, reason},
		{"market page", func() string { return v.get("/market") }, "<b>1.70</b>", reason, reason},
		{"contract page", func() string { return v.get("/market/" + id) }, "+1.70", reason, reason},
		{"contract as text", func() string { return v.get("/market/" + id + "?format=md") }, "Pays you: 1.70", reason, reason},
		{"search page", func() string { return v.get("/search?q=grid+watch") }, "<b>1.70</b>", reason, reason},
		{"setup wizard", func() string { return v.get("/admin/agent-setup?step=contract") }, "+1.70", reason, reason},
		{"tools, search", func() string { return m.said("search_contracts", map[string]any{"matched": true}) }, `"agent_share":1.70`, "uncleared_limit", `"items":[]`},
		{"tools, contract", func() string { return m.said("get_contract", map[string]any{"id": numberOf(id)}) }, `"agent_share":1.70`, reason, reason},
		{"tools, quote", func() string { return m.said("quote", map[string]any{"campaign_id": numberOf(id)}) }, `"agent_share":1.70`, reason, reason},
		{"screens, contract", func() string {
			return l.dialogue(nil, []string{"--data", l.Dir, "--as", "dora"}, "Market", "row 1")
		}, "1.70 cr as UNVERIFIED", reason, "nothing now: " + reason[:20]},
		{"screens, execute", func() string {
			return l.dialogue(nil, []string{"--data", l.Dir, "--as", "dora"}, "Market", "row 1", "execute", "h", "b", "", "https://example.org/a", "no")
		}, "+1.70 wallet:dora", "pays you nothing", "This contract pays you nothing now"},
	}
	for _, f := range faces {
		if got := f.reads(); !strings.Contains(got, f.offers) || strings.Contains(got, f.never) {
			t.Errorf("%s: got %q, want %q and not %q", f.name, got, f.offers, f.never)
		}
	}
	for range 11 { // 1.70 each, of at most 20.00
		l.MustSend("POST", "/api/intent", newcomer, `{"campaign_id":`+other+`,"signal":{"headline":"h","body":"b","sources":["https://example.org/a"]}}`, nil)
	}
	for _, f := range faces {
		if got := f.reads(); !strings.Contains(got, f.refuses) || strings.Contains(got, f.offers) {
			t.Errorf("%s: got %q, want %q and not %q", f.name, got, f.refuses, f.offers)
		}
	}
	if got := l.tries("market", "show", id); strings.Contains(got, "{") {
		t.Errorf("got %q, want no name in braces", got)
	}
	if got := l.tries(execute...); !strings.Contains(got, reason) {
		t.Errorf("got %q, want the refusal that the faces named", got)
	}
}

// A dry run of a request names the refusal that would come: of a floor price above
// the limit, or of a wallet that does not hold it.
func TestDryRunNamesTheRefusal(t *testing.T) {
	l := liveIn(t)
	l.netctl("--as", "ada", "agent", "claims", "--accept-requests", "--floor", "3")
	send := []string{"--as", "bob", "attention", "send", "ada", "--subject", "s", "--body", "b", "--dry-run", "--max-price"}
	for price, want := range map[string]string{"2": "floor price is 3.00 credits, above your limit", "3": "you can send 0.00"} {
		out, err := exec.Command("netctl", append([]string{"--data", l.Dir}, append(send, price)...)...).CombinedOutput()
		var exit *exec.ExitError
		if refused := errors.As(err, &exit) && exit.ExitCode() == exitConflict; !refused || !strings.Contains(string(out), want) {
			t.Errorf("at most %s: got %v and %s, want %q", price, err, out, want)
		}
	}
	if got := l.netctl("--as", "bob", "attention", "sent", "--jq", "map(select(.price != 0)) | length"); got != "0" {
		t.Errorf("got %s requests with a price, want none", got)
	}
}

// tries runs a command as dora and returns what it printed on a line.
func (l *lived) tries(args ...string) string {
	out, _ := exec.Command("netctl", append([]string{"--data", l.Dir, "--as", "dora", "--yes"}, args...)...).CombinedOutput()
	return strings.Join(strings.Fields(string(out)), " ")
}

func (l *lived) get(path, token string) string {
	l.t.Helper()
	var out rawText
	l.MustSend("GET", path, token, "", &out)
	return string(out)
}

// rawText is JSON as it came.
type rawText []byte

// UnmarshalJSON implements json.Unmarshaler.
func (r *rawText) UnmarshalJSON(b []byte) error { *r = append(rawText(nil), b...); return nil }

// browser reads pages as an agent.
type browser struct {
	http.Client
	t    *testing.T
	base string
}

func (l *lived) pages(token string) *browser {
	l.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		l.t.Fatal(err)
	}
	b := &browser{Client: http.Client{Jar: jar}, t: l.t, base: l.URL}
	r, err := b.PostForm(l.URL+"/login", url.Values{"token": {token}})
	if err != nil {
		l.t.Fatal(err)
	}
	r.Body.Close()
	return b
}

func (b *browser) get(path string) string {
	b.t.Helper()
	path, markdown := strings.CutSuffix(path, "?format=md")
	req, err := http.NewRequest("GET", b.base+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Accept", map[bool]string{false: "text/html", true: "text/markdown"}[markdown])
	r, err := b.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer r.Body.Close()
	page, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		b.t.Fatalf("%s: got %d, %v", path, r.StatusCode, err)
	}
	return html.UnescapeString(string(page))
}

// said calls a tool and returns its answer as it came.
func (f *follower) said(name string, arguments any) string {
	f.t.Helper()
	var out rawText
	if code := f.ask(name, arguments, &out); code != "" {
		return code
	}
	return string(out)
}

func numberOf(text string) (n uint64) {
	n, _ = id(text)
	return n
}
