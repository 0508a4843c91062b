package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/netkit/plural"
)

// clusterOrder returns a client of the cluster, and its members.
func (c *call) clusterOrder() (*cluster.Client, *cluster.Status, error) {
	client, err := c.clusterClient()
	if err != nil {
		return nil, nil, err
	}
	s, err := client.Status(c.ctx)
	if err != nil {
		return nil, nil, because(netkit.ErrUnavailable, "%s", err)
	}
	return client, &s, nil
}

// findMember returns the member of a name.
func findMember(s *cluster.Status, name string) (*cluster.Member, error) {
	if m := s.Member(name); m != nil {
		return m, nil
	}
	return nil, because(netkit.ErrNotFound, "no member of the cluster has the name %q; netctl cluster status lists them", name)
}

func clusterLeave(a *app) *cobra.Command {
	var force bool
	return a.verb(verb{use: "leave [NODE]", short: "End the membership of a node", offline: true, args: cobra.MaximumNArgs(1),
		long: `End the membership of a node, without a name that of the node in the folder of --data.
Name another one that is lost for good, so that it no longer counts for the majority.
A node that left answers nothing; stop its server. A node is kept where no majority of
the others answers, since then nothing could be written.`,
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&force, "force", false, "remove the node although no majority of the others answers")
		},
		run: func(c *call) error {
			client, s, err := c.clusterOrder()
			if err != nil {
				return err
			}
			name := client.Name()
			if len(c.args) > 0 {
				name = c.args[0]
			}
			m, err := findMember(s, name)
			if err != nil {
				return err
			}
			follows, err := describeLeave(s, m, force)
			if err != nil {
				return err
			}
			if err := c.confirm("end the membership of %s, %s; %s", m.Name, m.Role(), follows); err != nil {
				return err
			}
			if err := client.Remove(c.ctx, m.Name); err != nil {
				return err
			}
			c.talk("%s is no member any more", m.Name)
			return nil
		}})
}

// describeLeave describes the cluster without a member. It refuses a cluster that cannot
// write, unless that is forced.
func describeLeave(s *cluster.Status, m *cluster.Member, force bool) (string, error) {
	voters, answer := s.Without(m.Name)
	if voters == 0 && m.Voter {
		return "", because(netkit.ErrConflict, "%s is the only voter, and a cluster has one; to leave it with the network, see netctl migrate", m.Name)
	}
	left := fmt.Sprintf("then %s, a majority is %d, and %d answer", plural.Count(uint64(voters), "node votes", "nodes vote"), voters/2+1, answer)
	if m.Voter && answer <= voters/2 && !force {
		return "", because(netkit.ErrConflict, "without %s nothing could be written: %s. Start the others first, or --force", m.Name, left)
	}
	return left, nil
}

func clusterTransfer(a *app) *cobra.Command {
	return a.verb(verb{use: "transfer [NODE]", short: "Have another node lead and write", offline: true, args: cobra.MaximumNArgs(1),
		long: `Have another node lead, and so write: the one of the name, or the one that has most
entries. A server that is stopped in order does so by itself.`,
		run: func(c *call) error {
			client, s, err := c.clusterOrder()
			if err != nil {
				return err
			}
			name, next := "", "the node that has most entries leads"
			if len(c.args) > 0 {
				m, err := findMember(s, c.args[0])
				if err != nil {
					return err
				}
				name, next = m.Name, fmt.Sprintf("%s leads, which lacks %s", m.Name, plural.Count(s.Behind(m), "entry", "entries"))
			}
			if err := c.confirm("end the lead of %s; then %s, and writes wait a moment", s.Leader, next); err != nil {
				return err
			}
			if err := client.Transfer(c.ctx, name); err != nil {
				return err
			}
			c.talk("another node leads; netctl cluster status names it")
			return nil
		}})
}
