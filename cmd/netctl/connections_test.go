//go:build linux

package main

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/bench"
	"github.com/agentnet/netctl/cmd/netctl/fleet"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/server"
)

// Clients that open more connections than the process may have files are turned
// away, and whoever is in still writes: entry and checkpoint are kept.
func TestConnectionsLeaveFilesForTheJournal(t *testing.T) {
	v := &fleet.Server{T: t, Dir: t.TempDir(), Addr: fleet.FreeAddress(t)}
	v.StartAfter("ulimit -n 200")
	v.Health() // a connection that stays open
	var refused int
	for range 300 {
		c, err := net.Dial("tcp", v.Addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.SetReadDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			if refused++; refused == 20 {
				break
			}
		}
	}
	if refused < 20 {
		t.Errorf("%d connections were refused, want 20", refused)
	}
	v.Spawn("ada")
	netkittest.Until(t, "a checkpoint of 2 entries", func() bool {
		text, err := os.ReadFile(filepath.Join(v.Dir, "checkpoint"))
		return err == nil && strings.HasPrefix(string(text), "agentnet/") && strings.Split(string(text), "\n")[1] == "2"
	})
	if _, ok := findRunning(context.Background(), v.Dir); ok {
		t.Error("a new connection got in beside those that fill the server")
	}
}

// A connection gives its place back when it is closed, once.
func TestPlaceIsGivenBack(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer inner.Close()
	l, err := bound(server.Listeners{API: inner}, reservedFiles+1, 0, noProxy)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		client, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.API.Accept()
		if err != nil {
			t.Fatal(err)
		}
		_ = errors.Join(client.Close(), got.Close())
		_ = got.Close() // a second time
	}
	if _, err := bound(server.Listeners{}, reservedFiles, 0, noProxy); err == nil {
		t.Error("got no error where no file is left for a connection")
	}
}

// Of the places that a server bounds, one address takes a tenth and ten take all;
// another then still gets in.
func TestConnectionsAreLeftForOthers(t *testing.T) {
	r, err := bench.RunPlaces(t.Context(), bench.Places{Places: 200, Dir: t.TempDir(), Bound: boundPlaces})
	if err != nil {
		t.Fatal(err)
	}
	if want := (bench.Taken{One: 20, Next: true, Ten: 200, Late: true}); r.Connections != want {
		t.Errorf("got %+v, want %+v", r.Connections, want)
	}
}

// addressed is a connection that says it comes from an address.
type addressed struct {
	net.Conn
	from   string
	closed *bool
}

func (c addressed) RemoteAddr() net.Addr { a, _ := net.ResolveTCPAddr("tcp", c.from); return a }
func (c addressed) Close() error         { *c.closed = true; return nil }

// An address has a part of all connections, IPv6 by /64; proxies and this machine
// are not counted. When all places are taken, the address that has most loses
// its newest connection to one that has fewer.
func TestConnectionsOfAnAddress(t *testing.T) {
	p := &places{all: 12, each: 6, exempt: func(addr string) bool { return strings.HasPrefix(addr, "198.51.100.7:") }, held: map[string][]*placedConn{}}
	take := func(from string) (*placedConn, bool) {
		return p.take(addressed{from: from, closed: new(bool)})
	}
	fill := func(n int, from string, want bool) (all []*placedConn) {
		for range n {
			c, ok := take(from)
			if ok != want {
				t.Fatalf("%s: got a place: %v, want %v", from, ok, want)
			}
			all = append(all, c)
		}
		return all
	}
	six := fill(6, "[2001:db8::1]:1000", true)
	fill(1, "[2001:db8::2]:1000", false) // of the same /64
	fill(2, "192.0.2.1:1000", true)
	fill(2, "198.51.100.7:1000", true) // a proxy
	fill(2, "127.0.0.1:1000", true)
	fill(2, "192.0.2.1:1001", true) // in place of two of the six
	for k, c := range six {
		if got, want := *c.Conn.(addressed).closed, k >= 4; got != want {
			t.Errorf("connection %d: got closed %v, want %v", k, got, want)
		}
	}
	fill(1, "192.0.2.1:1002", false) // it has as many now
	fill(1, "127.0.0.1:1001", true)  // an operator gets in
	for _, c := range six {
		_ = c.Close() // those that lost their place too
	}
	if want := len(p.held["192.0.2.1"]) + 2 + 3; p.open != want || len(p.held) != 1 {
		t.Errorf("got %d open of %d addresses, want %d of one", p.open, len(p.held), want)
	}
}
