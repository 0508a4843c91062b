package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// Ten agents at one address take a part of the places together, not all.
func TestSeatsOfAnAddressAreShared(t *testing.T) {
	l := Limits{Streams: 100, StreamsEach: 8}
	l.complete()
	o := newSeats()
	taken := 0
	for agent := range 10 {
		for range 10 {
			_, err := o.take(fmt.Sprint("agent-", agent), "192.0.2.1", &l)
			if err == nil {
				taken++
			} else if !errors.Is(err, netkit.ErrLimit) {
				t.Fatalf("got %v, want a limit of the caller's own", err)
			}
		}
	}
	if taken != 10 {
		t.Errorf("one address took %d of 100 places, want 10", taken)
	}
	for range 8 { // behind a proxy on this machine, readers share nothing
		if _, err := o.take("home", "", &l); err != nil {
			t.Error(err)
		}
	}
}

// When all places are taken, the address with most of them loses its newest to
// one that has fewer, until they have equally many.
func TestFullSeatsAreTakenFromWhoHoldsMost(t *testing.T) {
	l := Limits{Streams: 100, StreamsEach: 100, StreamsAddress: 60}
	l.complete()
	o := newSeats()
	var greedy, modest []*seat
	for range 60 {
		s, err := o.take("a", "192.0.2.1", &l)
		if err != nil {
			t.Fatal(err)
		}
		greedy = append(greedy, s)
	}
	for range 40 {
		s, err := o.take("b", "192.0.2.2", &l)
		if err != nil {
			t.Fatal(err)
		}
		modest = append(modest, s)
	}
	late := 0
	for ; late < 100; late++ {
		if _, err := o.take("c", "192.0.2.3", &l); err != nil {
			if !errors.Is(err, netkit.ErrUnavailable) {
				t.Fatal(err)
			}
			break
		}
	}
	lost := func(all []*seat) (n int) {
		for _, s := range all {
			select {
			case <-s.lost:
				n++
			default:
			}
		}
		return n
	}
	if late < 33 || late > 34 || lost(greedy)+lost(modest) != late || lost(greedy) < 26 {
		t.Errorf("the third address got %d, the first lost %d and the second %d, want a third for each", late, lost(greedy), lost(modest))
	}
	select {
	case <-greedy[0].lost:
		t.Error("the oldest seat was lost before the newest")
	default:
	}
	for _, s := range append(greedy, modest...) { // who lost a seat leaves it once more
		o.leave(s)
	}
	if o.open != late || len(o.held) != 1 || len(o.of) != 1 {
		t.Errorf("got %d open of %d holders after all others left, want %d of one", o.open, len(o.held), late)
	}
}

// When all places are taken, the newest stream of the address that has most ends,
// over a real connection, and a reader at an address with fewer takes its place.
func TestStreamIsLostToAnAddressWithFewer(t *testing.T) {
	f := start(t, func(c *Config) {
		c.Limits.Streams, c.Limits.StreamsAddress = 4, 3
		c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	srv := f.serve(f.Handler())
	at := func(address, token string) *listener {
		t.Helper()
		return f.listen(srv, "/api/net/stream?type=agent.spawned", token, "X-Forwarded-For", address)
	}
	refused := func(address, token, code string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), "GET", srv.URL+"/api/net/stream", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Forwarded-For", address)
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := srv.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var p netkit.Problem
		if err := json.NewDecoder(resp.Body).Decode(&p); err != nil || p.Code != code || resp.Header.Get("Retry-After") == "" {
			t.Errorf("got %+v, %v, want %s with Retry-After", p, err, code)
		}
	}
	ada, bob, cleo, dan := f.spawn("ada"), f.spawn("bob"), f.spawn("cleo"), f.spawn("dan")
	greedy := []*listener{at("192.0.2.1", ada), at("192.0.2.1", bob), at("192.0.2.1", ada)}
	refused("192.0.2.1", dan, "streams_yours")
	modest := at("192.0.2.2", cleo)

	late := at("192.0.2.3", dan)
	if e, _, ok := greedy[2].next(); ok {
		t.Errorf("got %+v, want that the newest stream of the first address ended", e)
	}
	refused("192.0.2.3", dan, "streams_full") // a second one would leave it no fewer than the first address
	f.spawn("eve")
	for k, l := range []*listener{greedy[0], greedy[1], modest, late} {
		if e, _, ok := l.next(); !ok || e.event != "agent.spawned" {
			t.Errorf("stream %d: got %+v, %v, want the event of the agent", k, e, ok)
		}
	}
}
