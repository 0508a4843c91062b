package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

func TestHTTPRefusals(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	big := `{"url":"` + strings.Repeat("x", 70<<10) + `"}`
	for _, c := range []struct {
		name, method, target, body string
		headers                    []string
		status                     int
		code, location             string
	}{
		{"unknown route", "GET", "/api/nothing", "", nil, 404, "route_unknown", ""},
		{"unknown route, POST", "POST", "/api", `{}`, nil, 404, "route_unknown", ""},
		{"wrong method", "DELETE", "/api/health", "", nil, 405, "method_not_allowed", ""},
		{"wrong method of intent", "GET", "/api/intent", "", nil, 405, "method_not_allowed", ""},
		{"body too large", "PUT", "/api/agent/webhook", big, nil, 413, "body_too_large", ""},
		{"hot body too large", "POST", "/api/intent", big, nil, 413, "body_too_large", ""},
		{"text body", "PUT", "/api/agent/webhook", `{"url":""}`, []string{"Content-Type", "text/plain"}, 415, "media_type", ""},
		{"other charset", "PUT", "/api/agent/webhook", `{"url":""}`, []string{"Content-Type", "application/json; charset=latin1"}, 415, "media_type", ""},
		{"malformed", "PUT", "/api/agent/webhook", `{"url"`, nil, 422, "json_malformed", ""},
		{"unknown field", "PUT", "/api/agent/webhook", `{"url":"","a":1}`, nil, 422, "field_unknown", "(unknown field)"},
		{"body where none belongs", "POST", "/api/intent/attention/1/decline", `{"id":1,"x":2}`, nil, 422, "field_unknown", "(unknown field)"},
		{"unknown parameter", "GET", "/api/sponsors?colour=red", "", nil, 422, "parameter_unknown", "query.(unknown parameter)"},
		{"repeated behind a semicolon", "GET", "/api/sponsors?limit=1&limit=2;", "", nil, 422, "value_wrong", "query"},
		{"unreadable bound", "GET", "/api/net/manifest?priority=P1&max_cost=%zz", "", nil, 422, "value_wrong", "query"},
		{"repeated parameter", "GET", "/api/sponsors?limit=1&limit=2", "", nil, 422, "parameter_repeated", "query.limit"},
		{"misspelt parameter", "GET", "/api/sponsors?Limits=3", "", nil, 422, "parameter_unknown", "query.Limits"},
		{"limit of 0", "GET", "/api/sponsors?limit=0", "", nil, 422, "parameter_wrong", "query.limit"},
		{"limit of 201", "GET", "/api/sponsors?limit=201", "", nil, 422, "parameter_wrong", "query.limit"},
		{"limit of words", "GET", "/api/sponsors?limit=many", "", nil, 422, "parameter_wrong", "query.limit"},
		{"id of words", "GET", "/api/market/campaigns/first", "", nil, 422, "parameter_wrong", "path.id"},
		{"unknown tier", "GET", "/directory?tier=GOLD", "", nil, 422, "parameter_wrong", "query.tier"},
		{"unknown priority", "GET", "/api/net/manifest?priority=P9", "", nil, 422, "value_wrong", "query.priority"},
		{"bad account", "GET", "/api/ledger/balances/mine", "", nil, 422, "account_unknown", "path.account"},
		{"bad date", "GET", "/api/badges/explain/ada?date=today", "", nil, 422, "", "query.date"},
		{"long idempotency key", "PUT", "/api/agent/webhook", `{"url":""}`, []string{"Idempotency-Key", strings.Repeat("k", 129)}, 422, "key_malformed", "header.Idempotency-Key"},
		{"strange idempotency key", "POST", "/api/intent", execution(1), []string{"Idempotency-Key", "a\tb"}, 422, "key_malformed", "header.Idempotency-Key"},
		{"other scheme", "GET", "/api/agent/me", "", []string{"Authorization", "Basic YTpi"}, 401, "authorization_malformed", ""},
		{"cross origin", "PUT", "/api/agent/webhook", `{"url":""}`, []string{"Sec-Fetch-Site", "cross-site"}, 403, "cross_origin", ""},
	} {
		var body any
		if c.body != "" {
			body = c.body
		}
		a := f.ask(c.method, c.target, ada, body, c.headers...)
		p := a.problem(c.status, c.code)
		if p.Location != c.location || p.Detail == "" || p.Request == "" || a.Header().Get("X-Request-Id") != p.Request {
			t.Errorf("%s: got %+v, want location %q", c.name, p, c.location)
		}
	}
	if got := f.ask("DELETE", "/api/agent/tokens", ada, nil).Header().Get("Allow"); got != "GET, HEAD, POST" {
		t.Errorf("got Allow %q, want GET, HEAD, POST", got)
	}
}

