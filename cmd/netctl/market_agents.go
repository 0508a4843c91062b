package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func marketAgents(a *app) *cobra.Command {
	var in netkit.SetAgents
	return a.verb(verb{use: "agents", short: "Admit or shut out agents by name, on a contract or on all", changes: true,
		long: `Admit or shut out agents by name: on one contract, or on all contracts of a
sponsor, those to come too. An agent that is shut out is refused. Once an agent is
admitted by name, those that are not are refused. A contract that admits agents by
name goes by its own list. The names are public, and earlier executions are
not touched. netctl market show and netctl sponsor show list them.`,
		flags: func(f *pflag.FlagSet) {
			f.Var(numbered{&in.CampaignID}, "contract", "this contract only; default: all contracts of the sponsor")
			f.StringVar(&in.Sponsor, "sponsor", "", "whose contracts; a sponsor may leave it out")
			namedFlags(f, &in.Admit, &in.ShutOut)
			f.StringSliceVar(&in.Release, "release", nil, "agents to take off both lists, with commas")
		},
		run: func(c *call) error { return c.show(c.net.SetAgents(c.ctx, in)) }})
}

// namedFlags name the agents that a contract admits or shuts out.
func namedFlags(f *pflag.FlagSet, admit, shutOut *[]string) {
	f.StringSliceVar(admit, "admit", nil, "agents to admit, with commas; once one is named, those that are not are refused")
	f.StringSliceVar(shutOut, "shut-out", nil, "agents to refuse, with commas")
}
