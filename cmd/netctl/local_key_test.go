package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agentnet/netctl/cmd/netctl/fleet"
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/netkit/network"
)

// foreign is a server of somebody else. It keeps the headers that it was sent.
type foreign struct {
	*httptest.Server
	mu   sync.Mutex
	seen []http.Header
}

func newForeign(t *testing.T) *foreign {
	f := new(foreign)
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.seen = append(f.seen, r.Header.Clone())
		f.mu.Unlock()
		io.WriteString(w, "sound")
	}))
	t.Cleanup(f.Close)
	return f
}

// requests returns how many requests came, and reports those that brought a
// secret.
func (f *foreign) requests(t *testing.T) int {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, h := range f.seen {
		for _, name := range []string{headerKey, headerAs, "Authorization"} {
			if len(h.Values(name)) > 0 {
				t.Errorf("the foreign server was sent %s", name)
			}
		}
	}
	return len(f.seen)
}

// A network that tells addresses elsewhere (--base-url) has its recordings
// fetched there, without the key of the local server.
func TestRecordingsElsewhereGetNoLocalKey(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	elsewhere := newForeign(t)
	v := &fleet.Server{T: t, Dir: t.TempDir(), Flags: []string{"--base-url", elsewhere.URL}}
	v.Start()
	netctl := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("netctl", append([]string{"--data", v.Dir, "--yes"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("netctl %q: %v\n%s", args, err, out)
		}
	}
	netctl("feed", "publish", "--priority", "P0", "--channel", "MEDIA", "--headline", "h", "--audio", filepath.Join("..", "..", "examples", "audio", "p1-silicon-supply.mp3"))
	file := filepath.Join(t.TempDir(), "a.mp3")
	netctl("feed", "fetch", "1", "-f", file)
	if b, err := os.ReadFile(file); err != nil || string(b) != "sound" {
		t.Errorf("got %q, %v, want what the foreign server has", b, err)
	}
	if n := elsewhere.requests(t); n != 1 {
		t.Errorf("got %d requests elsewhere, want 1", n)
	}
}

func TestLocalTransportTellsItsServerAlone(t *testing.T) {
	elsewhere := newForeign(t)
	var told []string
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if told = append(told, r.Header.Get(headerKey)); strings.HasPrefix(r.URL.Path, "/audio/") {
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
			return
		}
		io.WriteString(w, "{}")
	}))
	defer home.Close()
	transport, err := newLocalTransport(running{URL: home.URL, Key: "secret"}, "ada")
	if err != nil {
		t.Fatal(err)
	}
	at, _ := url.Parse(home.URL)
	transports := map[string]http.RoundTripper{"transport": transport, "following transport": &followingTransport{dir: t.TempDir(), transport: transport, from: at, at: at}}
	for name, d := range transports {
		c, err := netclient.New(netclient.Config{BaseURL: home.URL, Token: "nk_t", Retries: -1, HTTPClient: &http.Client{Transport: d}})
		if err != nil {
			t.Fatal(err)
		}
		told = nil
		if _, err := c.Health(t.Context()); err != nil || !slices.Equal(told, []string{"secret"}) {
			t.Errorf("%s: got %q, %v, want the key sent home", name, told, err)
		}
		before := elsewhere.requests(t)
		if _, err := c.Download(t.Context(), elsewhere.URL+"/audio/x", io.Discard); err != nil {
			t.Errorf("%s: an absolute address: %v", name, err)
		}
		if n := elsewhere.requests(t); n != before+1 {
			t.Errorf("%s: got %d requests elsewhere, want %d", name, n, before+1)
		}
		_, err = c.Download(t.Context(), "/audio/x", io.Discard)
		if err == nil || !strings.Contains(err.Error(), "redirect") || elsewhere.requests(t) != before+1 {
			t.Errorf("%s: got %v after a redirect, want a refusal that names it and no request elsewhere", name, err)
		}
	}
}

// A port or scheme of its own is another server.
func TestLocalTransportComparesWholeOrigins(t *testing.T) {
	var got http.Header
	keep := roundTrip(func(r *http.Request) (*http.Response, error) {
		got = r.Header
		return &http.Response{StatusCode: 204, Body: http.NoBody}, nil
	})
	for home, addresses := range map[string]map[string]bool{
		"http://127.0.0.1:8787": {"http://127.0.0.1:8787/x": true, "http://127.0.0.1:8788/x": false, "https://127.0.0.1:8787/x": false, "http://localhost:8787/x": false,
			"http://127.0.0.1.example:8787/": false, "http://net.example/": false},
		"http://net.example": {"http://NET.example:80/": true, "http://net.example:8080/": false, "https://net.example:80/": false},
	} {
		transport, err := newLocalTransport(running{URL: home, Key: "secret"}, "ada")
		if err != nil {
			t.Fatal(err)
		}
		transport.own, transport.others = keep, keep
		for address, want := range addresses {
			resp, err := transport.RoundTrip(httptest.NewRequest("GET", address, nil))
			if err != nil || (got.Get(headerKey) == "secret") != want || (got.Get(headerAs) == "ada") != want {
				t.Errorf("%s from %s: got %v, %v, want the key: %t", address, home, got, err, want)
			}
			resp.Body.Close()
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The key of a run is worth nothing from another machine.
func TestGateTakesTheKeyFromThisMachineAlone(t *testing.T) {
	n, err := network.New(t.Context(), network.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}}})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close(context.Background())
	g := &gate{key: "secret", net: n, log: slog.New(slog.DiscardHandler), next: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) })}
	for _, c := range []struct {
		peer, local string
		want        int
	}{
		{"127.0.0.1:4000", "127.0.0.1:8787", 204},
		{"127.8.0.1:4000", "127.0.0.1:8787", 204},
		{"[::1]:4000", "[::1]:8787", 204},
		{"[::ffff:127.0.0.1]:4000", "[::]:8787", 204},
		{"192.0.2.7:4000", "192.0.2.7:8787", 204}, // a listener on one address of this machine
		{"192.0.2.8:4000", "192.0.2.7:8787", 403},
		{"[2001:db8::1]:4000", "[2001:db8::2]:8787", 403},
		{"", "127.0.0.1:8787", 403},
	} {
		local, err := net.ResolveTCPAddr("tcp", c.local)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, net.Addr(local)), "GET", "/", nil)
		r.RemoteAddr = c.peer
		r.Header.Set(headerKey, "secret")
		r.Header.Set(headerChallenge, "c")
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Code != c.want || (w.Header().Get(headerProof) != "") != (c.want == 204) {
			t.Errorf("%s at %s: got %d, %v, want %d", c.peer, c.local, w.Code, w.Header(), c.want)
		}
		if c.want == 403 && !strings.Contains(fmt.Sprint(w.Body), "local_key_remote") {
			t.Errorf("%s: got %s", c.peer, w.Body)
		}
	}
}
