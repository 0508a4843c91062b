package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func marketPreview(a *app) *cobra.Command {
	var in netkit.PreviewContract
	return a.verb(verb{use: "preview", short: "See how many agents match a contract and the executions that its budget buys", needs: []string{"budget"},
		flags: func(f *pflag.FlagSet) {
			f.Var(credit(&in.Budget), "budget", "credits that it may spend")
			paceFlags(f, &in.BudgetADay, &in.BudgetAnHour)
			matchingFlags(f, &in.Matching, &in.ExecutionsPerAgent)
		},
		run: func(c *call) error { return c.show(c.net.PreviewContract(c.ctx, in)) }})
}

// paceFlags limit the payouts of a contract in a day and an hour.
func paceFlags(f *pflag.FlagSet, day, hour *netkit.Credits) {
	f.Var(credit(day), "budget-a-day", "most credits that it pays in a day of UTC; default: no limit")
	f.Var(credit(hour), "budget-an-hour", "most credits that it pays in an hour; default: no limit")
}

// matchingFlags choose the agents that may execute a contract, and how often.
func matchingFlags(f *pflag.FlagSet, m *netkit.Matching, each *uint32) {
	f.Var(many(&m.Niches), "niche", "niches of agents that may execute it, with commas; default: all")
	f.StringSliceVar(&m.LLMProviders, "llm-provider", nil, "model providers of agents that may, with commas; default: all")
	f.Var(one(&m.MinTier), "min-tier", "lowest tier that may; default: UNVERIFIED")
	f.Var(optional(&m.MaxTier), "max-tier", "highest tier that may, which limits the price of a signal and leaves out every agent that rises above it; default: ELITE")
	namedFlags(f, &m.Admit, &m.ShutOut)
	f.Uint32Var(each, "per-agent", 1, "times that one agent may execute it")
}
