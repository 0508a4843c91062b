package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func plantsCommand(a *app) *cobra.Command {
	return noun("plants", "The plant store", plantsCreate(a))
}

func plantsCreate(a *app) *cobra.Command {
	var in netkit.CreatePlant
	return a.verb(verb{use: "create ID NAME", short: "Add a plant to the store", args: exactly("ID", "NAME"), changes: true,
		flags: func(f *pflag.FlagSet) { f.StringVar(&in.Tag, "tag", "", "what type of plant it is") },
		run: func(c *call) (err error) {
			if in.ID, err = strconv.ParseInt(c.args[0], 10, 64); err != nil {
				return usage(fmt.Errorf("a plant's id is a whole number of 64 bits"))
			}
			in.Name = c.args[1]
			return c.show(c.net.CreatePlant(c.ctx, in))
		}})
}
