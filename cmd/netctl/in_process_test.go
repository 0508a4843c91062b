package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
)

func ask(t *testing.T, h http.HandlerFunc, ctx context.Context, body string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, inProcessURL+"/x?q=1", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return (&inProcess{handler: h, as: &netkit.Principal{Slug: "ada"}}).RoundTrip(r)
}

func TestInProcessAnswers(t *testing.T) {
	resp, err := ask(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Header().Set("A", "b")
		w.WriteHeader(201)
		w.Header().Set("Late", "x")
		io.WriteString(w, r.URL.RawQuery+string(b))
	}, t.Context(), "body")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 201 || string(b) != "q=1body" || resp.Header.Get("A") != "b" || resp.Header.Get("Late") != "" {
		t.Errorf("got %d %v %q, %v", resp.StatusCode, resp.Header, b, err)
	}
}

// What is written is there at once, as an event stream needs.
func TestInProcessStreams(t *testing.T) {
	more := make(chan struct{})
	ended := make(chan struct{})
	resp, err := ask(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		io.WriteString(w, "one")
		<-more
		if _, err := io.WriteString(w, "two"); err == nil {
			t.Error("got no error for what nobody reads, want one")
		}
	}, t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 3)
	if _, err := io.ReadFull(resp.Body, b); err != nil || string(b) != "one" {
		t.Errorf("got %q, %v", b, err)
	}
	resp.Body.Close()
	close(more)
	<-ended
}

func TestInProcessHandlerThatBreaksOff(t *testing.T) {
	resp, err := ask(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "half")
		panic(http.ErrAbortHandler)
	}, t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(resp.Body); err == nil || string(b) != "half" {
		t.Errorf("got %q, %v, want half and an error", b, err)
	}
}

func TestInProcessCallerThatLeaves(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	_, err := ask(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		stop()
		<-r.Context().Done()
	}, ctx, "")
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error or an empty answer", err)
	}
	<-ended
}

func TestGate(t *testing.T) {
	n, err := network.New(t.Context(), network.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}}})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close(context.Background())
	g := &gate{key: "secret", net: n, log: slog.New(slog.DiscardHandler), next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(headerKey) != "" || r.Header.Get(headerAs) != "" {
			t.Error("the key went on to the handler")
		}
		w.WriteHeader(204)
	})}
	for name, c := range map[string]struct {
		header map[string]string
		want   int
	}{
		"no key":        {nil, 204},
		"a name alone":  {map[string]string{headerAs: "operator"}, 204},
		"the key":       {map[string]string{headerKey: "secret"}, 204},
		"another key":   {map[string]string{headerKey: "secreT"}, 401},
		"nobody's name": {map[string]string{headerKey: "secret", headerAs: "nobody"}, 404},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = "127.0.0.1:4000"
		for k, v := range c.header {
			r.Header.Set(k, v)
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s: got %d, want %d", name, w.Code, c.want)
		}
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "127.0.0.1:4000"
	r.Header.Set(headerChallenge, "c")
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	if got := w.Header().Get(headerProof); got != knowledge("secret", "c") || got == knowledge("other", "c") {
		t.Errorf("got proof %q, want that of the key", got)
	}
}

// A server that cannot prove that it knows the key is told nothing.
func TestFindRunningAsksForProof(t *testing.T) {
	told := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		told = told || strings.Contains(strings.Join(r.Header.Values(headerKey), ""), "secret")
	}))
	defer s.Close()
	dir := t.TempDir()
	if err := announce(dir, running{URL: s.URL, PID: 1, Key: "secret"}); err != nil {
		t.Fatal(err)
	}
	if r, ok := findRunning(t.Context(), dir); ok || told {
		t.Errorf("got %+v %t, key told: %t; want neither", r, ok, told)
	}
}

func TestPlansShowWhatWouldBeSent(t *testing.T) {
	d := &dryTransport{next: http.DefaultTransport, where: "here", as: "ada"}
	r := httptest.NewRequest("POST", "http://net.example/x", strings.NewReader(`{"amount":12.50}`))
	r.Header.Set("Content-Type", "application/json")
	_, err := d.RoundTrip(r)
	var p *plan
	if !errors.As(err, &p) {
		t.Fatalf("got %v, want a plan", err)
	}
	got, err := json.Marshal(p)
	want := `{"method":"POST","url":"http://net.example/x","network":"here","as":"ada","body":{"amount":12.50}}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	r = httptest.NewRequest("POST", "http://net.example/x", strings.NewReader("12345"))
	r.Header.Set("Content-Type", "application/octet-stream")
	_, err = d.RoundTrip(r)
	if !errors.As(err, &p) || p.Body != "5 bytes of application/octet-stream" {
		t.Errorf("got %v", err)
	}
}
