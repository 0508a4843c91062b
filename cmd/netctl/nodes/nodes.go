// Package nodes runs the servers of a cluster in one process, for the demo and for
// measurements.
package nodes

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server/host"
)

// Node is a server of a cluster.
type Node struct {
	Name    string
	Dir     string        // its folder
	Address string        // where the other nodes reach it, HOST:PORT
	Member  *cluster.Node // nil before the folder is opened
}

// New returns a node on a free port of loopback.
func New(name, dir string) (*Node, error) {
	for range 100 {
		// Outgoing connections get ports from 32768.
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(22000)))
		if err == nil {
			return &Node{Name: name, Dir: dir, Address: l.Addr().String()}, l.Close()
		}
	}
	return nil, errors.New("nodes: no port of 127.0.0.1 between 10000 and 32000 is free")
}

// Join makes the folder of the node one of the cluster that another node is in.
func (n *Node) Join(ctx context.Context, by *Node) error {
	token, err := by.Member.Invite(ctx, time.Minute)
	if err != nil {
		return err
	}
	return cluster.Join(ctx, cluster.Joining{Dir: n.Dir, Token: token, Name: n.Name, Address: n.Address,
		Keep: func(from string, files map[string][]byte) error { return host.KeepNodeKeys(n.Dir, from, files) }})
}

// Replica returns the configuration with which a host opens the folder of the node, as
// the first one of a cluster if it begins one. The URL is that of its HTTP server.
//
// All nodes share one process, so that they get the timing of distant sites.
func (n *Node) Replica(begins bool, url string) *host.ReplicaConfig {
	enter := func(ctx context.Context, store *sqlite.Store) (journal.Engine, replica.Folder, error) {
		if begins {
			if err := cluster.Init(ctx, n.Dir, store, n.Name, n.Address); err != nil {
				return nil, nil, err
			}
		}
		member, err := cluster.Open(ctx, cluster.Config{Dir: n.Dir, Folder: store, Timing: cluster.ManySites, Shared: func() (map[string][]byte, error) { return host.NodeKeys(n.Dir) }})
		if err != nil {
			return nil, nil, err
		}
		n.Member = member
		return member, member.Folder(), nil
	}
	return &host.ReplicaConfig{Join: enter, Joined: !begins, Name: n.Name, Address: url, Every: 100 * time.Millisecond, Silence: time.Hour}
}

// AwaitVoters waits until so many nodes vote, as one of them knows it.
func (n *Node) AwaitVoters(ctx context.Context, count int) error {
	return Await(ctx, fmt.Sprintf("%d servers vote", count), func() bool {
		voters := 0
		for _, m := range n.Member.Status(ctx).Members {
			if m.Voter {
				voters++
			}
		}
		return voters == count
	})
}

// Await waits until a condition holds, for a minute at most.
func Await(ctx context.Context, what string, holds func() bool) error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if holds() {
			return nil
		}
		if !timespan.Wait(ctx, 10*time.Millisecond) {
			return ctx.Err()
		}
	}
	return fmt.Errorf("nodes: not within a minute: %s", what)
}
