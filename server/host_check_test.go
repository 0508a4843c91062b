package server

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// askAs sends a request to a listener under a name of the caller's choice, as a
// browser does whose name was rebound to the listener's address.
func askAs(t *testing.T, at net.Addr, method, path, host, origin string) (int, netkit.Problem) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+at.String()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var p netkit.Problem
	if b, err := io.ReadAll(resp.Body); err == nil && resp.StatusCode >= 400 {
		_ = json.Unmarshal(b, &p)
	}
	return resp.StatusCode, p
}

func TestServeRefusesForeignHosts(t *testing.T) {
	f := start(t, anywhere, func(c *Config) {
		c.BaseURL, c.Hosts = "https://Net.Example.org/", []string{"internal.example", "10.9.8.7"}
	})
	l, stop := f.run()
	_, port, _ := net.SplitHostPort(l.API.Addr().String())
	for host, want := range map[string]int{
		"evil.example:" + port: 421, "evil.example": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421,
		"192.0.2.1:" + port: 421, "[2001:db8::1]": 421, "example.org": 421,
		"localhost:" + port: 200, "LOCALHOST.": 200, "127.0.0.1:" + port: 200, "127.9.9.9": 200, "[::1]:" + port: 200,
		"net.example.org": 200, "NET.example.org:443": 200, "internal.example:99": 200, "10.9.8.7": 200,
	} {
		got, p := askAs(t, l.API.Addr(), "GET", "/api/health", host, "http://"+host)
		if got != want {
			t.Errorf("Host %s: got %d, want %d", host, got, want)
		}
		if want == 421 && (p.Code != "host_unknown" || !strings.Contains(p.Next, "--base-url") || strings.Contains(p.Detail+p.Next, "evil")) {
			t.Errorf("Host %s: got %+v, want a problem that names the setting and not the host", host, p)
		}
		if got, _ := askAs(t, l.Intent.Addr(), "GET", "/api/intent", host, ""); (got == 421) != (want == 421) {
			t.Errorf("Host %s at the intent listener: got %d", host, got)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got := f.log.String(); !strings.Contains(got, `"status":421`) || strings.Contains(got, "evil.example") {
		t.Errorf("want the refusal in the log without the name:\n%s", got)
	}
}

// A server without a base URL is reached by its own address, and in process by
// any name.
func TestServerAnswersToItsOwnAddress(t *testing.T) {
	f := start(t)
	checked := f.CheckHost(f.Handler())
	for _, c := range []struct {
		host, local string
		want        int
	}{
		{"203.0.113.5:8787", "203.0.113.5:8787", 200},
		{"[2001:db8::5]:8787", "[2001:db8::5]:8787", 200},
		{"203.0.113.5", "[::ffff:203.0.113.5]:8787", 200},
		{"203.0.113.6", "203.0.113.5:8787", 421},
		{"", "203.0.113.5:8787", 200}, // HTTP/1.0
		{"203.0.113.5", "", 421},
	} {
		r := httptest.NewRequest("GET", "/api/health", nil)
		r.Host = c.host
		if c.local != "" {
			at, err := net.ResolveTCPAddr("tcp", c.local)
			if err != nil {
				t.Fatal(err)
			}
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, at))
		}
		w := httptest.NewRecorder()
		if checked.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("Host %q at %q: got %d, want %d", c.host, c.local, w.Code, c.want)
		}
	}
	w := httptest.NewRecorder()
	if f.Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://example.com/api/health", nil)); w.Code != 200 {
		t.Errorf("in process: got %d, want 200", w.Code)
	}
}
