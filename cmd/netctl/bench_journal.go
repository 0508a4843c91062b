package main

import (
	"errors"
	"fmt"

	"github.com/agentnet/netctl/cmd/netctl/bench"
	"github.com/agentnet/netctl/netkit/journal/postgres"
)

// benchJournal compares a network on a database with one in a folder.
func (c *call) benchJournal(url, tpcb string, cfg bench.Config) error {
	if url == "" {
		return usage(errors.New("--tpcb belongs to --journal"))
	}
	if err := engineURL(url); err != nil {
		return usage(fmt.Errorf("--journal %w", err))
	}
	if err := engineURL(tpcb); err != nil {
		return usage(fmt.Errorf("--tpcb %w", err))
	}
	engine, err := openDatabase(c.ctx, "--journal", postgres.Config{URL: url, AllowOwner: true})
	if err != nil {
		return err
	}
	cfg.Say, cfg.Dir = func(s string) { c.talk("%s", s) }, c.set.v.GetString("data")
	r, err := bench.RunEngine(c.ctx, bench.Engine{Config: cfg, Engine: engine, Name: "PostgreSQL", TPCB: tpcb})
	if err != nil || c.set.v.GetString("output") != "table" || c.jq != "" {
		return c.show(r, err)
	}
	c.printEngine(&r)
	return nil
}

func (c *call) printEngine(r *bench.EngineReport) {
	printRates(c.app, r.Bare, r.Folder, r.Engine)
	if r.TPCB > 0 {
		fmt.Fprintf(c.out, "%-36s %10.0f\n", "pgbench, TPC-B, prepared", r.TPCB)
	}
	fmt.Fprintf(c.out, "\n%d connections, batches of %.1f entries on SQLite and %.1f on PostgreSQL; medians of %d rounds\n", r.Connections, r.FolderBatch, r.EngineBatch, r.Rounds)
	ratios := []struct {
		name string
		bench.Ratio
	}{{"PostgreSQL over SQLite, calls a second", r.Ratio}, {"PostgreSQL over TPC-B", r.TPCBRatio}}
	for _, line := range ratios {
		if line.Median > 0 {
			fmt.Fprintf(c.out, "%-40s %6.2f (%.2f to %.2f)\n", line.name, line.Median, line.Low, line.High)
		}
	}
	if r.Busy {
		c.talk("other programs use this machine: repeat when it is quiet")
	}
}
