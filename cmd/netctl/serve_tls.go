package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/certs"
	"github.com/agentnet/netctl/server/monitor"
)

// certificateCheck is how often files of a certificate are looked at.
const certificateCheck = 5 * time.Second

// servesHTTPS reports whether the settings ask for HTTPS.
func (s *settings) servesHTTPS() bool {
	return s.v.GetString("serve.domain") != "" || s.v.GetString("serve.tls-cert") != ""
}

// listenPublic opens the listeners for strangers, which the settings may leave out.
func (s *service) listenPublic() (public, plain net.Listener, err error) {
	v := s.set.v
	if (v.GetString("serve.tls-cert") == "") != (v.GetString("serve.tls-key") == "") {
		return nil, nil, usage(errors.New("a certificate needs both files: give --tls-cert and --tls-key, or neither"))
	}
	if !s.set.servesHTTPS() {
		return nil, nil, nil
	}
	if public, err = s.listenAt("--tls-addr", v.GetString("serve.tls-addr")); err != nil {
		return nil, nil, err
	}
	if at := v.GetString("serve.http-addr"); at != "off" {
		if plain, err = s.listenAt("--http-addr", at); err != nil {
			return nil, nil, errors.Join(err, public.Close())
		}
	}
	return public, plain, nil
}

// secure gives the public listener its certificates, and the plain one what it
// answers.
func (s *service) secure(l server.Listeners) (server.Listeners, error) {
	if l.Public == nil {
		return l, nil
	}
	source, err := s.certificates(l)
	if err != nil {
		return l, errors.Join(err, closeAll(l))
	}
	s.certs, s.publicPort = source, portOf(l.Public.Addr())
	s.plain = source.Challenge(certs.Redirect(s.publicNames(), s.publicPort))
	l.Public = tls.NewListener(l.Public, source.Config())
	return l, nil
}

func portOf(at net.Addr) string {
	_, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return "443"
	}
	return port
}

// certificates returns the source of certificates that the settings name.
func (s *service) certificates(l server.Listeners) (certs.Source, error) {
	v := s.set.v
	if cert := v.GetString("serve.tls-cert"); cert != "" {
		return certs.OpenFiles(cert, v.GetString("serve.tls-key"), s.log, certificateCheck)
	}
	cfg := certs.AuthorityConfig{Names: strings.Fields(v.GetString("serve.domain")), Folder: filepath.Join(s.dir, "certificates"), Directory: v.GetString("serve.acme-directory"),
		Email: v.GetString("serve.acme-email"), TLS: l.Public.Addr(), Logger: s.log}
	if l.Plain != nil {
		cfg.HTTP = l.Plain.Addr()
	}
	if file := v.GetString("serve.acme-root"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, usage(fmt.Errorf("serve.acme-root: %w", err))
		}
		if cfg.Roots = x509.NewCertPool(); !cfg.Roots.AppendCertsFromPEM(text) {
			return nil, usage(fmt.Errorf("serve.acme-root: %s holds no certificate in PEM", file))
		}
	}
	return certs.NewAuthority(cfg)
}

// keepCertificates renews certificates until the function that it returns is called.
func (s *service) keepCertificates(ctx context.Context) (end func()) {
	if s.certs == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := s.certs.Keep(ctx); err != nil {
			s.log.Error("certificate", "error", err.Error(), "advice", "see that the server may write to its folder, and restart it")
		}
	}()
	return func() { stop(); <-ended }
}

// publicNames returns the names under which strangers reach the network by HTTPS.
func (s *service) publicNames() []string {
	if s.certs == nil {
		return nil
	}
	names := strings.Fields(s.set.v.GetString("serve.domain"))
	if len(names) == 0 {
		names = s.certs.Names()
	}
	for i, name := range names {
		names[i] = strings.ToLower(name)
	}
	return names
}

// baseURL returns where the network is reached from outside: as serve.base-url has it,
// else at its first public name, "" without one.
func (s *service) baseURL() string {
	if base := s.set.v.GetString("serve.base-url"); base != "" {
		return base
	}
	for _, name := range s.publicNames() {
		if strings.Contains(name, "*") {
			continue
		}
		if s.publicPort != "443" {
			return "https://" + net.JoinHostPort(name, s.publicPort)
		}
		if strings.Contains(name, ":") {
			name = "[" + name + "]"
		}
		return "https://" + name
	}
	return ""
}

// publicAddr returns where this machine reaches the public listener, "" without one.
func (s *service) publicAddr(l server.Listeners) string {
	if l.Public == nil {
		return ""
	}
	return strings.TrimPrefix(localURL(l.Public.Addr()), "http://")
}

// watchCertificates has the monitor show the certificates.
func (s *service) watchCertificates() {
	if s.certs == nil {
		return
	}
	usable := func() bool { return time.Now().Before(s.certs.Expires()) }
	s.monitor.Ready(monitor.Check{Name: "certificate", Waits: func() string {
		if usable() {
			return ""
		}
		if problem := s.certs.Problem(); problem != "" {
			return problem
		}
		return "it has ended"
	}, Note: s.certs.Problem})
	s.monitor.Gauge("netctl_certificate_expires_seconds", "Time until the first certificate in use ends; 0 without one.", func() float64 {
		return max(0, time.Until(s.certs.Expires()).Seconds())
	})
}
