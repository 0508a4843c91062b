package server

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// as asks with a principal in the context of the request.
func (f *fixture) as(p *netkit.Principal, method, path string) int {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, path, nil)
	f.Handler().ServeHTTP(w, r.WithContext(WithPrincipal(r.Context(), p)))
	return w.Code
}

func TestLocalPrincipalStandsInForAToken(t *testing.T) {
	f := start(t)
	op, err := f.net.Principal("operator")
	if err != nil {
		t.Fatal(err)
	}
	narrow := *op
	narrow.Scopes = []netkit.Scope{netkit.ScopeFeed}
	for name, c := range map[string]struct {
		p    *netkit.Principal
		want int
	}{"the operator": {op, 200}, "a narrow one": {&narrow, 403}} {
		if got := f.as(c.p, "GET", "/api/agent/tokens"); got != c.want {
			t.Errorf("%s: got status %d, want %d", name, got, c.want)
		}
	}
}

// No header may do what a context does.
func TestHeadersMakeNoLocalPrincipal(t *testing.T) {
	f := start(t)
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/api/agent/tokens", nil)
	for _, name := range []string{"Netctl-Local-Key", "Netctl-Local-As", "X-Principal", "principalKey"} {
		r.Header.Set(name, "operator")
	}
	f.Handler().ServeHTTP(w, r)
	if w.Code != 401 {
		t.Errorf("got status %d, want 401", w.Code)
	}
}

func TestParametersOfEmbeddedStructs(t *testing.T) {
	f := start(t)
	for _, path := range []string{"/directory?limit=1", "/api/market/campaigns?limit=1", "/api/ledger/accounts/treasury?limit=1", "/api/net/manifest?limit=1"} {
		w := httptest.NewRecorder()
		f.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 200 {
			t.Errorf("%s: got %d %s, want 200", path, w.Code, w.Body)
		}
	}
}

func TestFrontStandsBeforeTheInterfaceAlone(t *testing.T) {
	f := start(t, func(c *Config) {
		c.Addr, c.IntentAddr = "127.0.0.1:0", "127.0.0.1:0"
		c.Front = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Front", "yes")
				next.ServeHTTP(w, r)
			})
		}
	})
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	l, err := f.Listen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- f.Serve(ctx, l) }()
	for _, c := range []struct {
		to   net.Listener
		want string
	}{{l.API, "yes"}, {l.Intent, ""}} {
		resp, err := http.Get("http://" + c.to.Addr().String() + "/api/health")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Header.Get("Front"); got != c.want {
			t.Errorf("got Front %q, want %q", got, c.want)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
