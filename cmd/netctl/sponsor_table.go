package main

import (
	"errors"
	"fmt"

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
by the number of those that are no near-duplicates. A criterion is counted where
the sponsor ticked it off; JSON and CSV count each by contract and number. Only the sponsor and operators
see near-duplicates and resold signals.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&by, "by", netkit.ByWeek, "day or week, both of UTC; a week begins on Monday")
			f.Var(date{&since}, "since", "delivered on this date or later; default: all")
			f.StringVar(&format, "format", "", "csv or svg (a chart), to standard output; default: a table")
			f.BoolVar(&chart, "chart", false, "draw the right signals of each agent over time")
		},
		run: func(c *call) error {
			switch {
			case by != netkit.ByDay && by != netkit.ByWeek:
				return usage(errors.New("--by is day or week"))
			case format != "" && format != "csv" && format != "svg":
				return usage(errors.New("--format is csv or svg"))
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
			case format == "csv":
				return export.AgentsCSV(c.out, rows)
			case format == "svg":
				_, err := c.out.Write(export.AgentsPicture("Signals for "+sponsor+" by "+by, rows, by).SVG())
				return err
			case chart && len(rows) > 0:
				return export.AgentsText(c.out, rows, by)
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
		column[netkit.AgentPeriod]{"CRITERIA MET", func(p netkit.AgentPeriod) string { return criteriaMet(p.Criteria) }},
		column[netkit.AgentPeriod]{"PAID", func(p netkit.AgentPeriod) string { return p.Paid.String() }},
		column[netkit.AgentPeriod]{"COST OF RIGHT", func(p netkit.AgentPeriod) string { return p.CostOfRight.String() }})
}

// criteriaMet returns how many of the criteria that were ticked off were met, such as
// "3 of 4".
func criteriaMet(all []netkit.CriterionCount) string {
	var met, ticked uint64
	for _, n := range all {
		met, ticked = met+n.Met, ticked+n.Met+n.Unmet
	}
	if ticked == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", met, ticked)
}
