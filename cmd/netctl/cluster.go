package main

import (
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/server/host"
)

func clusterCommand(a *app) *cobra.Command {
	return noun("cluster", "Three or five servers that are one network without a database", clusterStatus(a), clusterInvite(a), clusterJoin(a), clusterLeave(a), clusterTransfer(a), clusterRepair(a), clusterRecover(a))
}

// clusterClient returns a client with the certificate of the node in the folder of --data.
func (c *call) clusterClient() (*cluster.Client, error) {
	dir, err := c.localDir()
	if err != nil {
		return nil, err
	}
	return cluster.NewClient(dir)
}

func clusterStatus(a *app) *cobra.Command {
	return a.verb(verb{use: "status", short: "Show the members of a cluster, which one leads, and how far each one is", offline: true,
		long: `Show the members of the cluster as the node in the folder of --data sees them, or the
first other node that answers: which one leads, which vote, how many entries each one
holds, and which do not answer.`,
		run: func(c *call) error {
			client, err := c.clusterClient()
			if err != nil {
				return err
			}
			s, err := client.Status(c.ctx)
			if err != nil {
				return because(netkit.ErrUnavailable, "%s", err)
			}
			return c.showCluster(s)
		}})
}

// showCluster prints a cluster, for people as a table of its members.
func (c *call) showCluster(s cluster.Status) error {
	if !c.table() {
		return c.show(s, nil)
	}
	place := func(text func(*cluster.Member) string) func(cluster.Member) string {
		return func(m cluster.Member) string {
			if m.Place == nil {
				return ""
			}
			return text(&m)
		}
	}
	return rowsOut(c, s.Members,
		column[cluster.Member]{"NODE", func(m cluster.Member) string { return m.Name }},
		column[cluster.Member]{"ADDRESS", func(m cluster.Member) string { return m.Address }},
		column[cluster.Member]{"ROLE", func(m cluster.Member) string { return m.Role() }},
		column[cluster.Member]{"ENTRIES", place(func(m *cluster.Member) string { return strconv.FormatUint(m.Place.Entries, 10) })},
		column[cluster.Member]{"BEHIND", place(func(m *cluster.Member) string { return strconv.FormatUint(s.Behind(m), 10) })},
		column[cluster.Member]{"PROBLEM", func(m cluster.Member) string { return m.Problem() }})
}

func clusterInvite(a *app) *cobra.Command {
	return a.verb(verb{use: "invite", short: "Make a token with which one more node joins", offline: true,
		long: `Make a token with which one machine joins the cluster, once and within an hour. It
also brings the keys that all nodes of the network share: its holder can act
as a node.`,
		run: func(c *call) error {
			client, err := c.clusterClient()
			if err != nil {
				return err
			}
			token, err := client.Invite(c.ctx, host.NodeInviteFor)
			if err != nil {
				return err
			}
			c.talk("on the other machine: netctl cluster join %s --addr HOST:PORT --data DIR", token)
			return c.show(invitedNode{token, netkit.At(time.Now().Add(host.NodeInviteFor))}, nil)
		}})
}

func clusterJoin(a *app) *cobra.Command {
	var j cluster.Joining
	return a.verb(verb{use: "join TOKEN", short: "Make a folder that of a new node of a cluster", offline: true, args: exactly("TOKEN"),
		long: `Make the folder of --data that of a new node, by a token of netctl cluster invite on a
node that runs. The folder is empty, or holds an earlier part of the same network. Next
comes netctl serve --cluster with this folder: it copies the entries and then votes,
unless five nodes vote already.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&j.Address, "addr", "", "host and port where the other nodes reach this one, below 32768")
			f.StringVar(&j.Name, "name", "", "name of the node, of small letters, digits and dashes; default: random")
			f.BoolVar(&j.Follower, "follower", false, "never vote and never write: a copy that answers reads and passes commands on")
		},
		run: func(c *call) (err error) {
			if j.Dir, err = c.localDir(); err != nil {
				return err
			}
			if j.Token = c.args[0]; j.Name == "" {
				j.Name = newNodeName()
			}
			if err := errors.Join(cluster.CheckName(j.Name), cluster.CheckAddress(j.Address)); err != nil {
				return usage(err)
			}
			if _, err := host.Inspect(c.ctx, j.Dir); err != nil {
				return err
			}
			if j.Have, err = host.PresentNodeKeys(j.Dir); err != nil {
				return err
			}
			j.Keep = func(from string, files map[string][]byte) error { return host.KeepNodeKeys(j.Dir, from, files) }
			if err := cluster.Join(c.ctx, j); err != nil {
				return err
			}
			c.talk("%s is the folder of the node %s; next: netctl serve --cluster --data %s", j.Dir, j.Name, j.Dir)
			return nil
		}})
}
