// Package certs provides the certificates of a server that speaks HTTPS: from two
// files, which are read again when they change, or from an authority that speaks ACME,
// such as Let's Encrypt, which also issues certificates for IP addresses.
package certs

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Source provides certificates. Its methods may be called from any goroutine.
type Source interface {
	// Config returns the configuration of a listener.
	Config() *tls.Config
	// Names returns the names and addresses that the certificates are for.
	Names() []string
	// Expires returns when the first certificate in use ends, the zero time where
	// there is none yet.
	Expires() time.Time
	// Problem returns what is wrong with the next certificate, "" where nothing is.
	// The one in use, if there is one, serves on.
	Problem() string
	// Reload reads files again at once.
	Reload()
	// Keep renews certificates until the context ends.
	Keep(ctx context.Context) error
	// Challenge returns a handler for plain HTTP that answers an authority and passes
	// all other requests on.
	Challenge(next http.Handler) http.Handler
}

// protocols are spoken on a connection.
var protocols = []string{"h2", "http/1.1"}

// StrictTransport tells browsers to use HTTPS only, for a year.
const StrictTransport = "max-age=31536000"

// Redirect returns a handler for plain HTTP that sends readers of the names to the same
// path at https://NAME:PORT. It refuses all that carries a secret or changes
// something: a client that was redirected would go on sending its token in the clear.
func Redirect(names []string, port string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := hostName(r.Host)
		switch {
		case !slices.Contains(names, name):
			http.Error(w, "This server does not answer to the name in the Host header.", http.StatusMisdirectedRequest)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead, r.Header.Get("Authorization") != "", r.Header.Get("Cookie") != "":
			w.Header().Set("Connection", "close")
			http.Error(w, "This network is reached by https only. If this request had a token, replace it: it was sent unencrypted.", http.StatusForbidden)
			return
		}
		to := url.URL{Scheme: "https", Host: name, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
		if strings.Contains(name, ":") {
			to.Host = "[" + name + "]"
		}
		if port != "443" {
			to.Host = net.JoinHostPort(name, port)
		}
		http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
	})
}

// hostName returns the name or address in a Host header.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
