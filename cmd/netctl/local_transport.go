package main

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// localTransport carries requests to the server on a folder of this machine, with
// the key of its run. Requests to any other server go out without the key: the
// address of a recording, for one, may lead elsewhere.
type localTransport struct {
	origin  string // of the server
	key, as string

	own    http.RoundTripper // carries requests to the server
	others http.RoundTripper // carries all other requests
}

// direct connects without a proxy, which would read the key.
var direct = func() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	return t
}()

// newLocalTransport makes the transport to a running server for whoever as names; "" is
// its operator.
func newLocalTransport(r running, as string) (*localTransport, error) {
	at, err := url.Parse(r.URL)
	if err != nil {
		return nil, fmt.Errorf("server.json holds no address: %w; restart the server", err)
	}
	return &localTransport{origin: origin(at), key: r.Key, as: as, own: direct, others: http.DefaultTransport}, nil
}

// RoundTrip implements http.RoundTripper.
func (d *localTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if origin(r.URL) != d.origin {
		return d.others.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	r.Header.Set(headerKey, d.key)
	if d.as != "" {
		r.Header.Set(headerAs, d.as)
	}
	return d.own.RoundTrip(r)
}

// origin returns scheme, host and port of an address, the port also where the
// scheme implies it.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// fromThisMachine reports whether the peer of a request is on this machine: on
// loopback, or on the very address that the listener was reached at, which no
// other machine can connect from.
func fromThisMachine(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	if peer.Addr().Unmap().IsLoopback() {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(interface{ AddrPort() netip.AddrPort })
	return ok && local.AddrPort().Addr().Unmap() == peer.Addr().Unmap()
}
