package main

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

// debugTransport tells of each request on standard error: what was asked, what
// came back and how long it took. Headers, bodies and signatures, which hold
// secrets, are left out.
type debugTransport struct {
	next http.RoundTripper
	w    io.Writer
}

// debugged tells of what a transport carries where --debug asks for that.
func (a *app) debugged(next http.RoundTripper) http.RoundTripper {
	if !a.debug {
		return next
	}
	return &debugTransport{next, a.err}
}

// RoundTrip implements http.RoundTripper.
func (d *debugTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	at := *r.URL
	if q := at.Query(); q.Has("sig") {
		q.Set("sig", "left out")
		at.RawQuery = q.Encode()
	}
	at.User = nil
	begun := time.Now()
	resp, err := d.next.RoundTrip(r)
	took := time.Since(begun).Round(time.Millisecond)
	if err != nil {
		fmt.Fprintf(d.w, "%s %s: no answer after %s\n", r.Method, &at, took)
		return resp, err
	}
	fmt.Fprintf(d.w, "%s %s: %d after %s, request %s\n", r.Method, &at, resp.StatusCode, took, clean(resp.Header.Get("X-Request-Id")))
	return resp, nil
}