func TestParametersAreNotEchoed(t *testing.T) {
	f := start(t)
	for _, target := range []string{"/api/market/campaigns/s3cr3t", "/api/sponsors?limit=s3cr3t", "/directory?niche=s3cr3t", "/api/ledger/balances/s3cr3t", "/api/net/stream?after=s3cr3t", "/agent/s3cr3t"} {
		if a := f.ask("GET", target, "", nil); a.Code < 400 || strings.Contains(a.Body.String(), "s3cr3t") {
			t.Errorf("%s: got %d %s, want a refusal without the value", target, a.Code, a.Body)
		}
	}
}

func TestEveryAnswerCarriesItsHeaders(t *testing.T) {
	f := start(t)
	a := f.ask("GET", "/api/health", "", nil, "X-Request-Id", "mine-1")
	for name, want := range map[string]string{"X-Request-Id": "mine-1", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Cache-Control":           "no-store", // a payload in a cache would outlive a blackout
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Access-Control-Allow-Origin": ""} {
		if got := a.Header().Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	// The id is echoed and logged, so what may be a token is not taken over.
	for _, bad := range []string{"a b", strings.Repeat("ab", 32), "ghp_0123456789abcdefghij0123"} {
		if got := f.ask("GET", "/api/health", "", nil, "X-Request-Id", bad).Header().Get("X-Request-Id"); got == bad || len(got) < 20 {
			t.Errorf("got request id %q, want one of our own", got)
		}
	}
}

func TestRequestLog(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	f.log.Reset()
	f.ask("GET", "/agent/ada?sig=abc", ada, nil, "X-Request-Id", "r1")
	var line struct {
		RequestID, Method, Route, Principal string
		Status, Bytes                       int
		Took                                time.Duration
	}
	raw := map[string]any{}
	if err := json.Unmarshal(f.log.Bytes(), &raw); err != nil {
		t.Fatalf("%s: %v", f.log, err)
	}
	line.Route, _ = raw["route"].(string)
	line.Principal, _ = raw["principal"].(string)
	if line.Route != "GET /agent/{slug}" || line.Principal != "ada" || raw["request_id"] != "r1" || raw["status"] != 422.0 || strings.Contains(f.log.String(), "abc") {
		t.Errorf("got %s", f.log)
	}
}

func TestPanicIsAnswered(t *testing.T) {
	f := start(t)
	h := f.envelope(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("inner detail") }))
	p := f.on(h, "GET", "/x", "", nil).problem(500, "internal")
	if strings.Contains(p.Detail, "inner") || !strings.Contains(f.log.String(), "inner detail") || !strings.Contains(f.log.String(), p.Request) {
		t.Errorf("got %+v and log %s, want the detail in the log alone", p, f.log)
	}
	defer func() {
		if recover() != http.ErrAbortHandler {
			t.Error("an abort was swallowed")
		}
	}()
	f.on(f.envelope(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })), "GET", "/x", "", nil)
}

