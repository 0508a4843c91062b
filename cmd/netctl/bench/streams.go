package bench

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// Streams says how to measure what open event streams cost.
type Streams struct {
	Streams int           // open at a time
	Rate    int           // executions a second that are asked for; 0 means 1,000
	Rounds  int           // pairs, without streams and with them; 0 means 5
	Span    time.Duration // of one measurement; 0 means 5 s
	Dir     string        // folder for the journal; "" means a throw-away one
	Say     func(string)  // told what is being measured; nil means nobody
	// Listen opens streams at an address, in another process if their memory is
	// not to count for the server. Close ends them and says what came; nil means
	// [Listen].
	Listen func(ctx context.Context, addr string, streams int) (Listening, error)
}

// Listening is a number of open streams.
type Listening interface {
	Close() (Heard, error)
}

// Heard is what open streams received in all.
type Heard struct {
	Events uint64 `json:"events"`
	Bytes  uint64 `json:"bytes"`
}

// StreamReport is what open streams cost; every figure is the median of its
// rounds.
type StreamReport struct {
	Streams   int     `json:"streams"`
	Asked     int     `json:"asked_per_second"`
	Rounds    int     `json:"rounds"`
	Without   Rate    `json:"without_streams"`
	With      Rate    `json:"with_streams"`
	Ratio     float64 `json:"ratio" doc:"executions with streams over those without, the median of the pairs"`
	RatioLow  float64 `json:"ratio_low"`
	RatioHigh float64 `json:"ratio_high"`
	Delivered float64 `json:"delivered_per_second" doc:"events that all streams together received"`
	Memory    uint64  `json:"memory_bytes" doc:"greatest resident memory of this process with the streams open, the load included; 0 where it is not known"`
}

// RunStreams measures executions at a fixed rate, in turn without streams and
// with them, so that a machine that slows down slows both.
func RunStreams(ctx context.Context, cfg Streams) (r StreamReport, err error) {
	cfg.defaults()
	dir, remove, err := folder(cfg.Dir)
	if err != nil {
		return r, err
	}
	defer remove()
	s, err := newStage(ctx, dir, 64, cfg.Streams)
	if err != nil {
		return r, err
	}
	defer s.end(ctx)
	r = StreamReport{Streams: cfg.Streams, Asked: cfg.Rate, Rounds: cfg.Rounds}
	var without, with []Rate
	var ratios, delivered []float64
	for round := range cfg.Rounds {
		cfg.Say(fmt.Sprintf("round %d of %d", round+1, cfg.Rounds))
		a, err := s.steady(ctx, s.executing(), float64(cfg.Rate), cfg.Span)
		if err != nil {
			return r, err
		}
		b, heard, err := s.listened(ctx, &cfg, &r)
		if err != nil {
			return r, err
		}
		without, with = append(without, a), append(with, b)
		ratios, delivered = append(ratios, b.PerSecond/a.PerSecond), append(delivered, heard)
	}
	slices.Sort(ratios)
	slices.Sort(delivered)
	r.Without, r.With = middle("no streams", without), middle(fmt.Sprintf("%d streams", cfg.Streams), with)
	r.Ratio, r.RatioLow, r.RatioHigh = ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1]
	r.Delivered = delivered[len(delivered)/2]
	return r, nil
}

func (c *Streams) defaults() {
	if c.Rate == 0 {
		c.Rate = 1000
	}
	if c.Rounds == 0 {
		c.Rounds = 5
	}
	if c.Span == 0 {
		c.Span = 5 * time.Second
	}
	if c.Say == nil {
		c.Say = func(string) {}
	}
	if c.Listen == nil {
		c.Listen = func(ctx context.Context, addr string, streams int) (Listening, error) {
			return Listen(ctx, addr, streams)
		}
	}
}

// listened measures executions while streams are open, and the events a second
// that these receive.
func (s *stage) listened(ctx context.Context, cfg *Streams, r *StreamReport) (Rate, float64, error) {
	l, err := cfg.Listen(ctx, s.api, cfg.Streams)
	if err != nil {
		return Rate{}, 0, err
	}
	begin := time.Now()
	rate, err := s.steady(ctx, s.executing(), float64(cfg.Rate), cfg.Span)
	r.Memory = max(r.Memory, resident())
	span := time.Since(begin)
	heard, closed := l.Close()
	if err == nil {
		err = closed
	}
	return rate, float64(heard.Events) / span.Seconds(), err
}

// steady sends requests at a fixed rate. One that no connection was free for is
// sent as soon as there is one.
func (s *stage) steady(ctx context.Context, conns []request, rate float64, span time.Duration) (Rate, error) {
	var taken atomic.Int64
	begin := time.Now()
	for i := range conns {
		conns[i].wait = func() (time.Time, bool) { return waitForDue(begin, &taken, rate, span) }
	}
	return load(ctx, conns, span)
}
