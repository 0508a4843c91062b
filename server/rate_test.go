package server

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

func TestRates(t *testing.T) {
	f := start(t, func(c *Config) {
		c.Limits = Limits{Party: Rate{1, 3}, Address: Rate{2, 4}, Spawn: Rate{0.5, 2}}
	})
	for i := range 4 {
		a := f.ask("GET", "/api/health", "", nil)
		if a.Code != 200 || a.Header().Get("RateLimit-Policy") != `"address";q=4;w=2` {
			t.Fatalf("request %d: got %d %v", i, a.Code, a.Header())
		}
		if got, want := a.Header().Get("RateLimit"), `"address";r=`+strconv.Itoa(3-i)+`;t=1`; got != want {
			t.Errorf("request %d: got %s, want %s", i, got, want)
		}
	}
	a := f.ask("GET", "/api/health", "", nil)
	if p := a.problem(429, "rate_limited"); p.RetryAfter != 1 || a.Header().Get("Retry-After") != "1" {
		t.Errorf("got %+v, want to try again after 1 s", p)
	}
	// A party has a bucket of its own, and bad tokens count for the address.
	for range 3 {
		f.ask("GET", "/api/health", f.op, nil).into(200, new(netkit.Health))
	}
	f.ask("GET", "/api/health", f.op, nil).problem(429, "rate_limited")
	f.ask("GET", "/api/health", netkit.Token{9}.String(), nil).problem(429, "rate_limited")
	f.now.add(time.Second)
	f.ask("GET", "/api/health", "", nil).into(200, new(netkit.Health))
	f.ask("GET", "/api/health", netkit.Token{9}.String(), nil).problem(401, "token_unknown")
}

func TestRatesThatLetNobodyThrough(t *testing.T) {
	for _, c := range []struct {
		rate Rate
		ok   bool
	}{
		{Rate{}, true}, // the default
		{Rate{-1, 0}, true},
		{Rate{0.5, 1}, true},
		{Rate{0, 5}, false},
		{Rate{5, 0}, false},
		{Rate{5, -1}, false},
	} {
		l := Limits{Address: c.rate}
		l.complete()
		if err := l.check(); (err == nil) != c.ok {
			t.Errorf("%+v: got %v, want ok %t", c.rate, err, c.ok)
		}
	}
}

func TestSpawnRate(t *testing.T) {
	f := start(t, func(c *Config) { c.Limits.Spawn = Rate{0.1, 2} })
	f.spawn("ada")
	f.spawn("bob")
	if p := f.ask("POST", "/api/agent/spawn", "", netkit.Spawn{Slug: "eve"}).problem(429, "rate_limited"); p.RetryAfter != 10 {
		t.Errorf("got %+v, want to try again after 10 s", p)
	}
	f.now.add(10 * time.Second)
	f.spawn("eve")
}