func TestInternalErrorsStayInside(t *testing.T) {
	f := start(t)
	rec := &recorder{ResponseWriter: httptest.NewRecorder(), id: "r9"}
	f.refuse(rec, httptest.NewRequest("GET", "/x", nil), errors.New("disk sda1 is on fire"))
	body := rec.ResponseWriter.(*httptest.ResponseRecorder).Body.String()
	if rec.status != 500 || strings.Contains(body, "sda1") || rec.err == nil {
		t.Errorf("got %d %s, want 500 without the cause, and the cause for the log", rec.status, body)
	}
}

func TestIdempotencyKey(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	f.sponsor("acme", 1000*netkit.Credit)
	one, two := f.campaign("acme", 100*netkit.Credit), f.campaign("acme", 100*netkit.Credit)
	ask := func(body string) answered { return f.ask("POST", "/api/intent", ada, body, "Idempotency-Key", "k1") }
	first := ask(execution(one))
	if again := ask(execution(one)); again.Body.String() != first.Body.String() || first.Code != 200 {
		t.Errorf("got %s, want the receipt again: %s", again.Body, first.Body)
	}
	ask(execution(two)).problem(422, "key_reused")
	// The path belongs to what a key stands for.
	fund := func(id uint64) answered {
		return f.ask("POST", "/api/market/campaigns/"+fmtID(id)+"/fund", f.op, `{"amount":5}`, "Idempotency-Key", "k2")
	}
	fund(one).into(200, new(netkit.ContractReceipt))
	fund(two).problem(422, "key_reused")
}

func TestSpawnIsRetrySafe(t *testing.T) {
	f := start(t)
	token := netkit.Token{7}
	hash := token.SHA256()
	var a, b netkit.Spawned
	f.ask("POST", "/api/agent/spawn", "", netkit.Spawn{Slug: "ada", TokenSHA256: &hash}).into(200, &a)
	f.ask("POST", "/api/agent/spawn", "", netkit.Spawn{Slug: "ada", TokenSHA256: &hash}).into(200, &b)
	if a != b || a.Token != "" || a.Grant != 50*netkit.Credit {
		t.Errorf("got %+v and %+v, want the same receipt without a token", a, b)
	}
	f.ask("POST", "/api/agent/spawn", "", netkit.Spawn{Slug: "ada"}).problem(409, "slug_taken")
	f.ask("GET", "/api/agent/me", token.String(), nil).into(200, new(netkit.OwnProfile))
}

func TestSpawnByInvitation(t *testing.T) {
	f := start(t, func(c *Config) { c.Spawn = SpawnInvite })
	f.ask("POST", "/api/agent/spawn", "", netkit.Spawn{Slug: "ada"}).problem(403, "invitation_needed")
	var in netkit.Invitation
	f.ask("POST", "/api/agent/invites", f.op, `{"expires_in":3600}`).into(200, &in)
	f.ask("POST", in.URL, "", netkit.Spawn{Slug: "ada"}).into(200, new(netkit.Spawned))
	f.ask("POST", in.URL+"0", "", netkit.Spawn{Slug: "bob"}).problem(403, "invitation_needed")
	f.ask("POST", in.URL, "", netkit.Spawn{Slug: "bob"}).problem(403, "invitation_used")
	f.now.add(time.Hour)
	f.ask("POST", in.URL, "", netkit.Spawn{Slug: "bob"}).problem(403, "invitation_needed")
	f.ask("POST", "/api/agent/invites", f.op, `{"expires_in":99999999}`).problem(422, "value_wrong")
}

// An open network uses up the invitation that an agent comes with, so that its address
// spawns no second agent; without a good one the network stays open.
func TestOpenNetworkUsesUpInvitations(t *testing.T) {
	f := start(t, func(c *Config) { c.Spawn = SpawnOpen })
	var in netkit.Invitation
	f.ask("POST", "/api/agent/invites", f.op, `{"expires_in":3600}`).into(200, &in)
	f.ask("POST", in.URL, "", netkit.Spawn{Slug: "ada"}).into(200, new(netkit.Spawned))
	f.ask("POST", in.URL, "", netkit.Spawn{Slug: "bob"}).problem(403, "invitation_used")
	f.ask("POST", in.URL+"0", "", netkit.Spawn{Slug: "bob"}).into(200, new(netkit.Spawned))
	f.ask("POST", "/api/agent/spawn", "", netkit.Spawn{Slug: "cleo"}).into(200, new(netkit.Spawned))
}

