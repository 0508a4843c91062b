package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/agentnet/netctl/server/host"
)

// Join is how a node joins a network that has entries, while others use it.
type Join struct {
	Entries uint64        `json:"entries" doc:"when the node began to join"`
	Took    time.Duration `json:"took_ns" doc:"until it had all entries that were there when it was ready"`
	Before  time.Duration `json:"p99_before_ns" doc:"of executions at a quarter of the engine's rate, the median of the spans"`
	During  time.Duration `json:"p99_during_ns" doc:"the same while the node joined"`
}

// join grows the network to so many entries and has a further node join it.
func (f *fleet) join(ctx context.Context, cfg *Engine, writer *stage, perSecond float64) (r Join, err error) {
	cfg.Say(fmt.Sprintf("growing to %d entries", cfg.Joining))
	if err := writer.growTo(ctx, writer.slugs, cfg.Joining); err != nil {
		return r, err
	}
	r.Entries = writer.net.Health().Entries
	quiet := make(chan struct{})
	close(quiet)
	if r.Before, err = writer.latency(ctx, cfg, perSecond/4, quiet); err != nil {
		return r, err
	}
	cfg.Say("a node joins")
	joined, failed := make(chan struct{}), error(nil)
	go func() {
		defer close(joined)
		begin := time.Now()
		var h *host.Host
		if h, failed = f.startFollower(ctx, writer, "joining"); failed != nil {
			return
		}
		f.followers = append(f.followers, h)
		for size := writer.net.Health().Entries; h.Network.Health().Entries < size && ctx.Err() == nil; {
			time.Sleep(sampleEvery)
		}
		r.Took = time.Since(begin)
	}()
	during, err := writer.latency(ctx, cfg, perSecond/4, joined)
	<-joined
	if r.During = during; err == nil {
		err = failed
	}
	return r, err
}

// latency sends executions at a rate, for the rounds of the measurement and until the end,
// and returns the median of the p99 of the spans.
func (s *stage) latency(ctx context.Context, cfg *Engine, perSecond float64, end <-chan struct{}) (time.Duration, error) {
	var all []float64
	for over := false; !over || len(all) < cfg.Rounds; {
		sent, err := s.send(ctx, nil, Load{Connections: cfg.Connections, PerSecond: max(1, perSecond), Span: cfg.Span})
		if err != nil {
			return 0, err
		}
		all = append(all, float64(sent.Accepted.P99))
		select {
		case <-end:
			over = true
		default:
		}
	}
	return time.Duration(median(all)), nil
}
