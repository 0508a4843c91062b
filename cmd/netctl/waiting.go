package main

import (
	"net/http"
	"sync"
	"time"
)

// patience is how long a request goes without an answer before a person reads
// that it is still waiting.
const patience = 2 * time.Second

// waitingTransport writes a line about the first request of a command that has
// waited longer than patience.
type waitingTransport struct {
	next http.RoundTripper
	once *sync.Once
	say  func(host string)
}

// RoundTrip implements http.RoundTripper. It returns only after a line that was
// begun is written, so that lines do not mix.
func (t *waitingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	var writing sync.WaitGroup
	writing.Add(1)
	timer := time.AfterFunc(patience, func() {
		defer writing.Done()
		t.once.Do(func() { t.say(r.URL.Host) })
	})
	resp, err := t.next.RoundTrip(r)
	if timer.Stop() {
		writing.Done()
	}
	writing.Wait()
	return resp, err
}

// waiting wraps a transport so that a person learns which host is waited for.
func (a *app) waiting(next http.RoundTripper) http.RoundTripper {
	return &waitingTransport{next, new(sync.Once), func(host string) {
		a.talk("waiting for %s … (at most %s; --total-timeout changes that)", host, a.set.v.GetString("total-timeout"))
	}}
}
