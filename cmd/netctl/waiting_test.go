package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// lineSeen is standard error that closes a channel once a text was written.
type lineSeen struct {
	text string
	seen chan struct{}

	once sync.Once
	all  strings.Builder
}

func (l *lineSeen) Write(p []byte) (int, error) {
	n, err := l.all.Write(p)
	if strings.Contains(l.all.String(), l.text) {
		l.once.Do(func() { close(l.seen) })
	}
	return n, err
}

// A person reads which host a command waits for, while it waits.
func TestWaitingIsSaid(t *testing.T) {
	s := newSession(t)
	talk := &lineSeen{text: "waiting for 127.0.0.1:", seen: make(chan struct{})}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-talk.seen:
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"items":[]}`)
	}))
	defer h.Close()
	if code := s.app("", io.Discard, talk).main(t.Context(), []string{"--url", h.URL, "agent", "ls"}); code != 0 {
		t.Errorf("got exit code %d and %q, want the line and then the answer", code, talk.all.String())
	}
	if got := strings.Count(talk.all.String(), talk.text); got != 1 {
		t.Errorf("got the line %d times, want once", got)
	}
}

// A server that never answers ends in words for people, with the host and the
// next step.
func TestSilentServerIsNamed(t *testing.T) {
	s := newSession(t)
	h := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer h.Close()
	at, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"--timeout", "50ms", "--total-timeout", "1m"}, {"--total-timeout", "50ms"}} {
		s.env["NETCTL_RETRIES"] = "0"
		code, _, talk := s.run("", append([]string{"--url", h.URL, "agent", "ls"}, flags...)...)
		if code != exitUnreachable || !strings.Contains(talk, at.Host+" did not answer within 50ms; netctl doctor") || strings.Contains(talk, "context deadline") || strings.Contains(talk, "Get ") {
			t.Errorf("%v: got %d %q, want the host, the time and the next step", flags, code, talk)
		}
	}
}
