package certs

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"crypto/x509"
)

// Files is a source of one certificate in two PEM files, with its chain and its key.
type Files struct {
	cert, key string
	log       *slog.Logger
	every     time.Duration

	mu      sync.Mutex
	current *tls.Certificate
	read    [sha256.Size]byte // of the files at the last attempt
	problem string
}

// OpenFiles reads a certificate and its key. Keep looks every so often whether the
// files have changed.
func OpenFiles(cert, key string, log *slog.Logger, every time.Duration) (*Files, error) {
	f := &Files{cert: cert, key: key, log: log, every: every}
	pair, sum, err := f.load()
	if err != nil {
		return nil, err
	}
	f.current, f.read = pair, sum
	return f, nil
}

// load reads the pair, and returns a hash of both files too.
func (f *Files) load() (*tls.Certificate, [sha256.Size]byte, error) {
	var sum [sha256.Size]byte
	cert, err := os.ReadFile(f.cert)
	if err != nil {
		return nil, sum, fmt.Errorf("the certificate cannot be read: %w", err)
	}
	key, err := os.ReadFile(f.key)
	if err != nil {
		return nil, sum, fmt.Errorf("the key of the certificate cannot be read: %w", err)
	}
	h := sha256.New()
	h.Write(cert)
	h.Write(key)
	h.Sum(sum[:0])
	pair, err := tls.X509KeyPair(cert, key)
	if err == nil && !time.Now().Before(pair.Leaf.NotAfter) {
		err = errors.New("the certificate ended on " + pair.Leaf.NotAfter.UTC().Format(time.DateTime))
	}
	if err != nil {
		return nil, sum, fmt.Errorf("%s and %s are no certificate that can be served: %w", f.cert, f.key, err)
	}
	return &pair, sum, nil
}

// CheckFiles returns why two files are no certificate that can be served, and the
// certificate.
func CheckFiles(cert, key string) (*x509.Certificate, error) {
	pair, _, err := (&Files{cert: cert, key: key}).load()
	if err != nil {
		return nil, err
	}
	return pair.Leaf, nil
}

// Reload reads the files again. A pair that cannot be served is logged, and the one in
// use stays.
func (f *Files) Reload() {
	pair, sum, err := f.load()
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err != nil && (f.problem != err.Error() || f.read != sum):
		f.log.Error("certificate", "error", err.Error(), "advice", "the certificate of before is served until "+f.current.Leaf.NotAfter.UTC().Format(time.DateTime))
		f.problem = err.Error()
	case err == nil && (f.read != sum || f.problem != ""):
		f.log.Info("certificate", "reloaded", f.cert, "expires", pair.Leaf.NotAfter.UTC())
		f.current, f.problem = pair, ""
	}
	f.read = sum
}

// Keep implements Source.
func (f *Files) Keep(ctx context.Context) error {
	t := time.NewTicker(f.every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			f.Reload()
		}
	}
}

// Config implements Source.
func (f *Files) Config() *tls.Config {
	return &tls.Config{NextProtos: protocols, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.current, nil
	}}
}

// Names implements Source.
func (f *Files) Names() (names []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, ip := range f.current.Leaf.IPAddresses {
		names = append(names, ip.String())
	}
	return append(slices.Clone(f.current.Leaf.DNSNames), names...)
}

// Expires implements Source.
func (f *Files) Expires() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current.Leaf.NotAfter
}

// Problem implements Source.
func (f *Files) Problem() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.problem
}

// Challenge implements Source.
func (f *Files) Challenge(next http.Handler) http.Handler { return next }
