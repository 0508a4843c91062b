package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
)

func anywhere(c *Config) { c.Addr, c.IntentAddr = "127.0.0.1:0", "127.0.0.1:0" }

// run serves until stop is called, which returns what Serve returned.
func (f *fixture) run() (l Listeners, stop func() error) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	l, err := f.Listen(ctx)
	if err != nil {
		f.t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- f.Serve(ctx, l) }()
	return l, func() error { cancel(); return <-done }
}

func TestServeAndDrain(t *testing.T) {
	f := start(t, anywhere)
	l, stop := f.run()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for addr, want := range map[net.Addr]int{l.API.Addr(): 200, l.Intent.Addr(): 404} {
		resp, err := client.Get("http://" + addr.String() + "/api/health")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: got %d, want %d", addr, resp.StatusCode, want)
		}
	}
	stream, err := client.Get("http://" + l.API.Addr().String() + "/api/net/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	if err := stop(); err != nil {
		t.Errorf("got %v, want a clean end although a stream was open", err)
	}
	if _, err := client.Get("http://" + l.API.Addr().String() + "/api/health"); err == nil {
		t.Error("it still answers")
	}
}

// A request under way is finished before Serve returns.
func TestDrainFinishesRequests(t *testing.T) {
	f := start(t, anywhere)
	l, stop := f.run()
	conn, err := net.Dial("tcp", l.API.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := `{"slug":"ada"}`
	if _, err := conn.Write([]byte("POST /api/agent/spawn HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 14\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 25) // says that the server reads the body
	if _, err := io.ReadFull(conn, buf); err != nil || string(buf) != "HTTP/1.1 100 Continue\r\n\r\n" {
		t.Fatalf("got %q, %v, want 100", buf, err)
	}
	done := make(chan error, 1)
	go func() { done <- stop() }()
	netkittest.Until(t, "the end of listening", func() bool {
		late, err := net.Dial("tcp", l.API.Addr().String())
		if err == nil {
			late.Close()
		}
		return err != nil
	})
	if _, err := conn.Write([]byte(body)); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(buf); err != nil || !strings.HasPrefix(string(buf[:n]), "HTTP/1.1 200 OK") {
		t.Errorf("got %q, %v, want 200", buf[:n], err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	var p netkit.Profile
	f.ask("GET", "/agent/ada", "", nil).into(200, &p)
}

func TestPortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	f := start(t, anywhere, func(c *Config) { c.IntentAddr = taken.Addr().String() })
	_, err = f.Listen(context.Background())
	if err == nil || !strings.Contains(err.Error(), taken.Addr().String()) || !strings.Contains(err.Error(), "choose another") {
		t.Errorf("got %v, want an error that names the address and what to do", err)
	}
}

func TestRoles(t *testing.T) {
	n := start(t).net
	for _, c := range []struct {
		role   Role
		shared bool
		want   string // part of the error
	}{
		{RoleAll, false, ""}, {RoleAll, true, ""}, {"", false, ""}, {RoleAPI, true, ""}, {RoleIntent, true, ""},
		{RoleAPI, false, "use role all"}, {RoleIntent, false, "use role all"}, {"both", true, "none of api, intent, all"},
	} {
		_, err := New(Config{Network: n, SigningKey: make([]byte, 32), Role: c.role, SharedJournal: c.shared})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, shared %v: got %v, want %q", c.role, c.shared, err, c.want)
		}
	}
}

func TestRoleListens(t *testing.T) {
	for role, want := range map[Role][2]bool{RoleAll: {true, true}, RoleAPI: {true, false}, RoleIntent: {false, true}} {
		f := start(t, anywhere, func(c *Config) { c.Role, c.SharedJournal = role, true })
		l, stop := f.run()
		if got := [2]bool{l.API != nil, l.Intent != nil}; got != want {
			t.Errorf("%s: got listeners %v, want %v", role, got, want)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	n := start(t).net
	for name, c := range map[string]Config{"no network": {SigningKey: make([]byte, 32)}, "no key": {Network: n}, "short key": {Network: n, SigningKey: make([]byte, 31)},
		"spawn mode": {Network: n, SigningKey: make([]byte, 32), Spawn: "closed"}} {
		if _, err := New(c); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

// Slow clients cannot hold connections.
func TestHeaderTimeout(t *testing.T) {
	f := start(t, anywhere, func(c *Config) { c.Limits.Header = 50 * time.Millisecond; c.Limits.Read = 50 * time.Millisecond })
	l, stop := f.run()
	conn, err := net.Dial("tcp", l.API.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("GET /api/health HTTP/1.1\r\nHost: ")); err != nil {
		t.Fatal(err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	buf := make([]byte, 100)
	if n, err := conn.Read(buf); err == nil && !strings.Contains(string(buf[:n]), "408") && !strings.Contains(string(buf[:n]), "400") {
		t.Errorf("got %q, want the connection closed", buf[:n])
	} else if ne, ok := err.(net.Error); ok && ne.Timeout() {
		t.Error("the connection is still open")
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// What bounds other requests must not end a stream.
func TestStreamOutlivesTimeouts(t *testing.T) {
	f := start(t, anywhere, func(c *Config) {
		c.Limits.Read, c.Limits.Write, c.Limits.Heartbeat = 100*time.Millisecond, 100*time.Millisecond, 10*time.Millisecond
	})
	l, stop := f.run()
	resp, err := http.Get("http://" + l.API.Addr().String() + "/api/net/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	time.AfterFunc(400*time.Millisecond, func() { f.spawn("ada") })
	events := &listener{t: t, r: bufio.NewScanner(resp.Body)}
	if e, _, ok := events.next(); !ok || e.event != "agent.spawned" {
		t.Errorf("got %+v (%v), want what happened after the time-outs", e, ok)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
