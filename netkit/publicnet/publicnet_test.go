package publicnet

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"
)

func TestContains(t *testing.T) {
	for text, want := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "172.32.0.1": true, "100.128.0.1": true, "2606:4700::1111": true, "::ffff:8.8.8.8": true,
		"0.0.0.0": false, "10.1.2.3": false, "100.64.0.1": false, "100.127.255.255": false, "127.0.0.1": false, "127.9.9.9": false,
		"169.254.169.254": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false, "192.0.0.8": false, "192.0.2.1": false,
		"198.18.0.1": false, "198.51.100.1": false, "203.0.113.1": false, "224.0.0.1": false, "239.255.255.255": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::10.0.0.1": false, "64:ff9b::a00:1": false, "64:ff9b:1::1": false,
		"fc00::1": false, "fd12::1": false, "fe80::1": false, "fe80::1%eth0": false, "fec0::1": false, "ff02::1": false,
		"2001::1": false, "2001:db8::1": false, "2002:a00:1::1": false, "3fff::1": false, "100::1": false,
		"2606:4700::1111%eth0": false,
	} {
		if got := Contains(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
	if Contains(netip.Addr{}) {
		t.Error("no address counts as public")
	}
	if err := Guard(netip.Addr.IsLoopback)("tcp", "no address", nil); !errors.Is(err, ErrAddress) {
		t.Errorf("got %v, want what is no address refused", err)
	}
}

// A dialer with the guard connects to nothing of its own machine, unless that
// is allowed.
func TestGuard(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	guarded := net.Dialer{Control: Guard(nil)}
	if _, err := guarded.Dial("tcp", l.Addr().String()); !errors.Is(err, ErrAddress) {
		t.Errorf("got %v, want %v", err, ErrAddress)
	}
	open := net.Dialer{Control: Guard(netip.Addr.IsLoopback)}
	c, err := open.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// A page that may be read cannot send the client to one that may not.
func TestClientFollowsNobodyHome(t *testing.T) {
	home, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("this machine has one loopback address")
	}
	inner := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the guard let a request through") }))
	inner.Listener = home
	inner.Start()
	defer inner.Close()
	outer := httptest.NewServer(http.RedirectHandler("http://"+home.Addr().String(), http.StatusFound))
	defer outer.Close()
	client := Client(time.Minute, func(ip netip.Addr) bool { return ip == netip.MustParseAddr("127.0.0.1") })
	if _, err := client.Get(outer.URL); !errors.Is(err, ErrAddress) {
		t.Errorf("got %v, want %v", err, ErrAddress)
	}
	ended := httptest.NewServer(http.NotFoundHandler())
	defer ended.Close()
	resp, err := client.Get(ended.URL)
	if err != nil || resp.StatusCode != http.StatusNotFound {
		t.Fatalf("got %v, want an answer from where the client may go", err)
	}
	resp.Body.Close()
}
