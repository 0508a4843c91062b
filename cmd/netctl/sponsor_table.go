package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/export"
)

func sponsorTable(a *app) *cobra.Command {
	var by, format string
	var since *netkit.Day
	var chart bool
	return a.verb(verb{use: "table [SPONSOR]", short: "Count the executions of each agent for a sponsor, by day or week", args: cobra.MaximumNArgs(1),
		long: `Count the executions of each agent for a sponsor, by day or week: delivered,
accepted, cleared by themselves, returned and overturned, with their pay and the
cost of a right signal. That is the pay of accepted and cleared executions, divided
by the number of those that are no near-duplicates. Only the sponsor and operators
see near-duplicates and resold signals.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&by, "by", netkit.ByWeek, "day or week, both of UTC; a week begins on Monday")
			f.Var(date{&since}, "since", "delivered on this date or later; default: all")
			f.StringVar(&format, "format", "", "csv, to standard output; default: a table")
			f.BoolVar(&chart, "chart", false, "draw the right signals of each agent over time")
		},
		run: func(c *call) error {
			switch {
			case by != netkit.ByDay && by != netkit.ByWeek:
				return usage(errors.New("--by is day or week"))
			case format != "" && format != "csv":
				return usage(errors.New("--format is csv"))
			case format != "" && chart:
				return usage(errors.New("--format and --chart exclude each other"))
			}
			sponsor, err := c.sponsor()
			if err != nil {
				return err
			}
			q := netkit.AgentTableQuery{Sponsor: sponsor, By: by}
			if since != nil {
				q.Since = *since
			}
			rows, err := c.net.WholeAgentTable(c.ctx, q)
			switch {
			case err != nil:
				return err
			case format != "":
				return export.AgentsCSV(c.out, rows)
			case chart:
				return c.drawAgents(rows, by)
			}
			c.empty = "no executions yet: netctl market ls --sponsor SPONSOR lists its contracts"
			return rowsOut(c, rows, agentColumns()...)
		}})
}

// agentColumns are those of the table of agents.
func agentColumns() []column[netkit.AgentPeriod] {
	columns := []column[netkit.AgentPeriod]{
		{"AGENT", func(p netkit.AgentPeriod) string { return p.Agent }},
		{"FROM", func(p netkit.AgentPeriod) string { return p.From.String() }},
	}
	for _, x := range []struct {
		head  string
		count func(*netkit.AgentPeriod) uint64
	}{
		{"DELIVERED", func(p *netkit.AgentPeriod) uint64 { return p.Delivered }},
		{"ACCEPTED", func(p *netkit.AgentPeriod) uint64 { return p.Accepted }},
		{"CLEARED", func(p *netkit.AgentPeriod) uint64 { return p.Cleared }},
		{"RETURNED", func(p *netkit.AgentPeriod) uint64 { return p.Returned }},
		{"OVERTURNED", func(p *netkit.AgentPeriod) uint64 { return p.Overturned }},
		{"DUPLICATES", func(p *netkit.AgentPeriod) uint64 { return p.NearDuplicates }},
	} {
		columns = append(columns, column[netkit.AgentPeriod]{x.head, func(p netkit.AgentPeriod) string { return fmt.Sprint(x.count(&p)) }})
	}
	return append(columns,
		column[netkit.AgentPeriod]{"PAID", func(p netkit.AgentPeriod) string { return p.Paid.String() }},
		column[netkit.AgentPeriod]{"COST OF RIGHT", func(p netkit.AgentPeriod) string { return p.CostOfRight.String() }})
}

// drawAgents draws the right signals of each agent, a bar for each period from the
// first one to the last of all agents.
func (c *call) drawAgents(rows []netkit.AgentPeriod, by string) error {
	if len(rows) == 0 {
		c.talk("no executions yet: netctl market ls --sponsor SPONSOR lists its contracts")
		return nil
	}
	step := netkit.Day(7)
	if by == netkit.ByDay {
		step = 1
	}
	first, last, most, width := rows[0].From, rows[0].From, uint64(1), 0
	for i := range rows {
		first, last = min(first, rows[i].From), max(last, rows[i].From)
		most, width = max(most, rows[i].Right), max(width, len(rows[i].Agent))
	}
	for group := range slices.Values(rows) {
		if k := slices.IndexFunc(rows, func(p netkit.AgentPeriod) bool { return p.Agent == group.Agent }); rows[k] != group {
			continue // the agent is drawn
		}
		bars := []rune(strings.Repeat(" ", int((last-first)/step)+1))
		sum := uint64(0)
		for _, p := range rows {
			if p.Agent == group.Agent {
				bars[(p.From-first)/step] = []rune("▁▂▃▄▅▆▇█")[p.Right*7/most]
				sum += p.Right
			}
		}
		if _, err := fmt.Fprintf(c.out, "%-*s  %s  %d\n", width, group.Agent, string(bars), sum); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(c.out, "right signals by %s from %s to %s; the highest bar is %d\n", by, first, last, most)
	return err
}
