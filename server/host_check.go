package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
)

var hostUnknown = problem(421, code.HostUnknown, "this server does not answer to the name in the Host header",
	"use its address; for a name, the operator starts netctl serve with --base-url, or --host for a further name, and a Go program sets Config.BaseURL or Config.Hosts")

// CheckHost returns a handler that passes on requests whose Host is a loopback
// name, the connection's own address, the host of Config.BaseURL or one of
// Config.Hosts, and refuses others with 421. A web page whose name was rebound
// to this server's address (DNS rebinding) sends its own name there. [Server.Serve]
// checks by itself; those who listen on their own wrap [Server.Handler].
func (s *Server) CheckHost(next http.Handler) http.Handler {
	names := slices.Clone(s.cfg.Hosts)
	if u, err := url.Parse(s.cfg.BaseURL); err == nil && u.Host != "" {
		names = append(names, u.Host)
	}
	for i, name := range names {
		names[i] = hostName(name)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if from, err := s.readHop(r); !answersTo(r, names) && (err != nil || from == nil) { // a node has checked the name
			rec := &recorder{ResponseWriter: w, id: requestID(r)}
			secure(rec.Header(), rec.id)
			s.refuse(rec, r, hostUnknown)
			s.logRequest(rec, r, 0)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// answersTo reports whether the Host of a request names this server. Only
// clients older than HTTP/1.1 send none, and no browser is one.
func answersTo(r *http.Request, names []string) bool {
	name := hostName(r.Host)
	if name == "" || name == "localhost" || slices.Contains(names, name) {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && (ip.Unmap().IsLoopback() || ip.Unmap() == localAddress(r))
}

// hostName returns the name or address in a Host header, without port and
// brackets, in small letters.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// localAddress returns this machine's end of a request's connection, the zero
// address without one.
func localAddress(r *http.Request) netip.Addr {
	if at, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		return at.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
