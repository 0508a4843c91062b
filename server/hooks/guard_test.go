package hooks

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/publicnet"
	"github.com/agentnet/netctl/netkit/webhook"
)

// A name is checked each time that it is dialed: one that led to a public address
// at first and to this machine later connects to nothing.
func TestRebindingIsRefused(t *testing.T) {
	var dialed []string
	ask := guard(false)
	d := net.Dialer{Timeout: time.Minute, Resolver: rebinding(t), ControlContext: func(_ context.Context, network, address string, c syscall.RawConn) error {
		dialed = append(dialed, address)
		return ask(network, address, c)
	}}
	for range 2 {
		conn, err := d.DialContext(t.Context(), "tcp4", "rebinds.test:9")
		if conn != nil {
			conn.Close()
		}
		if !errors.Is(err, publicnet.ErrAddress) {
			t.Errorf("got %v, want the address refused", err)
		}
	}
	if len(dialed) != 2 {
		t.Errorf("got %v asked, want each dial", dialed)
	}
}

// rebinding resolves every name to an address of this machine, by a server of
// names of its own.
func rebinding(t *testing.T) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		b := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(b)
			if err != nil {
				return
			}
			end := 12
			for b[end] != 0 {
				end += int(b[end]) + 1
			}
			out := append([]byte{b[0], b[1], 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0}, b[12:min(end+5, n)]...)
			if b[end+2] != 1 { // another kind of record: none
				out[7] = 0
			} else {
				out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1)
			}
			_, _ = server.WriteTo(out, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// attempt sends one event by the real transport.
func attempt(t *testing.T, cfg Config, url string) webhook.Attempt {
	t.Helper()
	h := New(cfg)
	secret, err := webhook.NewSecret(h.cfg.Rand)
	if err != nil {
		t.Fatal(err)
	}
	return h.send(t.Context(), &message{id: "ada_1_notice", url: url, timeout: h.cfg.Timeout, secrets: []webhook.Secret{secret}, event: netkit.Event{ID: 1, Type: netkit.EventNotice}}).Attempt
}

// Each way in which an attempt fails has a word, and none of them leads
// further than to the receiver itself.
func TestFailures(t *testing.T) {
	var inside atomic.Int64
	secret := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside.Add(1) }))
	defer secret.Close()
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, secret.URL, http.StatusTemporaryRedirect)
		case "/hangs":
			_, _ = io.Copy(io.Discard, r.Body) // else nobody notices that the sender went
			<-r.Context().Done()
		case "/fails":
			w.WriteHeader(500)
		}
	}))
	defer receiver.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	closed := httptest.NewTLSServer(nil)
	closed.Close()
	roots := x509.NewCertPool()
	roots.AddCert(receiver.Certificate())
	known := Config{Loopback: true, TLS: &tls.Config{RootCAs: roots}, Timeout: time.Minute}
	short := known
	short.Timeout = 100 * time.Millisecond
	t.Setenv("HTTPS_PROXY", plain.URL) // which must not be asked
	for _, c := range []struct {
		name   string
		cfg    Config
		url    string
		status int
		want   webhook.Failure
	}{
		{"delivered", known, receiver.URL, 200, ""},
		{"status", known, receiver.URL + "/fails", 500, webhook.FailedStatus},
		{"redirect", known, receiver.URL + "/redirect", 307, webhook.FailedRedirect},
		{"timeout", short, receiver.URL + "/hangs", 0, webhook.FailedTimeout},
		{"closed", known, closed.URL, 0, webhook.FailedConnection},
		{"certificate", Config{Loopback: true}, receiver.URL, 0, webhook.FailedTLS},
		{"loopback", Config{TLS: known.TLS}, receiver.URL, 0, webhook.FailedAddress},
		{"without TLS", known, plain.URL, 0, webhook.FailedAddress},
		{"private", known, "https://10.0.0.1/", 0, webhook.FailedAddress},
		{"metadata", known, "https://169.254.169.254/latest", 0, webhook.FailedAddress},
		{"mapped", known, "https://[::ffff:192.168.0.1]/", 0, webhook.FailedAddress},
	} {
		if got := attempt(t, c.cfg, c.url); got.Status != c.status || got.Failure != c.want {
			t.Errorf("%s: got %+v, want status %d and failure %q", c.name, got, c.status, c.want)
		}
	}
	if inside.Load() != 0 {
		t.Error("a redirect was followed")
	}
	if got := failure(0, &net.DNSError{Err: "no such host", IsNotFound: true}); got != webhook.FailedName {
		t.Errorf("got %q, want a name that was not found", got)
	}
}
