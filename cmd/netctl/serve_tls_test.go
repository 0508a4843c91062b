//go:build linux

package main

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/fleet"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/server/certs/testca"
)

// writeFiles writes a pair of PEM files, and returns who trusts it.
func writeFiles(t *testing.T, cert, key, name string) *x509.CertPool {
	t.Helper()
	public, secret, err := testca.Pair(name, time.Now().Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for path, b := range map[string][]byte{cert: public, key: secret} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(public)
	return roots
}

// reaches reports how a client that trusts the roots is answered by an address.
func reaches(t *testing.T, roots *x509.CertPool, method, url string) (*http.Response, string) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{ForceAttemptHTTP2: true, DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: roots}}}
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

// A server with a certificate in files is reached by HTTPS under its name, leads
// there from plain HTTP, takes a pair that changes, and keeps the one of before where
// the new one is broken.
func TestServesHTTPSFromFiles(t *testing.T) {
	catchHangups(t)
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	roots := writeFiles(t, cert, key, "127.0.0.1")
	secure, plain, probes := fleet.FreeAddress(t), fleet.FreeAddress(t), fleet.FreeAddress(t)
	flags := []string{"--tls-cert", cert, "--tls-key", key, "--tls-addr", secure, "--http-addr", plain, "--monitor-addr", probes, "--log-file", filepath.Join(dir, "log")}
	v := &fleet.Server{T: t, Dir: filepath.Join(dir, "net"), Flags: flags}
	v.Start()
	resp, body := reaches(t, roots, "GET", "https://"+secure+"/api/health")
	if resp == nil || resp.StatusCode != 200 || resp.Proto != "HTTP/2.0" || resp.Header.Get("Strict-Transport-Security") == "" {
		t.Fatalf("got %+v %s, want an answer by HTTP/2 that asks for HTTPS", resp, body)
	}
	if resp, _ := reaches(t, roots, "GET", "http://"+plain+"/market"); resp == nil || resp.StatusCode != 308 || resp.Header.Get("Location") != "https://"+secure+"/market" {
		t.Errorf("plain http: got %+v, want the way to https", resp)
	}
	if resp, _ := reaches(t, roots, "POST", "http://"+plain+"/api/agent/spawn"); resp == nil || resp.StatusCode != 403 {
		t.Errorf("a command over plain http: got %+v, want 403", resp)
	}
	if resp, _ := reaches(t, nil, "GET", v.URL+"/api/health"); resp == nil || resp.StatusCode != 200 || resp.Header.Get("Strict-Transport-Security") != "" {
		t.Errorf("on this machine: got %+v, want plain http as before", resp)
	}
	if out := runDoctor(t, v.Dir, cert, key); !strings.Contains(out, "certificate file") || strings.Contains(out, "problem") {
		t.Errorf("doctor: got %s", out)
	}

	next := writeFiles(t, cert, key, "127.0.0.1")
	v.Signal(syscall.SIGHUP)
	netkittest.Until(t, "the new certificate", func() bool {
		resp, _ := reaches(t, next, "GET", "https://"+secure+"/api/health")
		return resp != nil && resp.StatusCode == 200
	})
	if err := os.WriteFile(key, []byte("half a k"), 0o600); err != nil {
		t.Fatal(err)
	}
	v.Signal(syscall.SIGHUP)
	netkittest.Until(t, "a note in /readyz", func() bool {
		resp, body := reaches(t, nil, "GET", "http://"+probes+"/readyz")
		return resp != nil && resp.StatusCode == 200 && strings.Contains(body, "certificate: ") && strings.Contains(body, key)
	})
	if resp, body := reaches(t, next, "GET", "https://"+secure+"/api/health"); resp == nil || resp.StatusCode != 200 {
		t.Errorf("with a broken pair: got %s, want the certificate of before", body)
	}
	if log, err := os.ReadFile(filepath.Join(dir, "log")); err != nil || !strings.Contains(string(log), "the certificate of before is served until") {
		t.Errorf("the log does not name the broken pair: %v", err)
	}
	if out := runDoctor(t, v.Dir, cert, key); !strings.Contains(out, "problem") || !strings.Contains(out, key) {
		t.Errorf("doctor: got %s, want the broken pair", out)
	}
	if resp, body := reaches(t, nil, "GET", "http://"+probes+"/metrics"); resp == nil || !strings.Contains(body, "netctl_certificate_expires_seconds 8") {
		t.Errorf("the metrics lack the time until the certificate ends")
	}
}

// runDoctor returns the lines of netctl doctor about certificates.
func runDoctor(t *testing.T, dir, cert, key string) (lines string) {
	t.Helper()
	t.Setenv("NETCTL_SERVE_TLS_CERT", cert)
	t.Setenv("NETCTL_SERVE_TLS_KEY", key)
	_, out, _ := fleet.Run("--data", dir, "doctor")
	for line := range strings.Lines(out) {
		if strings.Contains(line, "certificate") {
			lines += line
		}
	}
	return lines
}

// Half of what HTTPS needs is refused before a network begins.
func TestServeTLSMistakes(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeFiles(t, cert, key, "127.0.0.1")
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--tls-cert", cert}, "give --tls-cert and --tls-key"},
		{[]string{"--tls-cert", cert, "--tls-key", empty}, empty},
		{[]string{"--domain", "https://net.example"}, "without https://"},
		{[]string{"--domain", "*.net.example"}, "serve.domain"},
		{[]string{"--domain", "127.0.0.1", "--acme-root", empty}, "serve.acme-root"},
	} {
		code, _, said := fleet.Run(append([]string{"serve", "--data", filepath.Join(dir, "net"), "--addr", "127.0.0.1:0", "--intent-addr", "127.0.0.1:0", "--tls-addr", "127.0.0.1:0", "--http-addr", "127.0.0.1:0"}, c.flags...)...)
		if code == 0 || !strings.Contains(said, c.want) {
			t.Errorf("%v: got %d %q, want %q", c.flags, code, said, c.want)
		}
		if _, err := os.Stat(filepath.Join(dir, "net", "journal.db")); err == nil {
			t.Errorf("%v: a network began", c.flags)
		}
	}
}
