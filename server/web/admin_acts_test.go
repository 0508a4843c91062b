package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/web"
)

// An operator grants a role, invites, asks to revoke a badge, reinstates and opens
// the exchange by forms.
func TestOperatorsActs(t *testing.T) {
	w := found(t)
	w.spawn("ada")
	v := w.visitor()
	v.login(w.op)
	wantAll(t, "the desk", v.said("/admin/role", "agent", "ada", "role", "correspondent", "grant", "yes", "reason", "trial"), "ada has the role now")
	wantAll(t, "the desk", v.said("/admin/role", "agent", "ada", "role", "correspondent", "grant", "no", "reason", "over"), "ada has the role no more")
	page := v.said("/admin/invite")
	if address := between(page, `id="the-link" class="break" href="`, `"`); !strings.Contains(address, "sig=") {
		t.Errorf("got the invitation %q, want a signed address", address)
	}
	if strings.Contains(v.get("/admin").text, "sig=") {
		t.Error("the invitation is shown twice")
	}
	wantAll(t, "the desk", v.said("/admin/exchange", "reason", "enough inventory"), "The exchange is open")
	for act, fields := range map[string][]string{
		"revoke":    {"agent", "ada", "badge", "FIELD_AGENT", "reason", "copied"},
		"reinstate": {"agent", "ada", "reason", "settled"},
		"exchange":  {"reason", "again"},
	} {
		if got := v.form("/admin/"+act, fields...); got.StatusCode < 400 || got.StatusCode >= 500 || !strings.Contains(got.text, "That did not work") {
			t.Errorf("%s without a cause: got %d, want a refusal on the page", act, got.StatusCode)
		}
	}
}

// An operator revokes the token of another party with a reason, which is public.
func TestOperatorRevokesAToken(t *testing.T) {
	w := found(t)
	token := w.spawn("ada")
	w.post(token, "/api/agent/tokens", `{"scopes":["read"]}`, nil)
	all, err := w.net.As("ada").Tokens(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatalf("got %+v, %v, want two tokens", all, err)
	}
	v := w.visitor()
	v.login(w.op)
	wantAll(t, "the desk", v.get("/admin").text, "Revoke a token", "/ledger?kind=token.issued")
	second, first := fmt.Sprint(all[1].TokenID), fmt.Sprint(all[0].TokenID)
	got := v.form("/admin/token", "token_id", second, "reason", " ")
	wantAll(t, "the refused form", got.text, "That did not work", `value="`+second+`"`)
	if got.StatusCode != 422 {
		t.Errorf("without a reason: got %d, want 422", got.StatusCode)
	}
	wantAll(t, "the desk", v.said("/admin/token", "token_id", second, "reason", "seen in a public log"), "Token "+second+" of ada is revoked.")
	entry := between(v.get("/ledger?kind=token.revoked").text, `class="seq num" href="`, `"`)
	wantAll(t, "the entry", v.get(entry).text, "Token revoked", "seen in a public log")
	wantAll(t, "the desk", v.said("/admin/token", "token_id", first, "reason", "the other too"), "It was the last one: ada cannot act")
	if got := v.form("/admin/token", "token_id", first, "reason", "again"); got.StatusCode != 404 {
		t.Errorf("a token that is revoked: got %d, want 404", got.StatusCode)
	}
}

// Names that a path cannot hold name nobody; they are no fault of the network.
func TestNamesThatNoPathHolds(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.op)
	for _, slug := range []string{"", ".", ".."} {
		if got := v.form("/admin/role", "agent", slug, "role", "correspondent", "grant", "yes", "reason", "trial"); got.StatusCode != 404 {
			t.Errorf("a role for %q: got %d, want 404", slug, got.StatusCode)
		}
	}
	for _, slug := range []string{".", ".."} {
		if got := v.get("/badges?agent=" + slug); got.StatusCode != 404 {
			t.Errorf("the badges of %q: got %d, want 404", slug, got.StatusCode)
		}
	}
}

// The desk of a new network says what is still to do, until an agent was paid.
func TestChecklistOfANewNetwork(t *testing.T) {
	w := found(t)
	v := w.visitor()
	v.login(w.op)
	wantAll(t, "the desk", v.get("/admin").text, "To begin with", "Propose a sponsor, done", "See a first execution")
	w.execute(w.spawn("ada"))
	if strings.Contains(v.get("/admin").text, "To begin with") {
		t.Error("the checklist stays when all is done")
	}
}

