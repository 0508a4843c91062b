package bench

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/agentnet/netctl/netkit/catalog"
)

// Places configures the measurement of how many stream places and connections one
// address gets, and whether another then still gets one.
type Places struct {
	Places int          // of streams, and of connections; 0 means 200
	Dir    string       // folder for the journal; "" means a throw-away one
	Say    func(string) // gets the name of each measurement; nil drops it
	// Bound bounds the connections that a listener accepts, as the server does; nil
	// leaves connections out.
	Bound func(l net.Listener, connections int) (net.Listener, error)
}

// PlacesReport is who got how many of the places.
type PlacesReport struct {
	Places      int   `json:"places"`
	Streams     Taken `json:"streams"`
	Connections Taken `json:"connections"`
}

// Taken is who got how many places of one kind.
type Taken struct {
	One  int  `json:"one_address" doc:"places that one address got of all, which it asked for"`
	Next bool `json:"next_address" doc:"whether another address then got one"`
	Ten  int  `json:"ten_addresses" doc:"places that ten addresses got together, each of which asked for all"`
	Late bool `json:"late_address" doc:"whether another address then got one, when all were taken"`
}

// The attack comes from so many addresses, of documentation ranges, and so many
// agents, which take turns at each. Another agent asks from the other addresses.
const (
	addresses = 10
	free      = 10
)

// RunPlaces takes all places that a server gives, first from one address and then
// from ten, on a listener to which clients name their address.
func RunPlaces(ctx context.Context, cfg Places) (r PlacesReport, err error) {
	if cfg.Places == 0 {
		cfg.Places = 200
	}
	if cfg.Say == nil {
		cfg.Say = func(string) {}
	}
	dir, remove, err := folder(cfg.Dir)
	if err != nil {
		return r, err
	}
	defer remove()
	s, err := newStage(ctx, dir, free+1, cfg.Places)
	if err != nil {
		return r, err
	}
	defer s.end(ctx)
	r.Places = cfg.Places
	cfg.Say("streams")
	if r.Streams, err = s.takePlaces(cfg.Places, catalog.StreamEvents.Path, func(l net.Listener) (net.Listener, error) { return l, nil }); err != nil || cfg.Bound == nil {
		return r, err
	}
	cfg.Say("connections")
	r.Connections, err = s.takePlaces(cfg.Places, catalog.GetHealth.Path, func(l net.Listener) (net.Listener, error) { return cfg.Bound(l, cfg.Places) })
	return r, err
}

// takePlaces asks for a path on as many connections as there are places, which stay
// open.
func (s *stage) takePlaces(places int, path string, bound func(net.Listener) (net.Listener, error)) (t Taken, err error) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return t, fmt.Errorf("bench: %w", err)
	}
	l, err := bound(&namedListener{inner})
	if err != nil {
		return t, err
	}
	srv := &http.Server{Handler: s.host.Server.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go srv.Serve(l) // ends with Close
	defer srv.Close()
	at := inner.Addr().String()
	var held []net.Conn
	defer func() {
		for _, c := range held {
			_ = c.Close() // the measurement is over
		}
	}()
	take := func(from netip.Addr, agents []string, asked int) (got int, err error) {
		for k := range asked {
			c, ok, err := openFrom(at, from, path, agents[k%len(agents)])
			if err != nil {
				return got, err
			}
			if held = append(held, c); ok {
				got++
			}
		}
		return got, nil
	}
	from := netip.MustParseAddr("198.51.100.1")
	if t.One, err = take(from, s.tokens[:free], places); err != nil {
		return t, err
	}
	next, err := take(netip.MustParseAddr("203.0.113.1"), s.tokens[free:], 1)
	if err != nil {
		return t, err
	}
	t.Next, t.Ten = next == 1, t.One+next
	for range addresses - 1 {
		from = from.Next()
		got, err := take(from, s.tokens[:free], places)
		if err != nil {
			return t, err
		}
		t.Ten += got
	}
	late, err := take(netip.MustParseAddr("203.0.113.2"), s.tokens[free:], 1)
	t.Late = late == 1
	return t, err
}

// openFrom opens a connection, asks for a path on it, and reports whether it got a
// place: an answer 200.
func openFrom(at string, from netip.Addr, path, token string) (net.Conn, bool, error) {
	c, err := net.Dial("tcp", at)
	if err != nil {
		return nil, false, fmt.Errorf("bench: %w", err)
	}
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
	name := from.As4()
	if _, err := fmt.Fprintf(c, "%sGET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", name[:], path, at, token); err != nil {
		return c, false, nil // refused before it was read
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	return c, err == nil && len(line) > 12 && line[9:12] == "200", nil
}
