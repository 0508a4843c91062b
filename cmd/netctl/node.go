package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal/postgres"
	"github.com/agentnet/netctl/server/host"
)

func nodeCommand(a *app) *cobra.Command {
	return noun("node", "Several machines that serve one network", nodeList(a), nodeDatabase(a), nodeInvite(a), nodeJoin(a))
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

func nodeInvite(a *app) *cobra.Command {
	return a.verb(verb{use: "invite", short: "Make a token with which another machine joins", offline: true,
		long: `Make a token with which another machine gets the keys of this network from the
server on this folder, once and within an hour. Whoever uses it can act as a node.`,
		run: func(c *call) error {
			dir, err := c.localDir()
			if err != nil {
				return err
			}
			token, err := host.InviteNode(dir, time.Now())
			if err != nil {
				return err
			}
			c.talk("on the other machine: netctl node join https://THIS-NODE %s --data DIR", token)
			return c.show(invitedNode{token.String(), netkit.At(time.Now().Add(host.NodeInviteFor))}, nil)
		}})
}

// invitedNode is the result of netctl node invite.
type invitedNode struct {
	Token   string        `json:"token" doc:"good once"`
	Expires netkit.Millis `json:"expires"`
}

func nodeJoin(a *app) *cobra.Command {
	return a.verb(verb{use: "join ADDRESS TOKEN", short: "Fetch the keys of a network, so that this machine can serve it", offline: true, args: exactly("ADDRESS", "TOKEN"),
		long: `Fetch the keys that the nodes of a network share from a running node, by HTTPS, into
the folder of --data, which holds no network yet. The token is one of netctl node
invite on that node, and good once. Next comes netctl serve --journal with this folder.`,
		run: func(c *call) error {
			dir, err := c.localDir()
			if err != nil {
				return err
			}
			if err := host.JoinNode(c.ctx, dir, c.args[0], c.args[1]); err != nil {
				return err
			}
			c.talk("%s has the keys; next: netctl serve --data %s --journal …", dir, dir)
			return nil
		}})
}