// An invitation is good for one agent, also when another server starts on the
// journal, and a spawn that is refused does not use it. What the file of an earlier
// release says counts too.
func TestInvitationIsUsedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "invitations")
	f := start(t, func(c *Config) { c.Spawn, c.Invitations = SpawnInvite, path })
	var one, two, three netkit.Invitation
	f.ask("POST", "/api/agent/invites", f.op, `{}`).into(200, &three)
	f.ask("POST", "/api/agent/invites", f.op, `{}`).into(200, &one)
	f.ask("POST", "/api/agent/invites", f.op, `{}`).into(200, &two)
	if one.URL == two.URL {
		t.Fatal("two invitations are one")
	}
	f.ask("POST", one.URL, "", netkit.Spawn{Slug: "No Slug"}).problem(422, "")
	f.ask("POST", one.URL, "", netkit.Spawn{Slug: "ada"}).into(200, new(netkit.Spawned))
	f.ask("POST", one.URL, "", netkit.Spawn{Slug: "bob"}).problem(403, "invitation_used")
	f.ask("POST", one.URL, "", netkit.Spawn{Slug: "ada"}).problem(409, "slug_taken") // as any retry without its token
	at, err := url.Parse(three.URL)
	if err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("\n{\"id\":%q,\"agent\":\"old\",\"until\":%d}\n{\"id\":", at.Query().Get("id"), f.now.now().Unix()+60)
	if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	if f.usedBefore, _, err = readUsedInvitations(path, f.now.now().Unix()); err != nil {
		t.Fatal(err)
	}
	f.ask("POST", three.URL, "", netkit.Spawn{Slug: "new"}).problem(403, "invitation_used")
	f.ask("POST", three.URL, "", netkit.Spawn{Slug: "old"}).into(200, new(netkit.Spawned))
	f.ask("POST", one.URL, "", netkit.Spawn{Slug: "cleo"}).problem(403, "invitation_used")
	f.ask("POST", two.URL, "", netkit.Spawn{Slug: "cleo"}).into(200, new(netkit.Spawned))
}

// An address that is not there for people takes no parameter that it does not
// know: a misspelt filter must not answer as if nothing had been asked for.
func TestEveryRouteRefusesUnknownParameters(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	value := strings.NewReplacer("{slug}", "ada", "{id}", "1", "{seq}", "1", "{account}", "treasury", "{sha}", strings.Repeat("0", 64), "{path...}", "0/000")
	for op := range catalog.All() {
		token := f.op
		if op == catalog.ExecuteContract {
			token = ada
		}
		if a := f.ask(op.Method, value.Replace(op.Path)+"?colour=red", token, nil); a.Code != 422 && op != catalog.CreatePlant || !strings.Contains(a.Body.String(), "takes no parameters") && !strings.Contains(a.Body.String(), `"parameter_unknown"`) {
			t.Errorf("%s: got %d, want a refusal of the parameter: %s", op.Route(), a.Code, a.Body)
		}
	}
}

