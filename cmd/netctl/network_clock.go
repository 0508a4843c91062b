package main

import (
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// networkClock is a transport that reads the network's time from the header Date of
// its answers. A sandbox can be days ahead of this machine.
type networkClock struct {
	next   http.RoundTripper
	origin string // of the network; answers of other servers do not count
	ahead  atomic.Int64
}

func newNetworkClock(next http.RoundTripper, network string) (*networkClock, error) {
	at, err := url.Parse(network)
	if err != nil {
		return nil, err
	}
	return &networkClock{next: next, origin: origin(at)}, nil
}

// RoundTrip implements http.RoundTripper.
func (c *networkClock) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(r)
	if err != nil || origin(r.URL) != c.origin || strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return resp, err
	}
	if theirs, fault := http.ParseTime(resp.Header.Get("Date")); fault == nil {
		c.ahead.Store(int64(time.Until(theirs).Round(time.Minute))) // the header has whole seconds, and is as old as the answer took
	}
	return resp, nil
}

// Now returns the network's time, to the minute; this machine's before any answer.
func (c *networkClock) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }
