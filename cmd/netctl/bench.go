package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/cmd/netctl/bench"
)

func benchCommand(a *app) *cobra.Command {
	var cfg bench.Config
	var open bench.Streams
	var listen, attack, journal, tpcb string
	var load, cluster bool
	var joining uint64
	var growth growthFlags
	return a.verb(verb{use: "bench", short: "Measure the network on this machine, as ratios within one run", offline: true,
		long: `Measure, in turn and in one process: a bare net/http handler that decodes and
encodes the JSON of an execution, the same with a goroutine that all requests wait
for, the network's own executeContract, durable on SQLite, and executions in process;
then latency at a quarter, a half and three quarters of the durable rate, for half of
the span each, starts with and without a snapshot of the journal this made, and an
audit of it. Client and server share the machine. Figures are medians of the rounds; quote the
ratios, and those of processor time where others use the machine too.

With --streams, measure instead what so many open event streams cost: executions
at a fixed rate, in turn without streams and with them. A second process reads
the streams; the memory is that of the server and of the load together.

With --attack reads, measure instead the processor time of each read that needs
no token, with each value of each filter, on a journal of 20,000 executions, and
the p50 of an agent's executions before, while and after one address sends the
most expensive of them as often as it may.

With --attack overload, ask for twice as many executions as 64 connections get, in
turn without and with the bound of netctl serve --wait. A second process sends
them when they are due, as long as one of its connections is free. The time of an
accepted one is counted from when it was sent; the processor time is the server's,
for each answer.

With --attack places, ten agents of one address, and then of ten addresses, ask for
all event streams and all connections: how many they get, and whether an agent
of another address then gets one.

With --journal, compare instead executions of a network on a PostgreSQL database with
those of one in a folder, in turn. The database has the tables of a network and no
entries; those of the measurement stay there. With --tpcb, pgbench runs in turn too,
on a database that pgbench -i made on the same server, for 30 spans each time. At the
end a second node follows: how far it is behind.

With --cluster, the same for a cluster: three nodes in this process, on this machine.
With --joining, a further node joins at the end, while executions continue at a quarter
of the measured rate: how long that takes, and their p99 before and meanwhile.

With --growth, measure networks of 1,000 and 100,000 agents while they grow to
10,000, 100,000 and 1,000,000 entries: executions, bare HTTP beside them, bytes on disk, the
heap, and starts with and without a snapshot. It takes minutes and 2 GB of disk; a
size that its agents alone have passed is left out.`,
		flags: func(f *pflag.FlagSet) {
			f.IntVar(&cfg.Connections, "connections", 0, "keep-alive connections, and callers in process; 0 means 64, and 512 with --attack overload")
			f.IntVar(&cfg.Rounds, "rounds", 5, "of each pair")
			cfg.Span = 2 * time.Second
			f.Var(span{p: &cfg.Span}, "span", "of one measurement")
			f.IntVar(&open.Streams, "streams", 0, "measure so many open event streams instead")
			f.IntVar(&open.Rate, "rate", 1000, "with --streams, executions a second that are asked for")
			f.StringVar(&attack, "attack", "", "measure an attack instead: reads, overload, or places")
			f.StringVar(&journal, "journal", "", "measure a network on this PostgreSQL database instead, which holds none yet: postgres://ROLE@HOST/DATABASE")
			f.StringVar(&tpcb, "tpcb", "", "with --journal, also measure pgbench on this database")
			f.BoolVar(&cluster, "cluster", false, "measure a cluster of three nodes in this process instead")
			f.Uint64Var(&joining, "joining", 0, "with --journal or --cluster, have a further node join at so many entries; 0 has none")
			f.BoolVar(&growth.on, "growth", false, "measure networks while they grow instead")
			f.BoolVar(&growth.large, "large", false, "with --growth, also 10,000,000 entries: 20 GB of disk")
			f.StringVar(&growth.picture, "svg", "", "with --growth, also draw the result into this file")
			f.StringVar(&listen, "listen", "", "read --streams of the server at this address")
			f.BoolVar(&load, "load", false, "send the load that the input describes")
			_, _ = f.MarkHidden("listen"), f.MarkHidden("load") // they are there
			f.BoolVar(&cfg.Keys, "keys", false, "send an idempotency key with each execution")
		},
		run: func(c *call) error {
			spaceCollections()
			if listen != "" {
				return c.listenBench(listen, open.Streams)
			}
			if load {
				return c.loadBench()
			}
			if attack != "" {
				return c.benchAttack(attack, cfg)
			}
			if journal != "" || tpcb != "" {
				return c.benchJournal(journal, tpcb, joining, cfg)
			}
			if cluster {
				return c.compareEngine(bench.Engine{Config: cfg, Name: "a cluster", Joining: joining})
			}
			if growth.on {
				return c.benchGrowth(growth, cfg)
			}
			if open.Streams > 0 {
				open.Rounds, open.Span = cfg.Rounds, cfg.Span
				return c.benchStreams(open)
			}
			cfg.Say = func(s string) { a.talk("%s", s) }
			cfg.Dir = a.set.v.GetString("data")
			r, err := bench.Run(c.ctx, cfg)
			if err != nil || a.set.v.GetString("output") != "table" || a.jq != "" {
				return a.show(r, err)
			}
			printBench(a, r)
			return nil
		}})
}

