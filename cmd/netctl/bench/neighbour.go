package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"
)

// Neighbour measures how an agent that executes is slowed by one address that sends an
// expensive read as often as the rates of a server allow.
type Neighbour struct {
	Target   string        `json:"target"`
	Accept   string        `json:"accept,omitempty"`
	Answered float64       `json:"answered_per_second" doc:"reads that the rates allowed"`
	Quiet    time.Duration `json:"quiet_p50_ns" doc:"of an execution, before and after the attack"`
	Attacked time.Duration `json:"attacked_p50_ns"`
	Ratio    float64       `json:"ratio" doc:"attacked over quiet, the median of the rounds"`
}

// Of the measurement of a neighbour.
const (
	attackedReads = 3   // the most expensive
	attackers     = 8   // requests at a time from the address
	executing     = 100 // executions a second of the neighbour
)

// neighbours measures, read by read and in turn, executions without an attack, with
// it and without it again, so that a machine that slows down slows all of them.
func (s *stage) neighbours(ctx context.Context, cfg *Reads, reads []Read) (all []Neighbour, err error) {
	for k, read := range reads[:min(attackedReads, len(reads))] {
		n := Neighbour{Target: read.Target, Accept: read.Accept}
		var ratios, quiets, attacks, answered []float64
		for round := range cfg.Rounds {
			cfg.Say(fmt.Sprintf("executions next to read %d of %d, round %d of %d", k+1, attackedReads, round+1, cfg.Rounds))
			before, err := s.steady(ctx, s.executing()[:1], executing, cfg.Span)
			if err != nil {
				return all, err
			}
			during, perSecond, err := s.attacked(ctx, cfg, read, fmt.Sprintf("198.51.100.%d:1", 1+k))
			if err != nil {
				return all, err
			}
			after, err := s.steady(ctx, s.executing()[:1], executing, cfg.Span)
			if err != nil {
				return all, err
			}
			quiet := float64(before.P50+after.P50) / 2
			ratios, quiets = append(ratios, float64(during.P50)/max(1, quiet)), append(quiets, quiet)
			attacks, answered = append(attacks, float64(during.P50)), append(answered, perSecond)
		}
		n.Ratio, n.Answered = median(ratios), median(answered)
		n.Quiet, n.Attacked = time.Duration(median(quiets)), time.Duration(median(attacks))
		all = append(all, n)
	}
	return all, nil
}

// attacked measures executions while one address sends a read as often as it may.
func (s *stage) attacked(ctx context.Context, cfg *Reads, read Read, from string) (Rate, float64, error) {
	attack, stop := context.WithCancel(ctx)
	defer stop()
	var answered atomic.Int64
	var all sync.WaitGroup
	api := s.host.Server.Handler()
	begin := time.Now()
	for range attackers {
		all.Go(func() {
			for more := true; more; more = attack.Err() == nil {
				if ask(ctx, api, read, from).Code == http.StatusTooManyRequests {
					time.Sleep(20 * time.Millisecond) // a refusal costs little, but not nothing
					continue
				}
				answered.Add(1)
			}
		})
	}
	r, err := s.steady(ctx, s.executing()[:1], executing, cfg.Span)
	stop()
	all.Wait()
	return r, float64(answered.Load()) / time.Since(begin).Seconds(), err
}

// ask sends a read in process, from an address.
func ask(ctx context.Context, api http.Handler, r Read, from string) *httptest.ResponseRecorder {
	req := httptest.NewRequestWithContext(ctx, http.MethodGet, r.Target, nil)
	req.RemoteAddr = from
	if r.Accept != "" {
		req.Header.Set("Accept", r.Accept)
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, req)
	return w
}
