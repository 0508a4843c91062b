package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/agentnet/netctl/server"
)

// Overload says how to measure what more executions than a network can answer do
// to those that it accepts.
type Overload struct {
	Connections int           // of the overload; 0 means 512
	Rounds      int           // of each; 0 means 5
	Span        time.Duration // of one measurement; 0 means 2 s
	Dir         string        // folder for the journals; "" means a throw-away one
	Say         func(string)  // told what is being measured; nil means nobody
	// Send sends a load, in another process if the client is to wait in no queue
	// of the server's; nil means [Send].
	Send func(context.Context, Load) (Sent, error)
}

// OverloadReport compares a server that answers everything with one that refuses
// commands while others are late; every figure is the median of its rounds. The
// processor time is the server's for an answer, accepted or not.
type OverloadReport struct {
	Connections int           `json:"connections"`
	Capacity    Rate          `json:"capacity" doc:"64 connections, one request after the other"`
	Asked       float64       `json:"asked_per_second" doc:"twice the capacity"`
	Patient     Rate          `json:"without_bound"`
	Bounded     Rate          `json:"with_bound" doc:"of accepted executions, from the time they were sent"`
	Sent        float64       `json:"sent_per_second" doc:"with the bound; fewer than asked where no connection was free"`
	Refused     float64       `json:"refused" doc:"share of requests that the bound answered with 503"`
	Wait        time.Duration `json:"refused_p99_ns" doc:"99th percentile of the time until a 503"`
	P99         float64       `json:"p99_ratio" doc:"99th percentile with the bound over without, the median of the pairs"`
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
	var ratios, refused, waits, totals []float64
	for round := range cfg.Rounds {
		cfg.Say(fmt.Sprintf("round %d of %d", round+1, cfg.Rounds))
		c, err := stages[1].send(ctx, cfg.Send, Load{Connections: 64, Span: cfg.Span})
		if err != nil {
			return r, err
		}
		twice := Load{Connections: cfg.Connections, PerSecond: 2 * c.Accepted.PerSecond, Span: cfg.Span}
		a, err := stages[0].send(ctx, cfg.Send, twice)
		if err != nil {
			return r, err
		}
		b, err := stages[1].send(ctx, cfg.Send, twice)
		if err != nil {
			return r, err
		}
		capacity, patient, bounded = append(capacity, c.Accepted), append(patient, a.Accepted), append(bounded, b.Accepted)
		refused, waits, totals = append(refused, b.share()), append(waits, float64(b.Wait)), append(totals, b.Total)
		ratios = append(ratios, float64(b.Accepted.P99)/float64(a.Accepted.P99))
	}
	r.Connections, r.Capacity = cfg.Connections, middle("64 connections", capacity)
	r.Patient, r.Bounded = middle("twice as many asked, no bound", patient), middle("twice as many asked, accepted", bounded)
	r.Asked, r.Sent, r.Refused, r.Wait, r.P99 = 2*r.Capacity.PerSecond, median(totals), median(refused), time.Duration(median(waits)), median(ratios)
	return r, nil
}

// share returns the share of requests that were refused.
func (s Sent) share() float64 { return 1 - s.Accepted.PerSecond/max(1, s.Total) }

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

func (c *Overload) defaults() {
	if c.Connections == 0 {
		c.Connections = 512
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