func printRates(a *app, rates ...bench.Rate) {
	fmt.Fprintf(a.out, "%-36s %10s %9s %9s %10s %7s %5s\n", "", "a second", "p50", "p99", "cpu a call", "allocs", "GCs")
	for _, m := range rates {
		fmt.Fprintf(a.out, "%-36s %10.0f %9s %9s %10s %7.1f %5d\n", m.Name, m.PerSecond, m.P50.Round(10*time.Microsecond), m.P99.Round(10*time.Microsecond), m.CPU.Round(100*time.Nanosecond), m.Allocations, m.Collections)
	}
}

func printBench(a *app, r bench.Report) {
	rates := []bench.Rate{r.Bare, r.Waiting, r.InProcess, r.Durable}
	for _, l := range r.Latencies {
		rates = append(rates, l.Bare, l.Durable)
	}
	printRates(a, append(rates, r.Bulk.Bare, r.Bulk.Durable)...)
	fmt.Fprintf(a.out, "\n%-36s %10s %9s %12s\n", fmt.Sprintf("%d entries", r.Entries), "seconds", "cpu", "cpu an entry")
	for _, line := range []struct {
		name string
		bench.Start
	}{{"start with a snapshot", r.Start}, {"start without one", r.Replay}, {"audit", r.Audit}} {
		fmt.Fprintf(a.out, "%-36s %10.2f %9.2f %12s\n", line.name, line.Took.Seconds(), line.CPU.Seconds(), (line.CPU / time.Duration(max(1, r.Entries))).Round(100*time.Nanosecond))
	}
	fmt.Fprintf(a.out, "\n%d connections, batches of %.1f entries; medians of %d rounds\n", r.Connections, r.Batch, r.Rounds)
	printRatio(a, "durable over bare, processor time", r.CPURatio)
	printRatio(a, "durable over waiting, processor time", r.WaitRatio)
	printRatio(a, "durable over bare, calls a second", r.Ratio)
	for _, l := range r.Latencies {
		printRatio(a, fmt.Sprintf("p99 over bare at %.0f %% of the rate", 100*l.Share), l.P99)
	}
	printRatio(a, fmt.Sprintf("bulk of %d over bare, processor time", r.Bulk.Lines), r.Bulk.CPURatio)
	if r.Busy {
		a.talk("other programs use this machine: quote the ratios of processor time alone, and repeat the rest when it is quiet")
	}
}

func printRatio(a *app, name string, r bench.Ratio) {
	fmt.Fprintf(a.out, "%-36s %10.2f (%.2f to %.2f)\n", name, r.Median, r.Low, r.High)
}
