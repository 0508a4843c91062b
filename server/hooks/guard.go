package hooks

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// errAddress means that a name or address of a receiver leads to where no
// stranger may send this server.
var errAddress = errors.New("hooks: the address is not one of the public internet")

// Addresses of version 6 are assigned from one block so far; what it embeds of
// version 4, or holds for documents, is left out. NAT64 lies outside of it.
var (
	assigned6 = netip.MustParsePrefix("2000::/3")
	private6  = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
	private4  = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"224.0.0.0/4", "240.0.0.0/4")
)

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// public reports whether an address is one of the public internet.
func public(ip netip.Addr) bool {
	ip = ip.Unmap()
	if ip.Zone() != "" || ip.Is6() && !assigned6.Contains(ip) {
		return false
	}
	of := private6
	if ip.Is4() {
		of = private4
	}
	for _, p := range of {
		if p.Contains(ip) {
			return false
		}
	}
	return ip.IsValid()
}

// guard returns what a dialer asks before each connection, once the name is
// resolved: what a name leads to a moment later is never dialed.
func guard(loopback bool) func(network, address string, c syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err == nil && (public(to.Addr()) || loopback && to.Addr().Unmap().IsLoopback()) {
			return nil
		}
		return errAddress
	}
}

// transport connects to receivers: by TLS, without a proxy, to the addresses
// that the guard lets through. It follows no redirect.
func (cfg *Config) transport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: cfg.Timeout, KeepAlive: -1, Control: guard(cfg.Loopback)}
	return &http.Transport{DialContext: dialer.DialContext, TLSClientConfig: cfg.TLS, TLSHandshakeTimeout: cfg.Timeout,
		MaxIdleConns: 2 * cfg.Senders, MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second,
		MaxResponseHeaderBytes: 16 << 10, DisableCompression: true}
}
