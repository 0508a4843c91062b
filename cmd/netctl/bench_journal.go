package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/bench"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/postgres"
)

// benchJournal compares a network on a database with one in a folder.
func (c *call) benchJournal(url, tpcb string, joining uint64, cfg bench.Config) error {
	if url == "" {
		return usage(errors.New("--tpcb belongs to --journal"))
	}
	if err := engineURL(url); err != nil {
		return usage(fmt.Errorf("--journal %w", err))
	}
	if err := engineURL(tpcb); err != nil {
		return usage(fmt.Errorf("--tpcb %w", err))
	}
	return c.compareEngine(bench.Engine{Config: cfg, Name: "PostgreSQL", TPCB: tpcb, Joining: joining, Open: func(ctx context.Context) (journal.Engine, error) {
		return openDatabase(ctx, "--journal", postgres.Config{URL: url, AllowOwner: true})
	}})
}

// compareEngine measures a network on an engine and prints the report.
func (c *call) compareEngine(cfg bench.Engine) error {
	cfg.Say, cfg.Dir = func(s string) { c.talk("%s", s) }, c.set.v.GetString("data")
	r, err := bench.RunEngine(c.ctx, cfg)
	if err != nil || c.set.v.GetString("output") != "table" || c.jq != "" {
		return c.show(r, err)
	}
	c.printEngine(&r, cfg.Name)
	return nil
}

func (c *call) printEngine(r *bench.EngineReport, name string) {
	printRates(c.app, r.Bare, r.Folder, r.Engine)
	if r.TPCB > 0 {
		fmt.Fprintf(c.out, "%-36s %10.0f\n", "pgbench, TPC-B, prepared", r.TPCB)
	}
	fmt.Fprintf(c.out, "\n%d connections, batches of %.1f entries on SQLite and %.1f on %s; medians of %d rounds\n", r.Connections, r.FolderBatch, r.EngineBatch, name, r.Rounds)
	ratios := []struct {
		name string
		bench.Ratio
	}{{name + " over SQLite, calls a second", r.Ratio}, {name + " over TPC-B", r.TPCBRatio}}
	for _, line := range ratios {
		if line.Median > 0 {
			fmt.Fprintf(c.out, "%-40s %6.2f (%.2f to %.2f)\n", line.name, line.Median, line.Low, line.High)
		}
	}
	fmt.Fprintf(c.out, "%-40s p50 %s, p99 %s, %d samples\n", "a node that follows is behind", r.Lag.P50.Round(10*time.Microsecond), r.Lag.P99.Round(10*time.Microsecond), r.Lag.Samples)
	if j := r.Join; j != nil {
		fmt.Fprintf(c.out, "%-40s %s with %d entries; p99 of others %s before and %s meanwhile\n", "a node joins in", j.Took.Round(10*time.Millisecond), j.Entries, j.Before.Round(10*time.Microsecond), j.During.Round(10*time.Microsecond))
	}
	if r.Busy {
		c.talk("other programs use this machine: repeat when it is quiet")
	}
}
