//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/fleet"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// manager stands in for systemd: it holds the sockets of a server, starts it on them,
// and hears its notifications.
type manager struct {
	t       *testing.T
	dir     string
	sockets []*os.File
	names   string
	env     []string
	flags   []string
	heard   *net.UnixConn
	cmd     *exec.Cmd
	said    *strings.Builder // by the server, on standard error
}

func newManager(t *testing.T) (m *manager, url string) {
	m = &manager{t: t, dir: t.TempDir(), names: "api:intent", flags: []string{"--rate", "1000000", "--spawn-rate", "1000000", "--allowance", "0", "--address-allowance", "0", "--wait", "0", "--no-night"}}
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		f, err := l.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		if url == "" {
			url = "http://" + l.Addr().String()
		}
		m.sockets = append(m.sockets, f)
		if err := l.Close(); err != nil { // the file stays open
			t.Fatal(err)
		}
	}
	at := filepath.Join(t.TempDir(), "notify")
	var err error
	if m.heard, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Name: at, Net: "unixgram"}); err != nil {
		t.Fatal(err)
	}
	m.env = append(os.Environ(), "NOTIFY_SOCKET="+at, "LISTEN_FDS=2", "LISTEN_FDNAMES="+m.names)
	t.Cleanup(func() {
		if m.cmd != nil {
			_ = m.cmd.Process.Kill()
			_ = m.cmd.Wait()
		}
	})
	return m, url
}

// start starts the server. LISTEN_PID is known only to the process itself.
func (m *manager) start(env ...string) {
	m.t.Helper()
	m.cmd = exec.Command("sh", append([]string{"-c", `LISTEN_PID=$$ exec netctl "$@"`, "sh", "serve", "--data", m.dir, "--log-file", filepath.Join(m.dir, "..", "log")}, m.flags...)...)
	m.said = new(strings.Builder)
	m.cmd.Stderr = m.said
	m.cmd.Env, m.cmd.ExtraFiles = append(m.env, env...), m.sockets
	if err := m.cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
}

// stop sends a signal and waits for the end.
func (m *manager) stop() {
	m.t.Helper()
	if err := m.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		m.t.Fatal(err)
	}
	if err := m.cmd.Wait(); err != nil {
		m.t.Errorf("the server ended with %v", err)
	}
}

// hears waits for a notification with that line and returns it.
func (m *manager) hears(line string) string {
	m.t.Helper()
	if err := m.heard.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		m.t.Fatal(err)
	}
	b := make([]byte, 4096)
	for {
		n, err := m.heard.Read(b)
		if err != nil {
			m.t.Fatalf("no notification %s: %v", line, err)
		}
		if text := string(b[:n]); strings.Contains("\n"+text, "\n"+line) {
			return text
		}
	}
}

// A server reports when it is ready, reloads and stops, and feeds the watchdog while it
// answers.
func TestServiceManagerHears(t *testing.T) {
	catchHangups(t)
	m, url := newManager(t)
	m.start("WATCHDOG_USEC=30000")
	m.hears("STATUS=opening")
	if got := m.hears("READY=1"); !strings.Contains(got, "STATUS=serving at "+url) {
		t.Errorf("got %q, want a status with the address", got)
	}
	m.hears("WATCHDOG=1")
	if err := m.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if got := m.hears("RELOADING=1"); !strings.Contains(got, "MONOTONIC_USEC=") {
		t.Errorf("got %q, want the time", got)
	}
	m.hears("READY=1")
	if err := m.cmd.Process.Signal(syscall.SIGSTOP); err != nil { // it cannot answer
		t.Fatal(err)
	}
	if err := m.heard.SetReadDeadline(time.Now().Add(300 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4096)
	for { // what was sent before
		if _, err := m.heard.Read(b); errors.Is(err, os.ErrDeadlineExceeded) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := m.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	m.hears("WATCHDOG=1")
	m.stop()
	m.hears("STOPPING=1")
}

// The first start names the operators' desk and the next step, later ones do not.
func TestFirstStartNamesTheDesk(t *testing.T) {
	m, url := newManager(t)
	for _, want := range []bool{true, false} {
		m.start()
		m.hears("READY=1")
		m.stop()
		if got := strings.Contains(m.said.String(), "the operators' desk is at "+url+"/admin"); got != want {
			t.Errorf("got %v, want %v in %s", got, want, m.said.String())
		}
	}
}

// The watchdog is not fed where the server runs and does not answer.
func TestWatchdogStarves(t *testing.T) {
	s := &service{}
	s.url = "http://" + fleet.FreeAddress(t)
	if s.answers(t.Context(), time.Second) {
		t.Error("got an answer where nothing listens")
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if s.url = "http://" + silent.Addr().String(); s.answers(t.Context(), 10*time.Millisecond) {
		t.Error("got an answer from a listener that never answers")
	}
}

// Sockets are taken by name, else by port, and each once.
func TestSocketsAreTaken(t *testing.T) {
	one, two := listenTest(t), listenTest(t)
	all := sockets{"api": {one}, "netctl.socket": {two}}
	_, port, _ := net.SplitHostPort(two.Addr().String())
	if all.take("intent", "127.0.0.1:0") != nil {
		t.Error("got a socket for another name and no port")
	}
	if all.take("intent", "0.0.0.0:"+port) != two || all.take("intent", "0.0.0.0:"+port) != nil {
		t.Error("want the socket of the port, once")
	}
	if got := all.rest(); len(got) != 1 || got[0] != one.Addr().String() {
		t.Errorf("got %v, want the one that is left", got)
	}
	if all.take("api", "127.0.0.1:1") != one || len(all.rest()) != 0 {
		t.Error("want the socket of the name")
	}
}

func listenTest(t *testing.T) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// restarts is how often a server is restarted under load.
const restarts = 100

// A server that is restarted under load refuses no request: connections wait in the
// socket that outlives it.
func TestRestartsRefuseNothing(t *testing.T) {
	n := restarts
	if testing.Short() {
		n = 3
	}
	m, url := newManager(t)
	m.start()
	m.hears("READY=1")
	ctx, end := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var answered atomic.Int64
	for worker := range 4 {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: worker%2 == 0}}
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				if err := spawnOnce(client, url, fmt.Sprintf("agent-%d-%d", worker, i)); err != nil {
					t.Errorf("worker %d, request %d: %v", worker, i, err)
					return
				}
				answered.Add(1)
			}
		})
	}
	for range n {
		before := answered.Load()
		netkittest.Until(t, "answers under load", func() bool { return answered.Load() > before+8 || t.Failed() })
		m.stop()
		m.start()
		m.hears("READY=1")
		if t.Failed() {
			break
		}
	}
	end()
	all.Wait()
	t.Logf("%d requests answered over %d restarts", answered.Load(), n)
}

// spawnOnce sends a command and a read. The command has its key, as our clients send
// it, so that net/http may repeat it on a new connection.
func spawnOnce(client *http.Client, url, slug string) error {
	token, err := newToken()
	if err != nil {
		return err
	}
	req, err := http.NewRequest(http.MethodPost, url+"/api/agent/spawn", strings.NewReader(fmt.Sprintf(`{"slug":%q,"token_sha256":%q}`, slug, token.SHA256())))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", slug)
	for _, do := range []func() (*http.Response, error){func() (*http.Response, error) { return client.Do(req) }, func() (*http.Response, error) { return client.Get(url + "/api/health") }} {
		resp, err := do()
		if err != nil {
			return err
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %w %s", resp.Status, err, body)
		}
	}
	return nil
}
