package hooks

import (
	"net/http"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// A receiver that says with 429 or 503 when to come again is left alone until
// then: not for less than the schedule, nor beyond its longest wait or its day.
func TestWaitsAsLongAsAsked(t *testing.T) {
	date := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for name, c := range map[string]struct {
		status int
		after  func() http.Header
		want   time.Duration // from the first attempt to the second
	}{
		"seconds": {429, func() http.Header { return http.Header{"Retry-After": {"600"}} }, 600 * time.Second},
		"a date":  {503, func() http.Header { return http.Header{"Retry-After": {date(time.Hour)}} }, time.Hour},
		"another clock": {503, func() http.Header {
			return http.Header{"Retry-After": {date(-5 * time.Hour)}, "Date": {date(-6 * time.Hour)}}
		}, time.Hour},
		"too long":      {429, func() http.Header { return http.Header{"Retry-After": {"2000000000"}} }, lastRetry},
		"too short":     {429, func() http.Header { return http.Header{"Retry-After": {"1"}} }, firstRetry},
		"the past":      {429, func() http.Header { return http.Header{"Retry-After": {date(-time.Hour)}} }, firstRetry},
		"no time":       {429, func() http.Header { return http.Header{"Retry-After": {"soon"}} }, firstRetry},
		"below zero":    {429, func() http.Header { return http.Header{"Retry-After": {"-600"}} }, firstRetry},
		"another error": {500, func() http.Header { return http.Header{"Retry-After": {"600"}} }, firstRetry},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Config{}, func(t *testing.T, f *fixture) {
				f.spawn("ada")
				f.sets("ada", netkit.EventDispatch)
				f.answers("ada.test", status(c.status))
				f.heads("ada.test", c.after())
				f.publish("one")
				f.passes(25 * time.Hour)
				got := f.of("ada.test")
				if len(got) < 4 || got[1].at.Sub(got[0].at) != c.want {
					t.Fatalf("got %d attempts, the second %s after the first, want it after %s", len(got), got[1].at.Sub(got[0].at), c.want)
				}
				if last := got[len(got)-1].at.Sub(got[0].at); last > patience {
					t.Errorf("got an attempt after %s, want none after a day", last)
				}
			})
		})
	}
}