// The ledger shows entries by kind, actor and date, and jumps to one.
func TestLedgerFilters(t *testing.T) {
	w := found(t)
	w.spawn("ada")
	w.spawn("bob")
	v := w.visitor()
	spawned := v.get("/ledger?kind=agent.spawned").text
	wantAll(t, "the filtered ledger", spawned, "by ada", "by bob")
	if strings.Contains(between(spawned, `class="rows book"`, "</ol>"), "Contract") {
		t.Error("another kind is among those that were asked for")
	}
	if got := between(v.get("/ledger?kind=agent.spawned&actor=ada").text, `class="rows book"`, "</ol>"); strings.Contains(got, "bob") || !strings.Contains(got, "by ada") {
		t.Errorf("got %q, want ada's alone", got)
	}
	today := time.Now().UTC().Format(time.DateOnly)
	wantAll(t, "the ledger up to today", v.get("/ledger?date="+today).text, "by bob")
	wantAll(t, "the ledger before the network", v.get("/ledger?date=2020-01-01").text, "No entry matches")
	if got := v.get("/ledger?date=tomorrow").StatusCode; got != 422 {
		t.Errorf("no date: got %d, want 422", got)
	}
	wantAll(t, "a kind that is none", v.get("/ledger?kind=nonsense").text, "No entry matches")
}

// The market says what a contract pays the agent that looks.
func TestMarketPaysYou(t *testing.T) {
	w := found(t)
	v := w.visitor()
	if strings.Contains(v.get("/market").text, "Pays you") {
		t.Error("nobody is told what a contract pays")
	}
	v.login(w.spawn("ada"))
	wantAll(t, "the market", v.get("/market").text, "Pays you", "<b>1.70</b>")
	wantAll(t, "the search", v.get("/search?q=wafer").text, "Pays you")
}

// At the end of onboarding an agent gets commands that hold its token, whichever
// channels it chose.
func TestConnectYourAgent(t *testing.T) {
	for name, channels := range map[string][]string{"one channel": {"channels", "SILICON"}, "all channels": nil} {
		t.Run(name, func(t *testing.T) { connectsAgent(t, channels) })
	}
}

func connectsAgent(t *testing.T, channels []string) {
	w := found(t)
	token := w.spawn("ada")
	v := w.visitor()
	v.login(token)
	v.form("/admin/agent-setup/claims", "niche", "SILICON", "attention_floor_price", "1")
	v.form("/admin/agent-setup/channels", channels...)
	law, err := w.net.As("").Constitution(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v.form("/admin/agent-setup/constitution", "sha256", law.SHA256.String())
	w.execute(token)
	got := v.get("/admin/agent-setup")
	wantAll(t, "the end", got.text, "Connect your agent", "Bearer "+token, w.url+"/api/agent/me", "urllib.request")
	if said := callTool(t, "{"+between(html.UnescapeString(got.text), `<pre tabindex="0">{`, "</pre>"), "whoami"); !strings.Contains(said, `"slug":"ada"`) {
		t.Errorf("a client of models with that configuration gets %q, want ada's profile", said)
	}
	if cache := got.Header.Get("Cache-Control"); !strings.Contains(cache, "no-store") {
		t.Errorf("got Cache-Control %q, want no-store for a page with a token", cache)
	}
	wantAll(t, "the step on diversity", v.get("/admin/agent-setup?step=diversity").text, "0.30")
	wantAll(t, "the step on playbooks", v.get("/admin/agent-setup?step=playbooks").text, "netctl btdt register")
}

// callTool calls a tool as a client with that configuration does.
func callTool(t *testing.T, configuration, tool string) string {
	t.Helper()
	var c struct {
		Servers map[string]struct {
			Type, URL string
			Headers   map[string]string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(configuration), &c); err != nil || c.Servers["netctl"].Type != "http" {
		t.Fatalf("%v in %s", err, configuration)
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":{}}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.Servers["netctl"].URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range c.Servers["netctl"].Headers {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out struct {
		Result struct{ StructuredContent json.RawMessage }
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		t.Error(err)
	}
	return string(out.Result.StructuredContent)
}

// Operators see the servers of a cluster, and the page of one server names none.
func TestDeskShowsServers(t *testing.T) {
	servers := func(context.Context) []web.Server {
		return []web.Server{{Name: "oak", Role: "leader", Address: "10.0.0.1:7700", Entries: 12345}, {Name: "elm", Role: "voter", Behind: 77, Problem: "connection <refused>"}}
	}
	f := found(t, func(c *server.Config) { c.Servers = servers })
	v := f.visitor()
	v.login(f.op)
	wantAll(t, "the desk", v.get("/admin").text, "Servers of this network", "oak", "leader", "10.0.0.1:7700", "12\u202f345", "elm", "77", "connection &lt;refused&gt;")
	alone := found(t)
	v = alone.visitor()
	v.login(alone.op)
	if strings.Contains(v.get("/admin").text, "Servers of this network") {
		t.Error("the desk of one server lists servers")
	}
}
