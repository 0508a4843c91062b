package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// The direct way to executeContract answers, logs and counts each request as the way
// through the standard mux does.
func TestDirectRouteAnswersAsTheMux(t *testing.T) {
	var seen []string
	f := start(t, func(c *Config) {
		c.Limits.Party = Rate{PerSecond: 1, Burst: 5}
		c.Observe = func(route string, status int, _ time.Duration) { seen = append(seen, fmt.Sprint(route, " ", status)) }
	})
	ada, bob := f.spawn("ada"), f.spawn("bob")
	f.sponsor("acme", 100*netkit.Credit)
	id := f.campaign("acme", 50*netkit.Credit)
	m := newMux(f.Server)
	for _, r := range append(f.routes(), f.pageRoutes()...) {
		if err := m.add(r); err != nil {
			t.Fatal(err)
		}
	}
	m.finish()
	ways := []http.Handler{f.envelope(m), f.envelope(m.ServeMux)}
	for _, c := range []struct {
		name, method, target, token, body string
		status                            int
	}{
		{"executed", "POST", "/api/intent", ada, execution(id), 200},
		{"another execution", "POST", "/api/intent", bob, execution(id), 200},
		{"absolute address", "POST", "http://example.com/api/intent", ada, execution(id), 200},
		{"escaped letter", "POST", "/api/%69ntent", ada, execution(id), 200},
		{"escaped slash", "POST", "/api%2Fintent", ada, execution(id), 404},
		{"slash at the end", "POST", "/api/intent/", ada, execution(id), 404},
		{"two slashes", "POST", "//api/intent", ada, execution(id), 307},
		{"dots", "POST", "/api/../api/intent", ada, execution(id), 307},
		{"question", "POST", "/api/intent?x=1", ada, execution(id), 422},
		{"empty question", "POST", "/api/intent?", ada, execution(id), 200},
		{"another method", "PUT", "/api/intent", ada, execution(id), 405},
		{"small letters", "post", "/api/intent", ada, execution(id), 405},
		{"get", "GET", "/api/intent", ada, "", 405},
		{"no token", "POST", "/api/intent", "", execution(id), 401},
		{"unknown token", "POST", "/api/intent", "x", execution(id), 401},
		{"no body", "POST", "/api/intent", ada, "", 422},
		{"unknown contract", "POST", "/api/intent", bob, execution(99999), 404},
		{"too large", "POST", "/api/intent", bob, strings.Repeat(" ", 70<<10), 413},
		{"another route", "GET", "/api/health", "", "", 200},
	} {
		var answers [2]string
		for i, h := range ways {
			f.log.Reset()
			seen = nil
			f.now.add(time.Minute)                                                                               // the rates are full again
			a := f.on(h, c.method, c.target, c.token, c.body, "X-Request-Id", "same", "Idempotency-Key", c.name) // a repetition has the same receipt
			if a.Code != c.status {
				t.Errorf("%s: got %d %s, want %d", c.name, a.Code, a.Body, c.status)
			}
			line, _, _ := strings.Cut(f.log.String(), `"took_ms"`)
			_, line, _ = strings.Cut(line, `"msg"`)
			answers[i] = fmt.Sprint(a.Code, a.Header(), a.Body, line, seen)
		}
		if answers[0] != answers[1] {
			t.Errorf("%s: got directly\n%s, want as through the mux\n%s", c.name, answers[0], answers[1])
		}
	}
	f.now.add(time.Minute)
	for i := range 8 { // one rate counts both
		if got := f.on(ways[i%2], "POST", "/api/intent", ada, "{}").Code; (got == 429) != (i >= 5) {
			t.Errorf("request %d of a burst of 5: got %d", i+1, got)
		}
	}
}
