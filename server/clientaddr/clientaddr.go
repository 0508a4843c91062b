// Package clientaddr finds the address of the client behind a request, and the
// key by which limits per address count it. It is the one place that reads
// X-Forwarded-For.
package clientaddr

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Of returns the address of the client of a request in the form of
// http.Request.RemoteAddr: the last one in X-Forwarded-For that is no trusted
// proxy, if a trusted proxy sent the request. The port is 0 for an address
// from the header. Earlier hops may be forged by the client and are ignored.
//
// readable is false if a trusted proxy wrote a hop that is no address; the
// client then counts as that proxy.
func Of(r *http.Request, proxies []netip.Prefix) (from string, readable bool) {
	from = r.RemoteAddr
	header := r.Header["X-Forwarded-For"]
	if len(header) == 0 {
		return from, true
	}
	hops := strings.Split(strings.Join(header, ","), ",")
	for i := len(hops) - 1; i >= 0 && Trusted(from, proxies); i-- {
		ip, ok := parseHop(strings.TrimSpace(hops[i]))
		if !ok {
			return from, false
		}
		from = netip.AddrPortFrom(ip.WithZone(""), 0).String()
	}
	return from, true
}

// parseHop parses one hop: an address, with or without brackets and a port.
func parseHop(hop string) (netip.Addr, bool) {
	if both, err := netip.ParseAddrPort(hop); err == nil {
		return both.Addr(), true
	}
	if inner, ok := strings.CutPrefix(hop, "["); ok {
		if hop, ok = strings.CutSuffix(inner, "]"); !ok {
			return netip.Addr{}, false
		}
	}
	ip, err := netip.ParseAddr(hop)
	return ip, err == nil
}

// Trusted reports whether an address, as net.Conn.RemoteAddr returns it, is that
// of a trusted proxy.
func Trusted(from string, proxies []netip.Prefix) bool {
	ip, err := netip.ParseAddrPort(from)
	return err == nil && slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(ip.Addr().Unmap()) })
}

// Key returns the key by which limits per address count a client, given its
// address as [Of] or net.Conn.RemoteAddr returns it: an IPv4 address, or the
// /64 that a subscriber of IPv6 gets.
func Key(from string) string {
	host, _, err := net.SplitHostPort(from)
	if err != nil {
		return from
	}
	ip := net.ParseIP(host)
	if ip == nil {
		return host
	}
	if v4 := ip.To4(); v4 != nil {
		return v4.String()
	}
	return ip.Mask(net.CIDRMask(64, 128)).String()
}

// Loopback reports whether a client's address is of this machine, or is none
// at all. A reverse proxy there speaks for all its clients.
func Loopback(from string) bool {
	host, _, err := net.SplitHostPort(from)
	ip := net.ParseIP(host)
	return err != nil || ip == nil || ip.IsLoopback()
}
