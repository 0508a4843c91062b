package bench

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit/catalog"
)

// Load is a load of executions that a process of its own can send: the cost of the
// client then counts neither as the server's processor time nor in its
// queue of goroutines.
type Load struct {
	Addr        string        `json:"addr"`
	Contract    uint64        `json:"contract"`
	Tokens      []string      `json:"tokens"`
	Connections int           `json:"connections"`
	PerSecond   float64       `json:"per_second"` // 0 sends one after the other on each connection
	Span        time.Duration `json:"span_ns"`
}

// Sent is how a load was answered. The time of an accepted execution is counted
// from the moment it was sent.
type Sent struct {
	Accepted Rate          `json:"accepted"`
	Refused  int64         `json:"refused" doc:"with 503"`
	Wait     time.Duration `json:"refused_p99_ns" doc:"99th percentile of the time until a 503"`
	Total    float64       `json:"sent_per_second"`
}

// Send sends a load. Whether or not the requests before were answered, the next
// one is sent when it is due, as long as a connection is free.
func Send(ctx context.Context, l Load) (Sent, error) {
	conns := make([]request, 0, l.Connections)
	prepared := executions(l.Addr, catalog.ExecuteContract.Path, l.Contract, l.Tokens, false)
	for k := range l.Connections {
		conns = append(conns, prepared[k%len(prepared)])
	}
	var taken atomic.Int64
	busy := make([][]time.Duration, len(conns))
	begin := time.Now()
	for i := range conns {
		conns[i].busy = func(took time.Duration) { busy[i] = append(busy[i], took) }
		if l.PerSecond > 0 {
			conns[i].wait = func() (time.Time, bool) { return waitForDue(begin, &taken, l.PerSecond, l.Span) }
		}
	}
	accepted, err := load(ctx, conns, l.Span)
	refused := slices.Concat(busy...)
	s := Sent{Accepted: accepted, Refused: int64(len(refused))}
	if len(refused) > 0 {
		slices.Sort(refused)
		s.Wait = refused[len(refused)*99/100]
	}
	s.Total = accepted.PerSecond + float64(len(refused))/time.Since(begin).Seconds()
	return s, err
}

// waitForDue waits until the next of all requests is due, and returns false when
// none is within the span.
func waitForDue(begin time.Time, taken *atomic.Int64, rate float64, span time.Duration) (due time.Time, more bool) {
	at := time.Duration(float64(taken.Add(1)-1) / rate * float64(time.Second))
	if at >= span {
		return due, false
	}
	due = begin.Add(at)
	time.Sleep(time.Until(due))
	return due, true
}

// send has a load sent, by a process of its own if there is one, and adds the
// processor time of this process for each answer.
func (s *stage) send(ctx context.Context, elsewhere func(context.Context, Load) (Sent, error), l Load) (Sent, error) {
	if elsewhere == nil {
		elsewhere = Send
	}
	l.Addr, l.Contract, l.Tokens = s.api, s.deal, s.tokens
	m := startMeter()
	sent, err := elsewhere(ctx, l)
	if err != nil {
		return sent, fmt.Errorf("bench: the load: %w", err)
	}
	if answers := sent.Total * l.Span.Seconds(); answers >= 1 {
		sent.Accepted.CPU = (usedNow().cpu - m.cpu) / time.Duration(answers)
	}
	return sent, nil
}
