// Package testca runs an ACME authority on this machine, for tests and rehearsals. It
// forgets everything when the process ends, and no browser trusts it.
package testca

import (
	"io"
	"log"
	"net/http/httptest"
	"os"

	"encoding/pem"

	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
)

// Authority is a running authority.
type Authority struct {
	Directory string // address of its directory
	Root      []byte // PEM of the certificate behind Directory
	Issuer    []byte // PEM of the root of the certificates that it issues

	server *httptest.Server
}

// Start runs an authority that finds the servers which it checks at the two ports of
// 127.0.0.1, by HTTP and TLS.
func Start(httpPort, tlsPort int) (*Authority, error) {
	if err := os.Setenv("PEBBLE_VA_NOSLEEP", "1"); err != nil {
		return nil, err
	}
	quiet := log.New(io.Discard, "", 0)
	store := db.NewMemoryStore()
	issuer := ca.New(quiet, store, "", "ecdsa", 0, 1, map[string]ca.Profile{
		"default":    {Description: "90 days", ValidityPeriod: 90 * 24 * 3600},
		"shortlived": {Description: "6 days", ValidityPeriod: 6 * 24 * 3600},
	})
	front := wfe.New(quiet, store, va.New(quiet, httpPort, tlsPort, false, "", store), issuer, nil, false, false, 1, 1)
	a := &Authority{server: httptest.NewTLSServer(front.Handler())}
	a.Directory = a.server.URL + wfe.DirectoryPath
	a.Root = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.server.Certificate().Raw})
	a.Issuer = issuer.GetRootCert(0).PEM()
	return a, nil
}

// Close ends the authority.
func (a *Authority) Close() { a.server.Close() }
