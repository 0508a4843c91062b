package monitor_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
	"github.com/agentnet/netctl/server/monitor"
)

// ask asks the monitor for a path and returns status and body.
func ask(m *monitor.Monitor, path string) (int, string) {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Code, w.Body.String()
}

// Requests, writes and the state of the network show in the metrics, whose books
// balance.
func TestMetricsCountWhatHappened(t *testing.T) {
	m := monitor.New()
	dir := t.TempDir()
	h, err := host.New(t.Context(), host.Config{Dir: dir, Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}},
		Wrote: m.Wrote, Server: server.Config{Limits: host.Unlimited, Observe: m.Request}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(t.Context())
	m.Watch(monitor.Watched{Network: h.Network, Server: h.Server, Dir: dir})
	for _, path := range []string{"/api/health", "/api/health", "/no/such"} {
		h.Server.Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	if _, err := h.Network.As("operator").AddOperator(t.Context(), netkit.AddOperator{Slug: "second"}); err != nil {
		t.Fatal(err)
	}
	status, body := ask(m, "/metrics")
	if status != http.StatusOK {
		t.Fatalf("got %d %s", status, body)
	}
	for _, want := range []string{`netctl_requests_total{route="GET /api/health",status="200"} 2`, `netctl_requests_total{route="none",status="404"} 1`,
		`netctl_request_seconds_count{route="GET /api/health"} 2`, "netctl_entries_written_total 1\n", "netctl_batch_commands_sum 1\n", "netctl_batch_write_seconds_count 1\n",
		"netctl_conservation_credits 0\n", "netctl_journal_entries 2\n", "netctl_writing 1\n", "netctl_streams 0\n", "netctl_queue_age_seconds 0\n", "netctl_nights_open ", "netctl_journal_bytes ",
		"go_memstats_heap_alloc_bytes ", "netctl_build_info{"} {
		if !strings.Contains(body, want) {
			t.Errorf("got no %q in\n%s", want, body)
		}
	}
}

// The probe of readiness names everything that the network waits for.
func TestReadyNamesWhatItWaitsFor(t *testing.T) {
	m := monitor.New()
	waits := map[string]string{"journal": "it is being opened", "disk": "", "clock": "it is behind"}
	for _, name := range []string{"journal", "disk", "clock"} {
		m.Ready(monitor.Check{Name: name, Waits: func() string { return waits[name] }})
	}
	if status, body := ask(m, "/readyz"); status != http.StatusServiceUnavailable || body != "journal: it is being opened\nclock: it is behind\n" {
		t.Errorf("got %d %q", status, body)
	}
	waits["journal"], waits["clock"] = "", ""
	for path, want := range map[string]string{"/readyz": "ok\n", "/livez": "ok\n"} {
		if status, body := ask(m, path); status != http.StatusOK || body != want {
			t.Errorf("%s: got %d %q, want %q", path, status, body, want)
		}
	}
	if status, body := ask(m, "/debug/pprof/"); status != http.StatusOK || !strings.Contains(body, "goroutine") {
		t.Errorf("profiles: got %d %.100s", status, body)
	}
}

// A request costs little beside its answer.
func BenchmarkRequest(b *testing.B) {
	m := monitor.New()
	b.ReportAllocs()
	for b.Loop() {
		m.Request("POST /api/intent", 200, time.Millisecond)
	}
}
