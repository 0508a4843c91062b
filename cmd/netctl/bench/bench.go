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

// Report is the result of a run; every figure is the median of its rounds.
type Report struct {
	Connections int       `json:"connections"`
	Rounds      int       `json:"rounds"`
	Bare        Rate      `json:"bare_http"`
	Waiting     Rate      `json:"waiting_http" doc:"bare HTTP that hands each request to one goroutine and waits for it"`
	Durable     Rate      `json:"durable_http"`
	InProcess   Rate      `json:"durable_in_process"`
	Ratio       Ratio     `json:"ratio" doc:"durable over bare HTTP, by calls a second"`
	CPURatio    Ratio     `json:"cpu_ratio" doc:"the same by processor time a call: bare over durable"`
	WaitRatio   Ratio     `json:"waiting_cpu_ratio" doc:"waiting HTTP over durable, by processor time a call"`
	Batch       float64   `json:"batch" doc:"entries in a durable write, on average over HTTP"`
	Latencies   []Latency `json:"latencies" doc:"open loop, at rates below the durable one"`
	Bulk        Bulk      `json:"bulk"`
	Entries     uint64    `json:"entries" doc:"of the journal that was started and audited"`
	Start       Start     `json:"start_with_snapshot"`
	Replay      Start     `json:"start_without_snapshot"`
	Audit       Start     `json:"audit"`
	Busy        bool      `json:"busy" doc:"other programs took the processors more often than once in 20 calls: the rates and latencies say little"`
}

// Ratio is the median of the ratios of pairs that were measured in turn, and the
// lowest and highest.
type Ratio struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

func ratioOf(pairs []float64) Ratio {
	slices.Sort(pairs)
	return Ratio{pairs[len(pairs)/2], pairs[0], pairs[len(pairs)-1]}
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
// decodes and encodes the JSON of an execution; the same with a goroutine that it
// waits for; the network's own, durable on SQLite; executions in process; then
// latency at fixed rates; requests of many lines; starts on the journal that this made,
// and an audit of it.
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
	if err := s.measureLatencies(ctx, &cfg, &r); err != nil {
		return r, err
	}
	if err := s.bulks(ctx, &cfg, &r); err != nil {
		return r, err
	}
	return r, s.measureStarts(ctx, &cfg, &r)
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
	variants := []struct {
		into    *Rate
		name    string
		measure func() (Rate, error)
	}{
		{&r.Bare, "bare net/http, decode and encode", s.loaded(ctx, s.requests(s.bare, "/echo", cfg.Keys), cfg.Span)},
		{&r.Waiting, "the same, waiting for a goroutine", s.loaded(ctx, s.requests(s.bare, "/wait", cfg.Keys), cfg.Span)},
		{&r.Durable, catalog.ExecuteContract.Route() + ", durable", s.loaded(ctx, s.requests(s.api, catalog.ExecuteContract.Path, cfg.Keys), cfg.Span)},
		{&r.InProcess, "in process, durable", func() (Rate, error) { return s.inside(ctx, cfg) }},
	}
	rounds := make([][]Rate, len(variants))
	var entries, writes uint64
	for round := range cfg.Rounds {
		cfg.Say(fmt.Sprintf("round %d of %d", round+1, cfg.Rounds))
		for k, v := range variants {
			size, before := s.net.Health().Entries, s.net.Writes()
			one, err := v.measure()
			if err != nil {
				return err
			}
			rounds[k] = append(rounds[k], one)
			if v.into == &r.Durable {
				entries, writes = entries+s.net.Health().Entries-size, writes+s.net.Writes()-before
			}
		}
	}
	var rates, times, waits, switches []float64
	for i := range cfg.Rounds {
		bare, waiting, durable := rounds[0][i], rounds[1][i], rounds[2][i]
		rates = append(rates, durable.PerSecond/bare.PerSecond)
		times = append(times, float64(bare.CPU)/float64(max(1, durable.CPU)))
		waits = append(waits, float64(waiting.CPU)/float64(max(1, durable.CPU)))
		switches = append(switches, bare.Switches)
	}
	for k, v := range variants {
		*v.into = middle(v.name, rounds[k])
	}
	r.Ratio, r.CPURatio, r.WaitRatio = ratioOf(rates), ratioOf(times), ratioOf(waits)
	r.Batch = float64(entries) / float64(max(1, writes))
	r.Busy = median(switches) > maxSwitches
	return nil
}

// maxSwitches is how often a call of the bare handler may lose its processor on a
// machine that has nothing else to do.
const maxSwitches = 0.05

// loaded returns a measurement of requests over keep-alive connections.
func (s *stage) loaded(ctx context.Context, conns []request, span time.Duration) func() (Rate, error) {
	return func() (Rate, error) { return load(ctx, conns, span) }
}
