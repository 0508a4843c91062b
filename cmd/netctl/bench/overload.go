package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/server"
)

// Overload says how to measure what more executions than a network can answer do
// to those that it accepts.
type Overload struct {
	Connections int           // of the overload; 0 means 2,000
	Rounds      int           // of each; 0 means 5
	Span        time.Duration // of one measurement; 0 means 2 s
	Dir         string        // folder for the journals; "" means a throw-away one
	Say         func(string)  // told what is being measured; nil means nobody
}

// OverloadReport compares a server that answers everything with one that refuses
// commands while others are late; every figure is the median of its rounds.
type OverloadReport struct {
	Capacity Rate    `json:"capacity" doc:"64 connections, one request after the other"`
	Asked    float64 `json:"asked_per_second" doc:"twice the capacity"`
	Patient  Rate    `json:"without_bound"`
	Bounded  Rate    `json:"with_bound" doc:"of accepted executions"`
	Refused  float64 `json:"refused" doc:"share of requests that the bound answered with 503"`
	P99      float64 `json:"p99_ratio" doc:"99th percentile with the bound over without, the median of the pairs"`
}

// RunOverload asks two servers, in turn, for twice as many executions as they can
// answer.
func RunOverload(ctx context.Context, cfg Overload) (r OverloadReport, err error) {
	cfg.defaults()
	dir, remove, err := folder(cfg.Dir)
	if err != nil {
		return r, err
	}
	defer remove()
	var stages [2]*stage
	for k, wait := range []time.Duration{-1, 0} {
		stages[k], err = newStage(ctx, filepath.Join(dir, fmt.Sprint(k)), 64, 0, func(l *server.Limits) { l.Wait = wait })
		if err != nil {
			return r, err
		}
		defer stages[k].end(ctx)
	}
	var capacity, patient, bounded []Rate
	var ratios, refused []float64
	for round := range cfg.Rounds {
		cfg.Say(fmt.Sprintf("round %d of %d", round+1, cfg.Rounds))
		c, err := load(ctx, stages[1].requests(stages[1].api, catalog.ExecuteContract.Path, false), cfg.Span)
		if err != nil {
			return r, err
		}
		a, _, err := stages[0].overloaded(ctx, &cfg, 2*c.PerSecond)
		if err != nil {
			return r, err
		}
		b, share, err := stages[1].overloaded(ctx, &cfg, 2*c.PerSecond)
		if err != nil {
			return r, err
		}
		capacity, patient, bounded, refused = append(capacity, c), append(patient, a), append(bounded, b), append(refused, share)
		ratios = append(ratios, float64(b.P99)/float64(a.P99))
	}
	slices.Sort(ratios)
	slices.Sort(refused)
	r.Capacity, r.Patient, r.Bounded = middle("64 connections", capacity), middle("twice as many asked, no bound", patient), middle("twice as many asked, accepted", bounded)
	r.Asked, r.Refused, r.P99 = 2*r.Capacity.PerSecond, refused[len(refused)/2], ratios[len(ratios)/2]
	return r, nil
}

func (c *Overload) defaults() {
	if c.Connections == 0 {
		c.Connections = 2000
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

// overloaded asks for executions at a rate, whether or not those before were
// answered, and returns the rate of those accepted and the share refused.
func (s *stage) overloaded(ctx context.Context, cfg *Overload, rate float64) (Rate, float64, error) {
	var conns []request
	for len(conns) < cfg.Connections {
		conns = append(conns, s.requests(s.api, catalog.ExecuteContract.Path, false)...)
	}
	var taken, busy atomic.Int64
	begin := time.Now()
	for i := range conns {
		conns[i].busy = func() { busy.Add(1) }
		conns[i].wait = func() bool {
			at := time.Duration(float64(taken.Add(1)-1) / rate * float64(time.Second))
			if at >= cfg.Span {
				return false
			}
			time.Sleep(time.Until(begin.Add(at)))
			return true
		}
	}
	r, err := load(ctx, conns, 10*cfg.Span)
	return r, float64(busy.Load()) / max(1, float64(taken.Load())), err
}
