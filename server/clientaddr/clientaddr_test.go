package clientaddr

import (
	"net/http/httptest"
	"net/netip"
	"testing"
)

var proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.0.0.0/8")}

// A client behind proxies is the last hop that is no trusted proxy, whatever
// the client itself wrote before it.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		from     string
		hops     []string
		want     string
		readable bool
	}{
		{"127.0.0.1:9", []string{"198.51.100.7"}, "198.51.100.7:0", true},
		{"127.0.0.1:9", []string{"203.0.113.1, 198.51.100.7"}, "198.51.100.7:0", true},
		{"127.0.0.1:9", []string{"203.0.113.1", "198.51.100.7, 10.1.2.3"}, "198.51.100.7:0", true},
		{"127.0.0.1:9", []string{"203.0.113.1, junk, 10.1.2.3"}, "10.1.2.3:0", false},
		{"127.0.0.1:9", []string{"junk, 198.51.100.7"}, "198.51.100.7:0", true},
		{"127.0.0.1:9", []string{"2001:db8::1"}, "[2001:db8::1]:0", true},
		{"127.0.0.1:9", []string{"9.9.9.9:1234"}, "9.9.9.9:0", true},
		{"127.0.0.1:9", []string{"[2001:db8::1]"}, "[2001:db8::1]:0", true},
		{"127.0.0.1:9", []string{"[2001:db8::1]:443"}, "[2001:db8::1]:0", true},
		{"127.0.0.1:9", []string{"203.0.113.1, 9.9.9.9:1234, 10.0.0.2:80"}, "9.9.9.9:0", true},
		{"127.0.0.1:9", []string{"[2001:db8::1"}, "127.0.0.1:9", false},
		{"127.0.0.1:9", []string{"unknown"}, "127.0.0.1:9", false},
		{"127.0.0.1:9", []string{""}, "127.0.0.1:9", false},
		{"127.0.0.1:9", nil, "127.0.0.1:9", true},
		{"192.0.2.9:9", []string{"198.51.100.7"}, "192.0.2.9:9", true}, // no proxy of ours
		{"192.0.2.9:9", []string{"junk"}, "192.0.2.9:9", true},
		{"@", []string{"198.51.100.7"}, "@", true},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr, r.Header["X-Forwarded-For"] = c.from, c.hops
		if got, readable := Of(r, proxies); got != c.want || readable != c.readable {
			t.Errorf("%s through %v: got %s, %v, want %s, %v", c.from, c.hops, got, readable, c.want, c.readable)
		}
	}
}

func TestKey(t *testing.T) {
	for from, want := range map[string]string{"192.0.2.7:99": "192.0.2.7", "[2001:db8:1:2:3:4:5:6]:99": "2001:db8:1:2::", "[::ffff:192.0.2.7]:1": "192.0.2.7", "pipe": "pipe"} {
		if got := Key(from); got != want {
			t.Errorf("%s: got %s, want %s", from, got, want)
		}
	}
}

func TestLoopback(t *testing.T) {
	for from, want := range map[string]bool{"192.0.2.7:99": false, "[2001:db8::1]:99": false, "127.0.0.1:1": true, "[::1]:1": true, "pipe": true} {
		if got := Loopback(from); got != want {
			t.Errorf("%s: got %v, want %v", from, got, want)
		}
	}
}
