package certs_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/server/certs"
	"github.com/agentnet/netctl/server/certs/testca"
)

// writePair writes a new certificate for a name that ends then.
func writePair(t *testing.T, dir, name string, ends time.Time) (cert, key string) {
	t.Helper()
	public, secret, err := testca.Pair(name, ends)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write(t, cert, public)
	write(t, key, secret)
	return cert, key
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

var quiet = slog.New(slog.DiscardHandler)

// Files are read again when they change. A pair that is broken, does not match or has
// ended leaves the one in use.
func TestFilesAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	later := time.Now().Add(24 * time.Hour).Truncate(time.Second)
	cert, key := writePair(t, dir, "one.example", later)
	f, err := certs.OpenFiles(cert, key, quiet, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	served := func() string {
		c, err := f.Config().GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		return c.Leaf.DNSNames[0]
	}
	for _, step := range []struct {
		what   string
		change func()
		want   string
		broken bool
	}{
		{"as it was", func() {}, "one.example", false},
		{"another pair", func() { writePair(t, dir, "two.example", later) }, "two.example", false},
		{"half a file", func() { write(t, cert, []byte("-----BEGIN CERT")) }, "two.example", true},
		{"a pair that ended", func() { writePair(t, dir, "old.example", time.Now().Add(-time.Minute)) }, "two.example", true},
		{"another key", func() {
			other, _ := os.ReadFile(key)
			writePair(t, dir, "three.example", later)
			write(t, key, other)
		}, "two.example", true},
		{"no file", func() { _ = os.Remove(key) }, "two.example", true},
		{"a good pair again", func() { writePair(t, dir, "four.example", later) }, "four.example", false},
	} {
		step.change()
		f.Reload()
		if got := served(); got != step.want || (f.Problem() != "") != step.broken {
			t.Errorf("%s: got %s and problem %q, want %s", step.what, got, f.Problem(), step.want)
		}
	}
	if !f.Expires().Equal(later) || !slices.Equal(f.Names(), []string{"four.example"}) {
		t.Errorf("got %v, %v", f.Expires(), f.Names())
	}
	write(t, cert, nil)
	if _, err := certs.OpenFiles(cert, key, quiet, time.Hour); err == nil || !strings.Contains(err.Error(), cert) {
		t.Errorf("a start with a broken pair: got %v, want an error that names it", err)
	}
}

// Keep notices that the files changed.
func TestFilesAreWatched(t *testing.T) {
	dir := t.TempDir()
	cert, key := writePair(t, dir, "one.example", time.Now().Add(time.Hour))
	f, err := certs.OpenFiles(cert, key, quiet, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = f.Keep(t.Context()) }()
	writePair(t, dir, "two.example", time.Now().Add(time.Hour))
	netkittest.Until(t, "the new pair", func() bool { return f.Names()[0] == "two.example" })
}

// Plain HTTP leads readers to HTTPS, and refuses what carries a secret.
func TestRedirect(t *testing.T) {
	for _, c := range []struct {
		host, method, header, port string
		status                     int
		to                         string
	}{
		{"net.example", "GET", "", "443", 308, "https://net.example/a%2Fb?c=d"},
		{"NET.example.:80", "HEAD", "", "443", 308, "https://net.example/a%2Fb?c=d"},
		{"net.example", "GET", "", "8443", 308, "https://net.example:8443/a%2Fb?c=d"},
		{"[2001:db8::1]", "GET", "", "443", 308, "https://[2001:db8::1]/a%2Fb?c=d"},
		{"other.example", "GET", "", "443", 421, ""},
		{"net.example", "POST", "", "443", 403, ""},
		{"net.example", "GET", "Authorization", "443", 403, ""},
		{"net.example", "GET", "Cookie", "443", 403, ""},
	} {
		r := httptest.NewRequest(c.method, "/a%2Fb?c=d", nil)
		r.Host = c.host
		if c.header != "" {
			r.Header.Set(c.header, "secret")
		}
		w := httptest.NewRecorder()
		certs.Redirect([]string{"net.example", "2001:db8::1"}, c.port).ServeHTTP(w, r)
		if w.Code != c.status || w.Header().Get("Location") != c.to || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%+v: got %d %q", c, w.Code, w.Header().Get("Location"))
		}
	}
}

// An authority issues a certificate for an IP address over the server's own
// listeners, and a restart takes it from the folder.
func TestAuthority(t *testing.T) {
	secure, plain := listen(t), listen(t)
	ca, err := testca.Start(plain.Addr().(*net.TCPAddr).Port, secure.Addr().(*net.TCPAddr).Port)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca.Root)
	cfg := certs.AuthorityConfig{Names: []string{"127.0.0.1"}, Folder: t.TempDir(), Directory: ca.Directory, Roots: roots, TLS: secure.Addr(), HTTP: plain.Addr(), Logger: quiet}
	a, err := certs.NewAuthority(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if a.Problem() == "" {
		t.Error("want a problem before the first certificate")
	}
	go func() { _ = http.Serve(plain, a.Challenge(certs.Redirect(a.Names(), "443"))) }()
	go func() {
		_ = http.Serve(tls.NewListener(secure, a.Config()), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }))
	}()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- a.Keep(ctx) }()
	netkittest.Until(t, "a certificate", func() bool { return a.Problem() == "" && !a.Expires().IsZero() })
	if left := time.Until(a.Expires()); left <= 0 || left > 7*24*time.Hour {
		t.Errorf("got a certificate for %v, want a short-lived one, as an address needs", left)
	}
	trusts := x509.NewCertPool()
	trusts.AppendCertsFromPEM(ca.Issuer)
	client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: trusts}}}
	resp, err := client.Get("https://" + secure.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.Proto != "HTTP/2.0" {
		t.Errorf("got %s, want HTTP/2", resp.Proto)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	ca.Close() // the second start must not need it
	b, err := certs.NewAuthority(cfg)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = b.Keep(t.Context()) }()
	netkittest.Until(t, "the certificate in the folder", func() bool { return b.Problem() == "" && b.Expires().Equal(a.Expires()) })
}

// Names that no authority certifies are refused before it is asked.
func TestAuthorityNames(t *testing.T) {
	for _, name := range []string{"*.example.org", "bad name", ""} {
		if _, err := certs.NewAuthority(certs.AuthorityConfig{Names: []string{name}, Folder: t.TempDir(), TLS: &net.TCPAddr{}, Logger: quiet}); err == nil {
			t.Errorf("%q: got no error", name)
		}
	}
}

func listen(t *testing.T) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}
