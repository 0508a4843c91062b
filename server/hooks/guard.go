package hooks

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"
	"time"

	"github.com/agentnet/netctl/netkit/publicnet"
)

// guard keeps this server's requests on the public internet, and where it is
// allowed on this machine.
func guard(loopback bool) func(network, address string, c syscall.RawConn) error {
	if loopback {
		return publicnet.Guard(netip.Addr.IsLoopback)
	}
	return publicnet.Guard(nil)
}

// Reaches reports whether an address may be reached, as far as it says so
// itself: a name shows where it leads at each dial.
func (h *Hooks) Reaches(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err != nil || publicnet.Contains(ip) || h.cfg.Loopback && ip.Unmap().IsLoopback()
}

// transport connects to receivers: by TLS, without a proxy, to the addresses
// that the guard lets through. It follows no redirect.
func (cfg *Config) transport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: cfg.Timeout, KeepAlive: -1, Control: guard(cfg.Loopback)}
	return &http.Transport{DialContext: dialer.DialContext, TLSClientConfig: cfg.TLS, TLSHandshakeTimeout: cfg.Timeout,
		MaxIdleConns: 2 * cfg.Senders, MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second,
		MaxResponseHeaderBytes: 16 << 10, DisableCompression: true}
}
