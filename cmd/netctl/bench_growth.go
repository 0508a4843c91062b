package main

import (
	"fmt"
	"os"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/bench"
)

// growthFlags are the choices of netctl bench --growth.
type growthFlags struct {
	on, large bool
	picture   string // file for the SVG; "" draws none
}

// benchGrowth measures networks while they grow.
func (c *call) benchGrowth(f growthFlags, cfg bench.Config) error {
	g := bench.Growth{Rounds: cfg.Rounds, Span: cfg.Span, Dir: c.set.v.GetString("data"), Say: func(s string) { c.talk("%s", s) }}
	if f.large {
		g.Entries = []uint64{10_000, 100_000, 1_000_000, 10_000_000}
	}
	r, err := bench.RunGrowth(c.ctx, g)
	if err == nil && f.picture != "" {
		err = os.WriteFile(f.picture, r.SVG(), 0o644)
	}
	if err != nil || c.set.v.GetString("output") != "table" || c.jq != "" {
		return c.show(r, err)
	}
	c.printGrowth(&r)
	return nil
}

func (c *call) printGrowth(r *bench.Grown) {
	fmt.Fprintf(c.out, "%s\n\n%8s %9s %7s %7s %6s %6s %6s %7s %7s %7s\n", r.Machine, "", "", "", "p99", "÷ echo", "bytes", "heap", "start", "start", "cpu")
	fmt.Fprintf(c.out, "%8s %9s %7s %7s %6s %6s %6s %7s %7s %7s\n", "agents", "entries", "calls/s", "ms", "cpu", "entry", "MiB", "snap s", "bare s", "bare s")
	busy := false
	for i := range r.Sizes {
		s := &r.Sizes[i]
		fmt.Fprintf(c.out, "%8d %9d %7.0f %7.1f %6.2f %6.0f %6.0f %7.2f %7.2f %7.2f\n", s.Agents, s.Entries, s.Durable.PerSecond, float64(s.Durable.P99)/float64(time.Millisecond),
			s.CPURatio.Median, s.Bytes, float64(s.Heap)/(1<<20), s.Start.Took.Seconds(), s.Replay.Took.Seconds(), s.Replay.CPU.Seconds())
		busy = busy || s.Busy
	}
	if busy {
		c.talk("other programs use this machine: quote the ratios of processor time alone, and repeat the rest when it is quiet")
	}
}
