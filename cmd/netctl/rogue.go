package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
)

func rogueCommand(a *app) *cobra.Command {
	return noun("rogue", "The registry of rogue agents", rogueLs(a))
}

func rogueLs(a *app) *cobra.Command {
	return a.verb(verb{use: "ls", short: "List the rogue agents", list: true, empty: "no rogue agents: netctl review queue lists the cases", run: func(c *call) error {
		return list(c, c.net.AllRogues(c.ctx, netkit.Page{}),
			column[netkit.RogueEntry]{"AGENT", func(r netkit.RogueEntry) string { return r.Slug }},
			column[netkit.RogueEntry]{"SINCE", func(r netkit.RogueEntry) string { return second(r.Since) }},
			column[netkit.RogueEntry]{"CASE", func(r netkit.RogueEntry) string { return fmt.Sprint(r.Case) }},
			column[netkit.RogueEntry]{"REASON", func(r netkit.RogueEntry) string { return r.Reason }})
	}})
}
