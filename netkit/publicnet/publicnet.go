// Package publicnet tells addresses of the public internet from those of a
// machine's own neighbourhood, for programs that strangers send to addresses.
package publicnet

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// ErrAddress means that a connection would leave the public internet.
var ErrAddress = errors.New("this address is not one of the public internet")

// Addresses of version 6 are assigned from one block so far; what it embeds of
// version 4, or holds for documents, is left out. NAT64 lies outside of it.
var (
	assigned6 = netip.MustParsePrefix("2000::/3")
	reserved6 = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
	reserved4 = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"224.0.0.0/4", "240.0.0.0/4")
)

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// Contains reports whether an address is one of the public internet.
func Contains(ip netip.Addr) bool {
	ip = ip.Unmap()
	within := func(p netip.Prefix) bool { return p.Contains(ip) }
	switch {
	case ip.Is4():
		return !slices.ContainsFunc(reserved4, within)
	case ip.Zone() != "":
		return false
	}
	return assigned6.Contains(ip) && !slices.ContainsFunc(reserved6, within)
}

// Guard returns what a net.Dialer asks before each connection, as its Control.
// The name is resolved by then, so no name and no redirect leads elsewhere. What
// also allows, if it is not nil, may be dialed too.
func Guard(also func(netip.Addr) bool) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err == nil && (Contains(to.Addr()) || also != nil && also(to.Addr().Unmap())) {
			return nil
		}
		return ErrAddress
	}
}

// Client returns an HTTP client with that guard. It follows redirects, which the
// guard checks too, uses no proxy, and has that much time for a request.
func Client(timeout time.Duration, also func(netip.Addr) bool) *http.Client {
	dialer := net.Dialer{Timeout: timeout, Control: Guard(also)}
	return &http.Client{Timeout: timeout, Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}
}
