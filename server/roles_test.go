package server

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// access is the whole interface and what each operation asks of a token, as
// the design states it. Routes are compared with it both ways.
var access = map[netkit.Scope]string{
	catalog.Public: `GET /api/health
GET /openapi.json
GET /plants/openapi.json
GET /api/agent/constitution
POST /api/agent/spawn
POST /mcp
GET /llms.txt
GET /tools.json
GET /robots.txt
GET /.well-known/agent-card.json
GET /.well-known/jwks.json
GET /agent/{slug}/agent-card.json
GET /directory
GET /agent/{slug}
GET /agent/{slug}/explain
GET /api/net/manifest
GET /api/net/dispatches/{id}
GET /api/net/crisis
GET /audio/{sha}
GET /transcripts/{sha}
GET /api/net/stream
GET /feed.rss
GET /feed.json
GET /api/market/campaigns
GET /api/market/campaigns/{id}
GET /api/sponsors
GET /api/sponsors/{slug}
GET /api/badges/night
GET /api/badges/explain/{slug}
GET /api/rogues
GET /api/exchange
GET /api/executions
GET /api/market/agents
GET /api/executions/{id}
GET /api/ledger/entries
GET /api/ledger/entries/{seq}
GET /api/ledger/accounts/{account}
GET /api/ledger/balances/{account}
GET /api/ledger/conservation
GET /checkpoint
GET /tile/{path...}
GET /api/ledger/entries/{seq}/proof
GET /agent/{slug}/credential
GET /api/log/key`,
	netkit.ScopeRead: `GET /api/agent/me
GET /api/agent/notices
GET /api/intent/attention/inbox
GET /api/intent/attention/sent
GET /api/intent/attention/{id}
GET /api/market/preview
GET /api/settlements/preview
GET /api/review/cases
GET /api/review/flags
GET /api/review/cases/{id}`,
	netkit.ScopeSelf: `PUT /api/agent/claims
PUT /api/agent/channels
POST /api/agent/wallet
POST /api/agent/wallet/confirm
POST /api/agent/constitution/accept
GET /api/agent/tokens
POST /api/agent/tokens
DELETE /api/agent/tokens/{id}
PUT /api/agent/webhook
GET /api/agent/webhook
POST /api/agent/webhook/secret
POST /api/agent/webhook/test
GET /api/agent/webhook/attempts
POST /api/agent/webhook/attempts/{id}/resend
POST /api/agent/webhook/replay`,
	netkit.ScopeFeed: `POST /api/net/dispatches
POST /api/net/audio
POST /api/net/transcripts`,
	netkit.ScopeMarket: `POST /api/market/campaigns
POST /api/market/campaigns/{id}/fund
POST /api/market/campaigns/{id}/close
POST /api/market/campaigns/{id}/invitations
POST /api/market/campaigns/{id}/pace
POST /api/market/agents
POST /api/market/campaigns/{id}/accept
POST /api/executions/{id}/accept
POST /api/executions/{id}/return
POST /api/settlements/bulk`,
	netkit.ScopeIntent: `POST /api/intent
POST /api/intent/bulk
POST /api/intent/preview`,
	netkit.ScopeSend: `POST /api/intent/attention
POST /api/intent/attention/answer/bulk
POST /api/intent/attention/preview
POST /api/intent/attention/{id}/answer
POST /api/intent/attention/{id}/decline`,
	netkit.ScopeReview: `GET /api/witness
POST /api/net/dispatches/{id}/renew
POST /api/witness/{id}
POST /api/review/reports
POST /api/review/cases/{id}/verdict
POST /api/review/cases/{id}/appeal`,
	netkit.ScopeBTDT: `POST /api/btdt/commit
POST /api/btdt/register
GET /api/btdt/inventory`,
	netkit.ScopePlants: `POST /plants`,
	netkit.ScopeAdmin: `POST /api/agent/invites
POST /api/agents/{slug}/roles
POST /api/agents/{slug}/reinstate
POST /api/agents/{slug}/recover
POST /api/operators
POST /api/net/dispatches/{id}/resolve
POST /api/sponsors
POST /api/sponsors/{slug}/deposits
POST /api/sponsors/{slug}/stop
POST /api/badges/night
POST /api/badges/revocations
POST /api/ledger/entries/{seq}/erase
POST /api/review/cases/{id}/decide
POST /api/exchange/open
POST /api/exchange/close
POST /api/constitution/adopt`,
}

