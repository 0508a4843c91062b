package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// passedOn returns a request as a node passes it on, with its body read and its trailer
// set.
func passedOn(t *testing.T, s *Server, url, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	s.signHop(r, hop{client: "203.0.113.7:1"})
	if _, err := io.ReadAll(r.Body); err != nil {
		t.Fatal(err)
	}
	return r
}

// The body of a request between nodes is the one that was signed, under the head that it
// was signed with.
func TestBodiesBetweenNodesAreSigned(t *testing.T) {
	f := start(t, func(c *Config) { c.Node = &fakeNode{} })
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, err := f.arrive(r)
		if err != nil {
			http.Error(w, "head", http.StatusForbidden)
			return
		}
		if body, err := readBody(r, 1<<20, nil); err != nil {
			http.Error(w, "body", http.StatusBadRequest)
		} else {
			w.Write(body)
		}
	}))
	defer srv.Close()
	long := strings.Repeat("a long body, ", 50_000)
	other := passedOn(t, f.Server, srv.URL+"/other", "good")
	for name, c := range map[string]struct {
		signed, sent string
		change       func(*http.Request)
		want         string
	}{
		"intact":            {"good", "good", nil, "good"},
		"long":              {long, long, nil, long},
		"altered":           {"good", "evil", nil, "body\n"},
		"cut":               {"good", "goo", nil, "body\n"},
		"emptied":           {"good", "", nil, "body\n"},
		"of another":        {"good", "good", func(r *http.Request) { r.Trailer = other.Trailer }, "body\n"},
		"without the MAC":   {"good", "good", func(r *http.Request) { r.Trailer = nil }, "body\n"},
		"removed":           {"good", "", func(r *http.Request) { r.Body, r.Trailer, r.ContentLength = nil, nil, 0 }, "head\n"},
		"under another key": {"good", "good", func(r *http.Request) { r.Header.Set("Idempotency-Key", "k") }, "head\n"},
	} {
		r := passedOn(t, f.Server, srv.URL, c.signed)
		r.Body = io.NopCloser(strings.NewReader(c.sent))
		if c.change != nil {
			c.change(r)
		}
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := io.ReadAll(resp.Body)
		if resp.Body.Close(); err != nil || string(got) != c.want {
			t.Errorf("%s: got %.40q, %v, want %.40q", name, got, err, c.want)
		}
	}
}
