package bench

import (
	"context"
	"fmt"

	"github.com/agentnet/netctl/netkit/catalog"
)

// Latency is open-loop latency at a fixed rate: requests are sent when they are due,
// and their time is counted from then.
type Latency struct {
	Share     float64 `json:"share" doc:"of the durable rate"`
	PerSecond float64 `json:"asked_per_second"`
	Bare      Rate    `json:"bare_http"`
	Durable   Rate    `json:"durable_http"`
	P99       Ratio   `json:"p99_ratio" doc:"99th percentile, durable over bare HTTP"`
}

// shares of the durable rate at which latency is measured, for half of the span each:
// so many figures would take too long otherwise.
var shares = []float64{0.25, 0.5, 0.75}

// measureLatencies measures latency at fixed rates, bare and durable in turn.
func (s *stage) measureLatencies(ctx context.Context, cfg *Config, r *Report) error {
	for _, share := range shares {
		l := Latency{Share: share, PerSecond: share * r.Durable.PerSecond}
		if err := s.measureLatency(ctx, cfg, &l); err != nil {
			return err
		}
		r.Latencies = append(r.Latencies, l)
	}
	return nil
}

// measureLatency measures latency at one rate.
func (s *stage) measureLatency(ctx context.Context, cfg *Config, l *Latency) error {
	var bares, durables []Rate
	var ratios []float64
	for round := range cfg.Rounds {
		cfg.Say(fmt.Sprintf("%.0f %% of the durable rate, round %d of %d", 100*l.Share, round+1, cfg.Rounds))
		bare, err := s.steady(ctx, fromDue(s.requests(s.bare, "/echo", cfg.Keys)), l.PerSecond, cfg.Span/2)
		if err != nil {
			return err
		}
		durable, err := s.steady(ctx, fromDue(s.requests(s.api, catalog.ExecuteContract.Path, cfg.Keys)), l.PerSecond, cfg.Span/2)
		if err != nil {
			return err
		}
		bares, durables = append(bares, bare), append(durables, durable)
		ratios = append(ratios, float64(durable.P99)/float64(max(1, bare.P99)))
	}
	l.Bare, l.Durable = middle(fmt.Sprintf("bare net/http at %.0f %% of that", 100*l.Share), bares), middle(fmt.Sprintf("durable at %.0f %% of that", 100*l.Share), durables)
	l.P99 = ratioOf(ratios)
	return nil
}

// fromDue has the time of requests counted from when they were due.
func fromDue(conns []request) []request {
	for i := range conns {
		conns[i].fromDue = true
	}
	return conns
}
