package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/journal/postgres"
)

func nodeCommand(a *app) *cobra.Command {
	return noun("node", "Several machines that serve one network", nodeDatabase(a))
}

func nodeDatabase(a *app) *cobra.Command {
	var grant string
	return a.verb(verb{use: "database POSTGRES-URL", short: "Make the tables of a network in a PostgreSQL database", offline: true, args: exactly("POSTGRES-URL"),
		long: `Make the tables that the nodes of a network share, unless they are there, in the
schema agentnet of a PostgreSQL database. Give the address of a role that may make
schemas there: it owns the tables, and nodes do not connect as it. With --grant the
role of the nodes may append entries and read them, and change or remove none.

Next comes netctl serve --journal with the address of that other role, on each
machine. netctl help postgres has the whole way.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&grant, "grant", "", "role that nodes connect as; it has to exist")
		},
		run: func(c *call) error {
			if err := engineURL(c.args[0]); err != nil {
				return usage(err)
			}
			if err := postgres.Create(c.ctx, c.args[0], grant); err != nil {
				return err
			}
			c.talk("the database has the tables of a network")
			return nil
		}})
}
