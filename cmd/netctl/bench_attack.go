package main

import (
	"fmt"
	"net"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/bench"
	"github.com/agentnet/netctl/server"
)

// shownReads is how many reads the table has.
const shownReads = 20

// benchAttack measures what one kind of attack costs.
func (c *call) benchAttack(kind string, cfg bench.Config) error {
	say := func(s string) { c.talk("%s", s) }
	dir := c.set.v.GetString("data")
	plain := c.set.v.GetString("output") == "table" && c.jq == ""
	switch kind {
	case "reads":
		r, err := bench.RunReads(c.ctx, bench.Reads{Rounds: cfg.Rounds, Span: cfg.Span, Dir: dir, Say: say})
		if err != nil || !plain {
			return c.show(r, err)
		}
		fmt.Fprintf(c.out, "%d anonymous reads of a journal of %d entries, the most expensive first\n", len(r.Reads), r.Entries)
		fmt.Fprintf(c.out, "%10s %10s %8s  %s\n", "cpu", "of health", "entries", "read")
		for _, one := range r.Reads[:min(shownReads, len(r.Reads))] {
			fmt.Fprintf(c.out, "%10s %10.0f %8d  %s %s\n", one.CPU.Round(10*time.Microsecond), one.Ratio, one.Entries, one.Target, one.Accept)
		}
		fmt.Fprintln(c.out, "executions of an agent while one address sends a read as often as it may")
		fmt.Fprintf(c.out, "%10s %10s %8s %10s  %s\n", "quiet p50", "attacked", "ratio", "a second", "read")
		for _, n := range r.Neighbours {
			fmt.Fprintf(c.out, "%10s %10s %8.2f %10.1f  %s %s\n", n.Quiet.Round(10*time.Microsecond), n.Attacked.Round(10*time.Microsecond), n.Ratio, n.Answered, n.Target, n.Accept)
		}
		return nil
	case "overload":
		r, err := bench.RunOverload(c.ctx, bench.Overload{Connections: cfg.Connections, Rounds: cfg.Rounds, Span: cfg.Span, Dir: dir, Say: say, Send: sendElsewhere})
		if err != nil || !plain {
			return c.show(r, err)
		}
		printRates(c.app, r.Capacity, r.Patient, r.Bounded)
		fmt.Fprintf(c.out, "%.0f executions a second asked on %d connections, %.0f sent: %.0f %% refused with 503 (p99 %s), p99 of the accepted with the bound over without: %.2f\n",
			r.Asked, r.Connections, r.Sent, 100*r.Refused, r.Wait.Round(10*time.Microsecond), r.P99)
		return nil
	case "places":
		r, err := bench.RunPlaces(c.ctx, bench.Places{Dir: dir, Say: say, Bound: boundPlaces})
		if err != nil || !plain {
			return c.show(r, err)
		}
		fmt.Fprintf(c.out, "%d places of each kind\n", r.Places)
		fmt.Fprintf(c.out, "%-12s %12s %12s %14s %12s\n", "", "one address", "another then", "ten addresses", "another then")
		for _, k := range []struct {
			name string
			bench.Taken
		}{{"streams", r.Streams}, {"connections", r.Connections}} {
			fmt.Fprintf(c.out, "%-12s %12d %12s %14d %12s\n", k.name, k.One, gotOne(k.Next), k.Ten, gotOne(k.Late))
		}
		return nil
	}
	return usage(fmt.Errorf("--attack is not reads, overload or places"))
}

// gotOne shows whether an address got a place.
func gotOne(ok bool) string {
	if ok {
		return "gets one"
	}
	return "gets none"
}

// boundPlaces bounds the connections of one listener as netctl serve does.
func boundPlaces(l net.Listener, connections int) (net.Listener, error) {
	bounded, err := bound(server.Listeners{API: l}, reservedFiles+connections, 0, noProxy)
	return bounded.API, err
}

// noProxy exempts no address.
func noProxy(string) bool { return false }