// A repeated parameter is refused by every address that has
// parameters, and not by the pages at some of them.
func TestEveryRouteRefusesRepeatedParameters(t *testing.T) {
	f := start(t)
	f.spawn("ada")
	value := strings.NewReplacer("{slug}", "ada", "{id}", "1", "{seq}", "1", "{account}", "treasury", "{sha}", strings.Repeat("0", 64))
	looked := 0
	for at, op := range operations(f.documented()) {
		method, path, _ := strings.Cut(at, " ")
		for _, name := range queryOf(op) {
			looked++
			p := f.ask(method, value.Replace(path)+"?"+name+"=1&"+name+"=1", f.op, nil).problem(422, "parameter_repeated")
			if p.Location != "query."+name {
				t.Errorf("%s: got location %s, want query.%s", at, p.Location, name)
			}
		}
	}
	if looked < 40 {
		t.Errorf("looked at %d parameters, want those of all lists", looked)
	}
	if a := f.ask("GET", "/directory?tier=ELITE&tier=BADGED", "", nil, "Accept", "text/html"); a.Code != 200 {
		t.Errorf("a page: got %d, want 200", a.Code)
	}
}

// A cursor that somebody made up is refused, whichever list it is for.
func TestEveryListRefusesCursorsThatItDidNotGive(t *testing.T) {
	f := start(t)
	f.spawn("ada")
	lists := 0
	for op := range catalog.All() {
		path := strings.NewReplacer("{slug}", "ada", "{account}", "treasury").Replace(op.Path)
		if op.Method != "GET" || f.ask("GET", path+"?cursor=", f.op, nil).Code == 422 {
			continue // takes none
		}
		lists++
		for _, cursor := range []string{"abc", "1", "999999999999"} {
			f.ask("GET", path+"?cursor="+cursor, f.op, nil).problem(422, "cursor_malformed")
		}
	}
	if lists < 10 {
		t.Errorf("got %d lists, that cannot be all", lists)
	}
}

// What is wrong with a parameter is said in our words.
func TestParametersAreRefusedPlainly(t *testing.T) {
	f := start(t)
	acme := f.sponsor("acme", 10*netkit.Credit)
	f.spawn("ada")
	for url, want := range map[string]string{
		"/api/market/campaigns?channel=x":                                  "query.channel must be one of SILICON, LEGAL, POLICY, FINANCE, MEDIA, HEALTH",
		"/api/market/preview?niches=x":                                     "query.niches must be a list such as SILICON,LEGAL",
		"/api/market/preview?executions_per_agent=0":                       "query.executions_per_agent must be at least 1",
		"/api/market/preview?executions_per_agent=9000000":                 "query.executions_per_agent must be at most 1000000",
		"/api/sponsors?limit=x":                                            "query.limit must be a whole number",
		"/api/market/campaigns?matched=x":                                  "query.matched must be true or false",
		"/api/badges/explain/ada?date=2030-01-01":                          "query.date is yet to come",
		"/api/badges/explain/ada?date=x":                                   "query.date must be a date such as 2026-02-20",
		"/api/market/preview?budget=10&min_tier=ELITE&max_tier=UNVERIFIED": "query.max_tier is below min_tier",
	} {
		if p := f.ask("GET", url, acme, nil).problem(422, ""); p.Detail != want {
			t.Errorf("%s: got %q, want %q", url, p.Detail, want)
		}
	}
}

// A refusal names the parameter of the path, and a limit that a body passes.
func TestRefusalsNameTheField(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	if p := f.ask("GET", "/api/market/campaigns/4000000000", "", nil).problem(404, "contract_unknown"); p.Detail != "id names no signal contract" {
		t.Errorf("contract: got %q, want the parameter id", p.Detail)
	}
	p := f.ask("POST", catalog.ExecuteContract.Path, ada, map[string]any{"campaign_id": 1, "signal": map[string]any{"headline": "h", "body": "b", "sources": []string{}}}).problem(422, "")
	if !strings.Contains(p.Detail, "1 to 20") {
		t.Errorf("no sources: got %q, want the limit of 20", p.Detail)
	}
}

// A server needs a key to sign addresses with.
func TestNewNeedsASigningKey(t *testing.T) {
	if _, err := New(Config{Network: start(t).cfg.Network}); err == nil || !strings.Contains(err.Error(), "Config.SigningKey") {
		t.Errorf("got %v, want an error that names Config.SigningKey", err)
	}
}
