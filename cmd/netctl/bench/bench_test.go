package bench

import (
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// A short run measures something for every figure; how much says nothing.
func TestRun(t *testing.T) {
	for _, keys := range []bool{false, true} {
		r, err := Run(t.Context(), Config{Connections: 4, Rounds: 1, Span: 50 * time.Millisecond, Keys: keys, Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		rates := []Rate{r.Bare, r.Waiting, r.Durable, r.InProcess}
		for _, l := range r.Latencies {
			rates = append(rates, l.Bare, l.Durable)
			if l.P99.Low <= 0 || l.PerSecond <= 0 {
				t.Errorf("got %+v, want figures", l)
			}
		}
		for _, rate := range rates {
			if rate.PerSecond <= 0 || rate.P99 < rate.P50 || rate.P50 <= 0 {
				t.Errorf("got %+v, want figures", rate)
			}
		}
		if r.Ratio.Low <= 0 || r.Ratio.High < r.Ratio.Median || r.Batch < 1 || len(r.Latencies) != len(shares) || r.Entries < 10 {
			t.Errorf("got %+v, want figures", r)
		}
		if r.Start.Took <= 0 || r.Replay.Took <= 0 || r.Audit.Took <= 0 {
			t.Errorf("got starts of %v and %v and an audit of %v, want figures", r.Start, r.Replay, r.Audit)
		}
	}
}

// The same of open streams, which receive what the load makes.
func TestRunStreams(t *testing.T) {
	r, err := RunStreams(t.Context(), Streams{Streams: 8, Rate: 200, Rounds: 1, Span: 300 * time.Millisecond, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Without.PerSecond <= 0 || r.With.PerSecond <= 0 || r.Ratio <= 0 || r.Delivered <= 0 {
		t.Errorf("got %+v, want figures", r)
	}
	if asked := float64(r.Asked) * 1.1; r.Without.PerSecond > asked {
		t.Errorf("got %.0f executions a second, want no more than %d", r.Without.PerSecond, r.Asked)
	}
}

// In an overload, what a load sends is accepted or refused, and both are counted.
func TestRunOverload(t *testing.T) {
	r, err := RunOverload(t.Context(), Overload{Connections: 128, Rounds: 1, Span: 200 * time.Millisecond, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if r.Connections != 128 || r.Capacity.PerSecond <= 0 || r.Patient.PerSecond <= 0 || r.Bounded.P99 <= 0 || r.P99 <= 0 || r.Sent < r.Bounded.PerSecond {
		t.Errorf("got %+v, want figures", r)
	}
}

// A load is sent by another process too: its form travels as JSON.
func TestSendCountsRefusals(t *testing.T) {
	var asked atomic.Int64
	refusing, err := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if w.Header().Set("Content-Length", "0"); asked.Add(1)%2 == 0 {
			w.WriteHeader(503)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer refusing.Close()
	b, err := json.Marshal(Load{Addr: refusing.Addr, Contract: 1, Tokens: []string{"none"}, Connections: 32, PerSecond: 1000, Span: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var l Load
	if err := json.Unmarshal(b, &l); err != nil {
		t.Fatal(err)
	}
	sent, err := Send(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if sent.Refused == 0 || sent.Wait <= 0 || sent.Accepted.PerSecond <= 0 || sent.share() <= 0 || sent.share() >= 1 || sent.Total > 1100 {
		t.Errorf("got %+v, want some accepted and some refused of at most 1,000 a second", sent)
	}
}
