package certs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/caddyserver/certmagic"
	"go.uber.org/zap"
)

// AuthorityConfig says which certificates an authority is asked for. Names, Folder and
// TLS are required.
type AuthorityConfig struct {
	Names     []string // domain names, or IP addresses
	Folder    string   // of certificates and keys
	Directory string   // of the authority; "" means Let's Encrypt
	Email     string   // that the authority writes to; "" means none
	Roots     *x509.CertPool
	TLS       net.Addr // where this server listens with Config
	HTTP      net.Addr // where it listens with Challenge; nil means nowhere
	Logger    *slog.Logger
}

// Authority is a source of certificates that an ACME authority issues.
type Authority struct {
	names []string
	magic *certmagic.Config
	cache *certmagic.Cache
	acme  *certmagic.ACMEIssuer

	mu       sync.Mutex
	problems map[string]string // of the last attempt, by name
}

// NewAuthority prepares a source. It asks for nothing before [Authority.Keep].
func NewAuthority(cfg AuthorityConfig) (*Authority, error) {
	a := &Authority{names: cfg.Names, problems: map[string]string{}}
	profile := ""
	for _, name := range cfg.Names {
		if _, err := netip.ParseAddr(name); err == nil {
			profile = "shortlived" // the only one of Let's Encrypt that has addresses
		} else if !certmagic.SubjectQualifiesForCert(name) || name[0] == '*' {
			return nil, fmt.Errorf("certs: an authority issues no certificate for %q; give a domain name without * or an IP address", name)
		}
	}
	logger := zap.New(&slogCore{log: cfg.Logger})
	a.cache = certmagic.NewCache(certmagic.CacheOptions{Logger: logger, GetConfigForCert: func(certmagic.Certificate) (*certmagic.Config, error) { return a.magic, nil }})
	a.magic = certmagic.New(a.cache, certmagic.Config{Storage: &certmagic.FileStorage{Path: cfg.Folder}, Logger: logger, OnEvent: a.note,
		OCSP: certmagic.OCSPConfig{DisableStapling: true}, DefaultServerName: cfg.Names[0], FallbackServerName: cfg.Names[0]})
	host, port, err := splitAddr(cfg.TLS)
	if err != nil {
		return nil, err
	}
	issuer := certmagic.ACMEIssuer{CA: cfg.Directory, Email: cfg.Email, Agreed: true, Profile: profile, TrustedRoots: cfg.Roots, ListenHost: host, AltTLSALPNPort: port,
		DisableHTTPChallenge: cfg.HTTP == nil, Logger: logger}
	if cfg.HTTP != nil {
		if _, issuer.AltHTTPPort, err = splitAddr(cfg.HTTP); err != nil {
			return nil, err
		}
	}
	a.acme = certmagic.NewACMEIssuer(a.magic, issuer)
	a.magic.Issuers = []certmagic.Issuer{a.acme}
	return a, nil
}

func splitAddr(at net.Addr) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(at.String())
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	return host, port, err
}

// note keeps the outcome of an attempt; it is a certmagic.Config.OnEvent.
func (a *Authority) note(_ context.Context, event string, data map[string]any) error {
	name, _ := data["identifier"].(string)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch event {
	case "cert_obtained":
		delete(a.problems, name)
	case "cert_failed":
		err, _ := data["error"].(error)
		a.problems[name] = fmt.Sprint(err)
	}
	return nil
}

// Keep implements Source. It asks for the certificates that the folder lacks, and
// returns an error only where the folder cannot be used.
func (a *Authority) Keep(ctx context.Context) error {
	defer a.cache.Stop()
	if err := a.magic.ManageAsync(ctx, a.names); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("certs: %w", err)
	}
	<-ctx.Done()
	return nil
}

// Config implements Source.
func (a *Authority) Config() *tls.Config {
	cfg := a.magic.TLSConfig()
	cfg.NextProtos = append(slices.Clone(protocols), cfg.NextProtos...)
	return cfg
}

// Names implements Source.
func (a *Authority) Names() []string { return a.names }

// Expires implements Source.
func (a *Authority) Expires() (first time.Time) {
	for _, name := range a.names {
		for _, c := range a.cache.AllMatchingCertificates(name) {
			if c.Leaf != nil && (first.IsZero() || c.Leaf.NotAfter.Before(first)) {
				first = c.Leaf.NotAfter
			}
		}
	}
	return first
}

// Problem implements Source.
func (a *Authority) Problem() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, name := range a.names {
		if failed := a.problems[name]; failed != "" {
			return name + ": " + failed
		}
		if len(a.cache.AllMatchingCertificates(name)) == 0 {
			return name + ": no certificate was issued yet"
		}
	}
	return ""
}

// Reload implements Source. An authority is asked when a certificate is due.
func (a *Authority) Reload() {}

// Challenge implements Source.
func (a *Authority) Challenge(next http.Handler) http.Handler {
	return a.acme.HTTPChallengeHandler(next)
}
