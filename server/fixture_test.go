package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/server/audio"
)

// fixture is a server over a journal in memory with a clock that the test
// sets.
type fixture struct {
	*Server
	t    testing.TB
	now  *clock
	log  *bytes.Buffer
	book journal.Store
	op   string // the operator's token
}

type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.t }

func (c *clock) add(d time.Duration) { c.mu.Lock(); c.t = c.t.Add(d); c.mu.Unlock() }

// unlimited lifts the rates and the bound of waiting, which have tests of their own.
var unlimited = Limits{Wait: -1, Party: Rate{-1, 0}, Address: Rate{-1, 0}, Shared: Rate{-1, 0}, Spawn: Rate{-1, 0}}

func start(t testing.TB, change ...func(*Config)) *fixture {
	t.Helper()
	f := &fixture{t: t, now: &clock{t: time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)}, log: new(bytes.Buffer)}
	op := netkit.Token{1, 2, 3}
	f.op = op.String()
	book := journal.NewMemory()
	f.book = book
	law := netkit.Version1()
	law.Economy.GrantForFeed = false   // so that an agent that has just spawned can send attention
	law.Market.UnclearedUnverified = 0 // so that one agent can execute as often as a test needs
	n, err := network.New(context.Background(), network.Config{Store: book, Now: f.now.now, Pause: time.Millisecond, Wait: -1,
		Genesis: &netkit.Genesis{Network: "testnet", Constitution: law, OperatorToken: op}})
	if err != nil {
		t.Fatal(err)
	}
	store, err := audio.New(audio.Config{Dir: t.TempDir(), Now: f.now.now})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Network: n, Audio: store, Log: testLog(t, book), SigningKey: make([]byte, audio.KeySize), Limits: unlimited, Now: f.now.now,
		Logger: slog.New(slog.NewJSONHandler(f.log, nil))}
	for _, c := range change {
		c(&cfg)
	}
	if f.Server, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		f.EndStreams()
		if err := n.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return f
}

// testLog is the log of a journal, with a key that is the same in every run.
func testLog(t testing.TB, book journal.Store, change ...func(*proof.Config)) *proof.Log {
	t.Helper()
	private, _, err := proof.NewKey(bytes.NewReader(make([]byte, 64)), "agentnet/testnet")
	if err != nil {
		t.Fatal(err)
	}
	cfg := proof.Config{Store: book, Key: private}
	for _, c := range change {
		c(&cfg)
	}
	log, err := proof.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// answered is what came back.
type answered struct {
	*httptest.ResponseRecorder
	t testing.TB
}

// ask sends a request; body is JSON text, or a value to be encoded, or nil.
func (f *fixture) ask(method, target, token string, body any, headers ...string) answered {
	f.t.Helper()
	return f.on(f.Handler(), method, target, token, body, headers...)
}

func (f *fixture) on(h http.Handler, method, target, token string, body any, headers ...string) answered {
	f.t.Helper()
	var r io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)
	case []byte:
		r = bytes.NewReader(b)
	default:
		enc, err := json.Marshal(b)
		if err != nil {
			f.t.Fatal(err)
		}
		r = bytes.NewReader(enc)
	}
	req := httptest.NewRequest(method, target, r)
	if r != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	a := answered{rec, f.t}
	a.declared(req)
	return a
}

// catalogued finds the operation of a request in the catalogue.
var catalogued = sync.OnceValue(func() *http.ServeMux {
	m := http.NewServeMux()
	for o := range catalog.All() {
		m.Handle(o.Route(), http.NotFoundHandler())
	}
	return m
})

// declared checks that the code of a refusal is one that the catalogue names
// for the operation.
func (a answered) declared(r *http.Request) {
	a.t.Helper()
	var p netkit.Problem
	if a.Header().Get("Content-Type") != problemType || json.Unmarshal(a.Body.Bytes(), &p) != nil {
		return
	}
	_, pattern := catalogued().Handler(r)
	for o := range catalog.All() {
		if o.Route() == pattern && !o.Refuses(p.Code) {
			a.t.Errorf("%s refuses with %s; name it in its Refusals in netkit/catalog", o.Name, p.Code)
		}
	}
}

// into checks the status and decodes the answer strictly.
func (a answered) into(status int, v any) {
	a.t.Helper()
	if a.Code != status {
		a.t.Fatalf("got %d %s, want %d", a.Code, a.Body, status)
	}
	d := json.NewDecoder(bytes.NewReader(a.Body.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		a.t.Fatalf("%s: %v", a.Body, err)
	}
}

// problem checks that the answer is a problem of that status and code.
func (a answered) problem(status int, code string) netkit.Problem {
	a.t.Helper()
	var p netkit.Problem
	if ct := a.Header().Get("Content-Type"); ct != problemType {
		a.t.Fatalf("got %d %s of type %q, want a problem", a.Code, a.Body, ct)
	}
	a.into(status, &p)
	if p.Status != status || code != "" && p.Code != code {
		a.t.Errorf("got %+v, want %d %s", p, status, code)
	}
	return p
}

// spawn makes an agent and returns its token.
func (f *fixture) spawn(slug string) string {
	f.t.Helper()
	var out netkit.Spawned
	f.ask("POST", "/api/agent/spawn", "", netkit.Spawn{Slug: slug}).into(200, &out)
	return out.Token
}

// token issues a token of the holder with scopes.
func (f *fixture) token(holder string, scopes ...netkit.Scope) netkit.TokenReceipt {
	f.t.Helper()
	var out netkit.TokenReceipt
	f.ask("POST", "/api/agent/tokens", holder, netkit.IssueToken{Scopes: scopes}).into(200, &out)
	return out
}

// sponsor admits a sponsor with funds and returns its token.
func (f *fixture) sponsor(slug string, funds netkit.Credits) string {
	f.t.Helper()
	var out netkit.AdmissionReceipt
	f.ask("POST", "/api/sponsors", f.op, netkit.ProposeSponsor{Sponsor: slug, Name: "Acme"}).into(200, &out)
	if out.State != "admitted" {
		f.t.Fatalf("got %+v, want an admitted sponsor", out)
	}
	var dep netkit.Deposited
	f.ask("POST", "/api/sponsors/"+slug+"/deposits", f.op, fmt.Sprintf(`{"amount":%s,"reference":"wire 1"}`, funds)).into(200, &dep)
	return out.Token
}

// campaign opens a commercial contract.
func (f *fixture) campaign(sponsor string, budget netkit.Credits) uint64 {
	f.t.Helper()
	var out netkit.ContractReceipt
	f.ask("POST", "/api/market/campaigns", f.op, map[string]any{"sponsor": sponsor, "title": "t", "brief": "b", "payload": "p",
		"channel": "SILICON", "budget": budget, "executions_per_agent": 1000}).into(200, &out)
	return out.CampaignID
}

const signal = `{"headline":"Fab line down","body":"Line 3 stopped at noon.","sources":["https://example.org/a"]}`

func execution(campaign uint64) string {
	return fmt.Sprintf(`{"campaign_id":%d,"signal":%s}`, campaign, signal)
}

func fmtID(id uint64) string { return strconv.FormatUint(id, 10) }

func cmpDiff(want, got any) string { return cmp.Diff(want, got) }

func sortStrings(s []string) { slices.Sort(s) }

func schemaOf(r huma.Registry, v any) *huma.Schema { return r.Schema(reflect.TypeOf(v), false, "") }
