package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/audio"
)

// town is a running network with an operator, a sponsor with funds and one
// open contract.
type town struct {
	t        testing.TB
	net      *network.Network
	cfg      server.Config
	book     journal.Store
	key      string // private key of the log
	url      string
	op       string // the operator's token
	contract uint64
}

func found(t testing.TB, change ...func(*server.Config)) *town {
	t.Helper()
	return foundUnder(t, netkit.Version1(), change...)
}

// foundUnder is found with another constitution.
func foundUnder(t testing.TB, law *netkit.Constitution, change ...func(*server.Config)) *town {
	t.Helper()
	op := netkit.Token{1, 2, 3}
	book := journal.NewMemory()
	law.Feed.AudioRequired = nil // dispatches of a few words are enough here
	n, err := network.New(context.Background(), network.Config{Store: book, Wait: -1, Genesis: &netkit.Genesis{Network: "testnet", Constitution: law, OperatorToken: op}})
	if err != nil {
		t.Fatal(err)
	}
	store, err := audio.New(audio.Config{Dir: t.TempDir(), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	free := server.Rate{PerSecond: -1}
	private, _, err := proof.NewKey(bytes.NewReader(make([]byte, 64)), "agentnet/testnet")
	if err != nil {
		t.Fatal(err)
	}
	log, err := proof.New(context.Background(), proof.Config{Store: book, Key: private})
	if err != nil {
		t.Fatal(err)
	}
	cfg := server.Config{Network: n, Audio: store, SigningKey: make([]byte, audio.KeySize), Log: log,
		Limits: server.Limits{Party: free, Address: free, Shared: free, Spawn: free}}
	for _, c := range change {
		c(&cfg)
	}
	s, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.EndStreams()
		ts.CloseClientConnections()
		ts.Close()
		if err := n.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	w := &town{t: t, net: n, cfg: cfg, book: book, key: private, url: ts.URL, op: op.String()}
	w.post(w.op, "/api/sponsors", `{"sponsor":"acme","name":"Acme Research"}`, nil)
	w.post(w.op, "/api/sponsors/acme/deposits", `{"amount":5000,"reference":"wire 1"}`, nil)
	w.contract = w.open("Wafer supply, weekly", "Watch list: fabs of the north")
	return w
}

// again makes another server of the same network.
func (w *town) again(change func(*server.Config)) *server.Server {
	w.t.Helper()
	cfg := w.cfg
	change(&cfg)
	s, err := server.New(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// logTo makes a logger that writes there.
func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewJSONHandler(w, nil)) }

// post sends JSON to the interface as the holder of a token.
func (w *town) post(token, path, body string, out any) {
	w.t.Helper()
	req, err := http.NewRequest("POST", w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if resp.StatusCode != 200 {
		w.t.Fatalf("POST %s: got %d %s, want 200", path, resp.StatusCode, text)
	}
	if out != nil {
		if err := json.Unmarshal(text, out); err != nil {
			w.t.Fatal(err)
		}
	}
}

// open opens a commercial contract and returns its id.
func (w *town) open(title, payload string) uint64 {
	w.t.Helper()
	body, err := json.Marshal(map[string]any{"sponsor": "acme", "title": title, "brief": "Say what moved, and who says so.", "payload": payload,
		"channel": "SILICON", "budget": 100, "executions_per_agent": 10})
	if err != nil {
		w.t.Fatal(err)
	}
	var out netkit.ContractReceipt
	w.post(w.op, "/api/market/campaigns", string(body), &out)
	return out.CampaignID
}

// spawn makes an agent and returns its token.
func (w *town) spawn(slug string) string {
	w.t.Helper()
	var out netkit.Spawned
	w.post("", "/api/agent/spawn", `{"slug":"`+slug+`"}`, &out)
	return out.Token
}

// execute executes the contract as an agent and returns the execution's id.
func (w *town) execute(token string) uint64 {
	w.t.Helper()
	var out netkit.Execution
	w.post(token, "/api/intent", fmt.Sprintf(`{"campaign_id":%d,"signal":{"headline":"Line down","body":"Line 3 stopped.","sources":["https://example.org/a"]}}`, w.contract), &out)
	return out.ExecutionID
}

// crisis publishes a P0 dispatch.
func (w *town) crisis() uint64 {
	w.t.Helper()
	var out netkit.DispatchReceipt
	w.post(w.op, "/api/net/dispatches", `{"priority":"P0","channel":"POLICY","headline":"Grid failure in the north","summary":"No power north of the river."}`, &out)
	return out.DispatchID
}

// browserless is a visitor without a script: it keeps cookies and follows
// redirects.
type browserless struct {
	t testing.TB
	*http.Client
	base   string
	cookie *http.Cookie
}

func (w *town) visitor() *browserless {
	return &browserless{t: w.t, base: w.url, Client: &http.Client{Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// shown is a page that came.
type shown struct {
	*http.Response
	text string
}

func (b *browserless) get(path string, headers ...string) shown {
	return b.do("GET", path, nil, headers...)
}

// form sends fields, as name, value, name, value.
func (b *browserless) form(path string, fields ...string) shown {
	var body bytes.Buffer
	for i := 0; i+1 < len(fields); i += 2 {
		if i > 0 {
			body.WriteByte('&')
		}
		fmt.Fprintf(&body, "%s=%s", escape(fields[i]), escape(fields[i+1]))
	}
	return b.do("POST", path, &body)
}

func (b *browserless) do(method, path string, body io.Reader, headers ...string) shown {
	b.t.Helper()
	req, err := http.NewRequest(method, b.base+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	if method == "POST" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	if b.cookie != nil {
		req.AddCookie(b.cookie)
	}
	resp, err := b.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range resp.Cookies() {
		b.cookie = c
	}
	return shown{resp, string(text)}
}

// login signs in with a token.
func (b *browserless) login(token string) shown { return b.form("/login", "token", token) }
