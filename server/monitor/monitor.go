// Package monitor measures a running network for those who operate it. Its handler
// serves metrics in the text form of Prometheus, the probes /livez and /readyz, and
// profiles of the program. It belongs on an address that strangers do not reach.
package monitor

import (
	"fmt"
	"net/http"
	"net/http/pprof"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/agentnet/netctl/netkit/network"
)

// Monitor collects metrics. The zero value is not usable; see [New]. Its methods
// may be called from any goroutine.
type Monitor struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	commands prometheus.Histogram
	entries  prometheus.Counter
	waited   prometheus.Histogram
	took     prometheus.Histogram

	routes sync.Map // routeStatus to *routeMetrics

	mu     sync.Mutex
	checks []Check
}

// Check is a condition of readiness.
type Check struct {
	Name string
	// Waits returns what the network waits for, "" where it is ready.
	Waits func() string
	// Note returns what should be known of a network that is ready, "" for nothing;
	// nil means nothing.
	Note func() string
}

// New makes a monitor of this process. [Monitor.Watch] adds the network.
func New() *Monitor {
	m := &Monitor{registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "netctl_requests_total", Help: "Requests answered, by route and status."}, []string{"route", "status"}),
		seconds:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "netctl_request_seconds", Help: "Time until a request was answered, by route.", Buckets: []float64{.001, .005, .025, .1, .5, 2, 10}}, []string{"route"}),
		commands: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "netctl_batch_commands", Help: "Commands that shared one durable write.", Buckets: prometheus.ExponentialBuckets(1, 4, 6)}),
		entries:  prometheus.NewCounter(prometheus.CounterOpts{Name: "netctl_entries_written_total", Help: "Entries written since the start."}),
		waited:   prometheus.NewHistogram(prometheus.HistogramOpts{Name: "netctl_batch_wait_seconds", Help: "Time that the first command of a batch waited for its write to begin.", Buckets: writeBuckets}),
		took:     prometheus.NewHistogram(prometheus.HistogramOpts{Name: "netctl_batch_write_seconds", Help: "Time of a durable write, with its sync.", Buckets: writeBuckets}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.commands, m.entries, m.waited, m.took,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), buildInfo())
	return m
}

var writeBuckets = []float64{.0005, .001, .002, .005, .01, .025, .05, .1, .25, 1, 5}

// buildInfo is a metric that names the version.
func buildInfo() prometheus.Collector {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	g := prometheus.NewGauge(prometheus.GaugeOpts{Name: "netctl_build_info", Help: "Always 1; the label names the version.", ConstLabels: prometheus.Labels{"version": version}})
	g.Set(1)
	return g
}

// routeStatus names a kind of answer.
type routeStatus struct {
	route  string
	status int
}

// routeMetrics are those of one kind of answer.
type routeMetrics struct {
	requests prometheus.Counter
	seconds  prometheus.Observer
}

// Request counts a request; it is a server.Config.Observe.
func (m *Monitor) Request(route string, status int, took time.Duration) {
	key := routeStatus{route, status}
	found, ok := m.routes.Load(key)
	if !ok {
		name := route
		if name == "" || name == "/" {
			name = "none"
		}
		found, _ = m.routes.LoadOrStore(key, &routeMetrics{m.requests.WithLabelValues(name, strconv.Itoa(status)), m.seconds.WithLabelValues(name)})
	}
	one := found.(*routeMetrics)
	one.requests.Inc()
	one.seconds.Observe(took.Seconds())
}

// Wrote counts a durable write; it is a network.Config.Wrote.
func (m *Monitor) Wrote(w network.Write) {
	m.commands.Observe(float64(w.Commands))
	m.entries.Add(float64(w.Entries))
	m.waited.Observe(w.Waited.Seconds())
	m.took.Observe(w.Took.Seconds())
}

// Gauge adds a value that is read whenever metrics are asked for.
func (m *Monitor) Gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// Ready adds conditions of readiness.
func (m *Monitor) Ready(checks ...Check) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.checks = append(m.checks, checks...)
}

// Handler serves /livez, /readyz, /metrics and /debug/pprof/.
func (m *Monitor) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", m.ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// ready answers 200, with a line for each note, or 503 with a line for each thing that
// the network waits for.
func (m *Monitor) ready(w http.ResponseWriter, _ *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	var waits, notes []string
	for _, c := range m.checks {
		if what := c.Waits(); what != "" {
			waits = append(waits, c.Name+": "+what)
		} else if c.Note != nil {
			if what := c.Note(); what != "" {
				notes = append(notes, c.Name+": "+what)
			}
		}
	}
	if len(waits) == 0 {
		fmt.Fprintln(w, "ok")
		waits = notes
	} else {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	for _, line := range waits {
		fmt.Fprintln(w, line)
	}
}