// role is a kind of caller.
type role struct {
	name, token string
	stranger    bool           // the token stands for nobody
	operator    bool           // scope admin counts
	scopes      []netkit.Scope // of the token
}

func (r *role) may(scope netkit.Scope) (allowed bool, status int) {
	switch {
	case r.stranger:
		return false, 401 // a bad token is refused wherever it is sent
	case scope == catalog.Public:
		return true, 0
	case r.token == "":
		return false, 401
	case scope == netkit.ScopePlants && !r.operator && !slices.Contains(r.scopes, scope):
		return false, 403
	case !slices.Contains(r.scopes, scope) && !slices.Contains(r.scopes, netkit.ScopeAll), scope == netkit.ScopeAdmin && !r.operator:
		return false, 403
	}
	return true, 0
}

func (f *fixture) roles() []role {
	ada, bob := f.spawn("ada"), f.spawn("bob")
	var expiring netkit.TokenReceipt
	f.ask("POST", "/api/agent/tokens", ada, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAll}, ExpiresAt: netkit.At(f.now.now().Add(time.Hour))}).into(200, &expiring)
	revoked := f.token(bob, netkit.ScopeAll)
	f.ask("DELETE", "/api/agent/tokens/"+fmtID(revoked.TokenID), bob, nil).into(200, new(netkit.TokenReceipt))
	sponsor := f.sponsor("acme", 100*netkit.Credit)
	roles := []role{
		{name: "anonymous"},
		{name: "agent", token: ada, scopes: []netkit.Scope{netkit.ScopeAll}},
		{name: "sponsor", token: sponsor, scopes: []netkit.Scope{netkit.ScopeAll}},
		{name: "operator", token: f.op, scopes: []netkit.Scope{netkit.ScopeAll}, operator: true},
		{name: "foreign", token: netkit.Token{9}.String(), stranger: true},
		{name: "malformed", token: "nk_short", stranger: true},
		{name: "expired", token: expiring.Token, stranger: true},
		{name: "revoked", token: revoked.Token, stranger: true},
	}
	for scope := range access {
		if scope != catalog.Public && scope != netkit.ScopeAdmin {
			in, issuer := netkit.IssueToken{Scopes: []netkit.Scope{scope}}, bob
			if scope == netkit.ScopePlants {
				in.For, issuer = "bob", f.op
			}
			var out netkit.TokenReceipt
			f.ask("POST", "/api/agent/tokens", issuer, in).into(200, &out)
			roles = append(roles, role{name: "agent with " + string(scope), token: out.Token, scopes: []netkit.Scope{scope}})
		}
	}
	roles = append(roles, role{name: "operator with plants", token: f.token(f.op, netkit.ScopePlants).Token, scopes: []netkit.Scope{netkit.ScopePlants}, operator: true})
	f.now.add(2 * time.Hour)
	return roles
}

func TestEveryRoleOnEveryRoute(t *testing.T) {
	f := start(t)
	roles := f.roles()
	for scope, lines := range access {
		for line := range strings.SplitSeq(lines, "\n") {
			for _, r := range roles {
				f.checkAccess(line, scope, &r)
			}
		}
	}
}

