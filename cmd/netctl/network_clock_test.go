package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// The network's time comes from its own answers: not from a stream, whose first line
// is no answer to a question, and not from another server.
func TestNetworkClock(t *testing.T) {
	const days = 8 * 24 * time.Hour
	dated := func(ahead time.Duration, form string) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
			w.Header().Set("Content-Type", form)
		}))
		t.Cleanup(s.Close)
		return s
	}
	network, stream, other := dated(days, "application/json"), dated(-days, "text/event-stream"), dated(-days, "application/json")
	for _, c := range []struct {
		name    string
		asked   []*httptest.Server
		network string
		want    time.Duration
	}{
		{"no answer", nil, network.URL, 0},
		{"answer", []*httptest.Server{network}, network.URL, days},
		{"another server", []*httptest.Server{network, other}, network.URL, days},
		{"stream", []*httptest.Server{stream}, stream.URL, 0},
	} {
		clock, err := newNetworkClock(http.DefaultTransport, c.network)
		if err != nil {
			t.Fatal(err)
		}
		client := http.Client{Transport: clock}
		for _, s := range c.asked {
			resp, err := client.Get(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
		}
		if got := time.Until(clock.Now()).Round(time.Hour); got != c.want {
			t.Errorf("%s: got a clock %s ahead, want %s", c.name, got, c.want)
		}
	}
}