// However many callers come, memory stays bounded, and those who go on asking
// are not forgotten.
func TestLimiterIsBounded(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLimiter("address", Rate{1, 5}, func() time.Time { return now })
	for range 5 {
		if err := l.allow(http.Header{}, "busy"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 * remembered {
		if err := l.allow(http.Header{}, strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
		if i%1000 == 0 && l.allow(http.Header{}, "busy") == nil {
			t.Fatalf("after %d others: a spent bucket was full again", i)
		}
	}
	if n := len(l.young) + len(l.old); n > 2*remembered {
		t.Errorf("got %d buckets, want at most %d", n, 2*remembered)
	}
}

// More tokens give a party no more requests, and more parties give an address
// no more than what all of them share.
func TestRatesAreOfPartiesAndAddresses(t *testing.T) {
	f := start(t, func(c *Config) { c.Limits.Party, c.Limits.Shared = Rate{1, 3}, Rate{1, 5} })
	ada, bob := f.spawn("ada"), f.spawn("bob")
	second := f.token(ada, netkit.ScopeRead).Token
	ask := func(token string) answered { return f.ask("GET", "/api/health", token, nil) }
	for _, token := range []string{second, ada} {
		ask(token).into(200, new(netkit.Health))
	}
	for _, token := range []string{ada, second} {
		if p := ask(token).problem(429, "rate_limited"); p.Detail != "too many requests from this party" {
			t.Errorf("got %q, want it of the party", p.Detail)
		}
	}
	if p := ask(bob).problem(429, "rate_limited"); p.Detail != "too many requests from this address" {
		t.Errorf("got %q, want it of the address", p.Detail)
	}
	f.now.add(time.Second)
	ask(bob).into(200, new(netkit.Health))
}

func TestSourceOfARequest(t *testing.T) {
	for remote, want := range map[string]string{"192.0.2.7:99": "192.0.2.7", "[2001:db8:1:2:3:4:5:6]:99": "2001:db8:1:2::", "127.0.0.1:1": "", "[::1]:1": "", "pipe": ""} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = remote
		if got := source(r); got != want {
			t.Errorf("%s: got %q, want %q", remote, got, want)
		}
	}
}

// Two visitors of one trusted proxy have limits of their own.
func TestVisitorsOfAProxyAreLimitedAlone(t *testing.T) {
	f := start(t, func(c *Config) {
		c.Proxies, c.Limits.Address = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, Rate{PerSecond: 0.001, Burst: 2}
	})
	ask := func(visitor string) int {
		r, w := httptest.NewRequest("GET", "/api/health", nil), httptest.NewRecorder()
		r.RemoteAddr = "192.0.2.1:1"
		r.Header.Set("X-Forwarded-For", visitor)
		f.Handler().ServeHTTP(w, r)
		return w.Code
	}
	for i, want := range []int{200, 200, 429} {
		if got := ask("198.51.100.1"); got != want {
			t.Errorf("request %d of the first: got %d, want %d", i, got, want)
		}
	}
	if got := ask("198.51.100.2"); got != 200 {
		t.Errorf("the second: got %d, want 200", got)
	}
}

// A hop that cannot be read is named in the log once, and never its text.
func TestUnreadableHopIsLoggedOnce(t *testing.T) {
	f := start(t, func(c *Config) { c.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} })
	for _, hop := range []string{"198.51.100.1:99", "[2001:db8::1]", "junk-hop", "unknown", "junk-hop"} {
		r := httptest.NewRequest("GET", "/api/health", nil)
		r.RemoteAddr = "192.0.2.1:1"
		r.Header.Set("X-Forwarded-For", hop)
		f.Handler().ServeHTTP(httptest.NewRecorder(), r)
	}
	log := f.log.String()
	if got := strings.Count(log, "X-Forwarded-For"); got != 1 || strings.Contains(log, "junk-hop") {
		t.Errorf("got %d warnings, want 1 without the hop:\n%s", got, log)
	}
	if !strings.Contains(log, `"address":"2001:db8::"`) || !strings.Contains(log, `"address":"198.51.100.1"`) {
		t.Errorf("a hop with a port or brackets does not count:\n%s", log)
	}
}

// What an answer reads beyond Limits.Entries is charged as more requests.
func TestReadsAreChargedByEntries(t *testing.T) {
	f := start(t, func(c *Config) {
		c.Limits.Address, c.Limits.Party, c.Limits.Entries = Rate{1, 100}, Rate{1, 100}, 10
	})
	ada := f.spawn("ada")
	f.sponsor("acme", 1000*netkit.Credit)
	var id uint64
	for range 35 {
		id = f.campaign("acme", 10*netkit.Credit)
		f.ask("POST", "/api/intent", ada, execution(id)).into(200, new(netkit.Execution))
	}
	left := func(token string) int {
		n, rest, _ := strings.Cut(strings.TrimPrefix(f.ask("GET", "/api/health", token, nil).Header().Get("RateLimit"), `"party";r=`), ";")
		n = strings.TrimPrefix(n, `"address"`)
		if n == "" {
			n, _, _ = strings.Cut(strings.TrimPrefix(rest, "r="), ";")
		}
		got, err := strconv.Atoi(n)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	eve := f.spawn("eve")
	for _, token := range []string{"", eve} {
		for target, want := range map[string]int{
			"/api/executions?sponsor=acme":      3, // 35 entries: itself, and three more
			"/api/executions?state=returned":    0,
			"/api/executions?agent=ada&limit=9": 0,
			"/api/health":                       0,
		} {
			before := left(token)
			f.ask("GET", target, token, nil).into(200, new(map[string]any))
			if got := before - left(token) - 2; got != want { // this one, and the one that asks what is left
				t.Errorf("%s by %q: got %d requests more, want %d", target, token, got, want)
			}
		}
	}
}
