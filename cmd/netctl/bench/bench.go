// Package bench measures a network on the machine it runs on, as ratios within
// one run: machines differ and are noisy, ratios travel. It is what `netctl
// bench` runs.
package bench

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/agentnet/netctl/netkit/catalog"
)

// Config says how to measure. Zero values are documented at each field.
type Config struct {
	Connections int           // keep-alive connections and callers; 0 means 64
	Rounds      int           // of each pair; 0 means 5
	Span        time.Duration // of one measurement; 0 means 2 s
	Keys        bool          // send an idempotency key with each execution
	Dir         string        // folder for the journal, so that its disk is measured; "" means a throw-away one
	Say         func(string)  // told what is being measured; nil means nobody
}

// Rate is one measured figure.
type Rate struct {
	Name      string        `json:"name"`
	PerSecond float64       `json:"per_second"`
	P50       time.Duration `json:"p50_ns"`
	P99       time.Duration `json:"p99_ns"`
	CPU       time.Duration `json:"cpu_ns" doc:"processor time a call, client included; 0 where it is not known"`
}

// Report is what a run measured; every figure is the median of its rounds.
type Report struct {
	Connections int     `json:"connections"`
	Rounds      int     `json:"rounds"`
	Bare        Rate    `json:"bare_http"`
	Durable     Rate    `json:"durable_http"`
	InProcess   Rate    `json:"durable_in_process"`
	Ratio       float64 `json:"ratio" doc:"durable over bare HTTP, the median of the pairs"`
	RatioLow    float64 `json:"ratio_low"`
	RatioHigh   float64 `json:"ratio_high"`
	Replay      float64 `json:"replayed_entries_per_second"`
	Entries     uint64  `json:"entries"`
}

func (c *Config) defaults() {
	if c.Connections == 0 {
		c.Connections = 64
	}
	if c.Rounds == 0 {
		c.Rounds = 5
	}
	if c.Span == 0 {
		c.Span = 2 * time.Second
	}
	if c.Say == nil {
		c.Say = func(string) {}
	}
}

// Run measures, in turn and in one process: a bare net/http handler that
// decodes and encodes the JSON of an execution; the network's own, durable on
// SQLite; executions in process; and a replay of the journal that this made.
func Run(ctx context.Context, cfg Config) (Report, error) {
	cfg.defaults()
	dir, remove, err := folder(cfg.Dir)
	if err != nil {
		return Report{}, err
	}
	defer remove()
	s, err := newStage(ctx, dir, cfg.Connections, 0)
	if err != nil {
		return Report{}, err
	}
	defer s.end(ctx)
	r := Report{Connections: cfg.Connections, Rounds: cfg.Rounds}
	if err := s.pairs(ctx, &cfg, &r); err != nil {
		return r, err
	}
	return r, s.replay(ctx, &cfg, &r)
}

// folder returns dir, or a throw-away folder, and what removes that.
func folder(dir string) (string, func(), error) {
	if dir != "" {
		return dir, func() {}, nil
	}
	tmp, err := os.MkdirTemp("", "netctl-bench-")
	if err != nil {
		return "", nil, fmt.Errorf("bench: no throw-away folder: %w", err)
	}
	return tmp, func() { _ = os.RemoveAll(tmp) }, nil
}

// pairs measures bare and durable in turn, so that a machine that slows down
// slows both.
func (s *stage) pairs(ctx context.Context, cfg *Config, r *Report) error {
	bare, durable := s.requests(s.bare, "/echo", cfg.Keys), s.requests(s.api, catalog.ExecuteContract.Path, cfg.Keys)
	var bares, durables, inside []Rate
	var ratios []float64
	for round := range cfg.Rounds {
		cfg.Say(fmt.Sprintf("round %d of %d", round+1, cfg.Rounds))
		b, err := load(ctx, bare, cfg.Span)
		if err != nil {
			return err
		}
		d, err := load(ctx, durable, cfg.Span)
		if err != nil {
			return err
		}
		i, err := s.inside(ctx, cfg)
		if err != nil {
			return err
		}
		bares, durables, inside = append(bares, b), append(durables, d), append(inside, i)
		ratios = append(ratios, d.PerSecond/b.PerSecond)
	}
	r.Bare, r.Durable, r.InProcess = middle("bare net/http, decode and encode", bares), middle(catalog.ExecuteContract.Route()+", durable", durables), middle("in process, durable", inside)
	slices.Sort(ratios)
	r.Ratio, r.RatioLow, r.RatioHigh = ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1]
	return nil
}

// middle returns the rate of the median round.
func middle(name string, rates []Rate) Rate {
	slices.SortFunc(rates, func(a, b Rate) int { return int(a.PerSecond - b.PerSecond) })
	r := rates[len(rates)/2]
	r.Name = name
	return r
}

// meter is running while something is measured.
type meter struct {
	begin time.Time
	cpu   time.Duration
}

func startMeter() meter { return meter{time.Now(), cpu()} }

// rate sums up a measurement from the latencies of its calls.
func (m meter) rate(took []time.Duration) Rate {
	if len(took) == 0 {
		return Rate{}
	}
	span, spent := time.Since(m.begin), cpu()-m.cpu
	slices.Sort(took)
	return Rate{PerSecond: float64(len(took)) / span.Seconds(), P50: took[len(took)/2], P99: took[len(took)*99/100],
		CPU: spent / time.Duration(len(took))}
}
