package bench

import (
	"context"
	"errors"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// inside measures executions in process, a caller an agent.
func (s *stage) inside(ctx context.Context, cfg *Config) (Rate, error) {
	type result struct {
		took []time.Duration
		err  error
	}
	results := make(chan result, len(s.slugs))
	m := startMeter()
	end := m.begin.Add(cfg.Span)
	for i, slug := range s.slugs {
		var signals [variants]netkit.Signal
		for n := range variants {
			signals[n] = signalOf(i, n)
		}
		go func() {
			var r result
			for start := time.Now(); start.Before(end) && r.err == nil; start = time.Now() {
				_, r.err = s.net.As(slug).Execute(ctx, netkit.Execute{CampaignID: s.deal, Signal: signals[len(r.took)%variants]})
				r.took = append(r.took, time.Since(start))
			}
			results <- r
		}()
	}
	var all []time.Duration
	var failed error
	for range s.slugs {
		r := <-results
		all = append(all, r.took...)
		failed = errors.Join(failed, r.err)
	}
	return m.rate(all), failed
}
