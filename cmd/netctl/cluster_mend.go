package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

func clusterRepair(a *app) *cobra.Command {
	var peers []string
	var check bool
	return a.verb(verb{use: "repair", short: "Move damaged files of a node aside, so that the others replace them", offline: true,
		long: `Read all files of the node in the folder of --data, whose server is stopped, and name
each damaged one. Damaged ones are moved aside: the next netctl serve --cluster copies
the journal from the other nodes, and a node whose raft log is damaged is made a new
member in its place, by a node that runs. The others continue meanwhile.`,
		flags: func(f *pflag.FlagSet) {
			f.StringSliceVar(&peers, "peer", nil, "host and port of a member, where the folder knows none that answers")
			f.BoolVar(&check, "check", false, "name damaged files, and change nothing")
		},
		run: func(c *call) error {
			dir, err := c.stoppedNode()
			if err != nil {
				return err
			}
			mend := cluster.Check
			if !check {
				mend = func(ctx context.Context, dir string) ([]error, error) { return cluster.Repair(ctx, dir, peers...) }
			}
			damage, err := mend(c.ctx, dir)
			found := mended{Damaged: []string{}, Moved: !check && len(damage) > 0}
			for _, d := range damage {
				found.Damaged = append(found.Damaged, d.Error())
			}
			if len(damage) == 0 && err == nil {
				c.talk("all files of the node are sound")
			}
			return errors.Join(c.show(found, nil), err)
		}})
}

// mended is the result of netctl cluster repair.
type mended struct {
	Damaged []string `json:"damaged" doc:"each damaged file, and where"`
	Moved   bool     `json:"moved" doc:"the damaged files were moved aside"`
}

func clusterRecover(a *app) *cobra.Command {
	return a.verb(verb{use: "recover", short: "Begin a cluster of one where a majority is lost for good", offline: true,
		long: `Make the folder of --data, whose server is stopped, the first node of a new cluster that
holds all that this node had agreed to. Do so only where a majority of the nodes is
lost for good: it is the way to lose entries that the others still have, and to have
two networks if one of the others starts again. Take the node with most entries.
The other machines then join with empty folders, or with theirs after their folder
cluster was removed.`,
		run: func(c *call) (err error) {
			dir, err := c.stoppedNode()
			if err != nil {
				return err
			}
			m, err := cluster.ReadMember(dir)
			if err != nil {
				return err
			}
			if err := c.confirm("begin a cluster of one from %s, since a majority of the nodes is lost for good", m.Name); err != nil {
				return err
			}
			store, err := sqlite.Open(c.ctx, sqlite.Config{Dir: dir, Existing: true})
			if err != nil {
				return err
			}
			if err := errors.Join(cluster.Recover(c.ctx, dir, store), store.Close()); err != nil {
				return err
			}
			c.talk("%s is the only node of a new cluster; next: netctl serve --cluster --data %s, and netctl cluster invite for the others", m.Name, dir)
			return nil
		}})
}

// stoppedNode returns the folder of --data, which is that of a node without a running
// server.
func (c *call) stoppedNode() (string, error) {
	dir, err := c.localDir()
	if err != nil {
		return "", err
	}
	if !cluster.IsNode(dir) {
		return "", fmt.Errorf("%w: %s is not the folder of a node", cluster.ErrNoMember, dir)
	}
	if r, ok := findRunning(c.ctx, dir); ok {
		return "", usage(fmt.Errorf("a server runs on %s, process %d; stop it first", dir, r.PID))
	}
	return dir, nil
}