func (f *fixture) checkAccess(line string, scope netkit.Scope, r *role) {
	f.t.Helper()
	method, path, _ := strings.Cut(line, " ")
	path = strings.NewReplacer("{slug}", "nobody", "{id}", "999999", "{seq}", "999999", "{account}", "wallet:nobody", "{path...}", "0/000", "{sha}", strings.Repeat("0", 64)).Replace(path)
	ctx, cancel := context.WithCancel(context.Background())
	if path == "/api/net/stream" {
		cancel() // it would go on for ever
	}
	defer cancel()
	req := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(""))
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	rec := httptest.NewRecorder()
	f.Handler().ServeHTTP(rec, req)
	allowed, want := r.may(scope)
	body := rec.Body.String()
	denied := rec.Code == 401 || strings.Contains(body, `"scope_missing"`) || strings.Contains(body, `"operators_only"`)
	if path == "/plants" {
		denied = rec.Code == 401 || rec.Code == 403
	}
	switch {
	case allowed && denied:
		f.t.Errorf("%s as %s: got %d %s, want it let through", line, r.name, rec.Code, body)
	case !allowed && rec.Code != want:
		f.t.Errorf("%s as %s: got %d %s, want %d", line, r.name, rec.Code, body, want)
	case rec.Code >= 500:
		f.t.Errorf("%s as %s: got %d %s", line, r.name, rec.Code, body)
	case want == 401 && rec.Header().Get("WWW-Authenticate") == "":
		f.t.Errorf("%s as %s: got no WWW-Authenticate", line, r.name)
	}
}

func TestRoutesAreThoseOfTheDesign(t *testing.T) {
	f := start(t)
	var got, want []string
	for _, r := range f.routes() {
		got = append(got, string(r.Scope)+" "+r.Method+" "+r.Path)
	}
	for scope, lines := range access {
		for line := range strings.SplitSeq(lines, "\n") {
			want = append(want, string(scope)+" "+line)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmpDiff(want, got); diff != "" {
		t.Errorf("routes (-want +got):\n%s", diff)
	}
}

func TestRouteWithoutScopeIsRefused(t *testing.T) {
	f := start(t)
	r := get(&catalog.Operation{Method: "GET", Path: "/api/x", Summary: "x"}, func(context.Context, *request, *none) (netkit.Health, error) { return f.net.Health(), nil })
	if _, err := f.build([]route{r}); err == nil {
		t.Error("got no error for a route that declares no scope")
	}
}

// What a token does must not go beyond it by issuing another.
func TestNarrowTokenCannotWiden(t *testing.T) {
	f := start(t)
	narrow := f.token(f.spawn("ada"), netkit.ScopeSelf)
	f.ask("POST", "/api/agent/tokens", narrow.Token, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAll}}).problem(403, "")
	f.ask("POST", "/api/agent/tokens", narrow.Token, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeIntent}}).problem(403, "")
}

// An operator that revokes an agent's token without a reason is asked for one,
// and the public entry holds it.
func TestRevokingATokenOfAnotherNeedsAReason(t *testing.T) {
	f := start(t)
	ada := f.spawn("ada")
	issued := f.token(ada, netkit.ScopeRead)
	path := "/api/agent/tokens/" + fmtID(issued.TokenID)
	for _, body := range []any{nil, `{}`, `{"reason":""}`} {
		if p := f.ask("DELETE", path, f.op, body).problem(422, "reason_missing"); p.Location != "reason" || p.Law != "L6" {
			t.Errorf("got %+v, want a reason under L6", p)
		}
	}
	var r netkit.TokenReceipt
	f.ask("DELETE", path, f.op, `{"reason":"it leaked"}`).into(200, &r)
	if got := f.ask("GET", "/api/ledger/entries/"+fmtID(r.Seq), "", nil).Body.String(); !strings.Contains(got, `"reason":"it leaked"`) {
		t.Errorf("got %s, want the reason", got)
	}
	own := f.token(ada, netkit.ScopeRead)
	f.ask("DELETE", "/api/agent/tokens/"+fmtID(own.TokenID), ada, nil).into(200, &r)
}
