package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server/host"
	"github.com/agentnet/netctl/server/monitor"
	"github.com/agentnet/netctl/server/web"
)

// clusterAddress accepts the address of a node among the others.
func clusterAddress(s string) error {
	if s == "" {
		return nil
	}
	return cluster.CheckAddress(s)
}

// clusterLook is how often a node looks whether it is to write. Raft decides who leads,
// so that no node takes over from a silent one by itself.
const clusterLook = 100 * time.Millisecond

// joinCluster has the run take part in the cluster of its folder.
func (s *service) joinCluster(r *host.ReplicaConfig) error {
	r.Joined = cluster.IsNode(s.dir)
	r.Join = func(ctx context.Context, store *sqlite.Store) (journal.Engine, replica.Folder, error) {
		return s.openCluster(ctx, store, r.Name)
	}
	r.Every, r.Silence = clusterLook, math.MaxInt64
	switch {
	case s.initCluster && r.Joined:
		return usage(fmt.Errorf("%s is the folder of a node already, and a cluster begins once; start it with --cluster, without --cluster-init", s.dir))
	case s.initCluster && s.set.v.GetString("serve.cluster-addr") == "":
		return usage(errors.New("--cluster-init needs --cluster-addr HOST:PORT, where the other nodes reach this one"))
	case s.initCluster:
		if r.Name == "" {
			r.Name = newNodeName()
		}
		if err := cluster.CheckName(r.Name); err != nil {
			return usage(fmt.Errorf("--node-name: %w", err))
		}
		return nil
	case !r.Joined:
		return usage(fmt.Errorf("%s is the folder of no node; begin a cluster with --cluster-init, or join one with netctl cluster join", s.dir))
	}
	m, err := cluster.ReadMember(s.dir)
	r.Name, r.Follower = m.Name, m.Follower
	return err
}

// newNodeName draws the name of a node.
func newNodeName() string {
	b := make([]byte, 4)
	rand.Read(b) // never fails
	return "node-" + hex.EncodeToString(b)
}

// clusterTiming returns the timing of the nodes' site.
func (s *settings) clusterTiming() cluster.Timing {
	if s.v.GetString("serve.cluster-site") == "wan" {
		return cluster.ManySites
	}
	return cluster.OneSite
}

// openCluster starts the node of the cluster on the open journal, and waits for a
// majority.
func (s *service) openCluster(ctx context.Context, store *sqlite.Store, name string) (journal.Engine, replica.Folder, error) {
	cfg := cluster.Config{Dir: s.dir, Folder: store, Listen: s.set.v.GetString("serve.cluster-addr"), Timing: s.set.clusterTiming(), Log: raftLines{s.log}, Report: s.reportFolder,
		Shared: func() (map[string][]byte, error) { return host.NodeKeys(s.dir) }}
	if s.initCluster {
		if err := cluster.Init(ctx, s.dir, store, name, cfg.Listen); err != nil {
			return nil, nil, err
		}
	}
	node, err := cluster.Open(ctx, cfg)
	if errors.Is(err, cluster.ErrDamaged) {
		err = fmt.Errorf("%w; the other nodes continue. Stop here, and run netctl cluster repair --data %s", err, s.dir)
	}
	if err != nil {
		return nil, nil, err
	}
	s.cluster.Store(node)
	s.watchCluster(node)
	err = awaitMajority(ctx, node, func(err error) {
		s.talk("waiting for the other nodes of the cluster: a majority has to run; netctl cluster status names them")
		s.log.Warn("cluster", "waits", "a majority of the nodes has to run", "error", err.Error())
	})
	if err != nil {
		return nil, nil, errors.Join(err, node.Close())
	}
	s.sayAcknowledged(node)
	return node, node.Folder(), nil
}

// servers returns the function that lists the nodes of a cluster for its operators, nil
// without a cluster.
func (s *service) servers(r *host.ReplicaConfig) func(context.Context) []web.Server {
	if r == nil || r.Join == nil {
		return nil
	}
	return func(ctx context.Context) (all []web.Server) {
		status := s.cluster.Load().Status(ctx)
		for _, m := range status.Members {
			one := web.Server{Name: m.Name, Address: m.Address, Role: m.Role(), Behind: status.Behind(&m), Problem: m.Problem()}
			if m.Place != nil {
				one.Entries = m.Place.Entries
			}
			all = append(all, one)
		}
		return all
	}
}

// watchCluster adds the node to the monitor.
func (s *service) watchCluster(node *cluster.Node) {
	if s.monitor == nil {
		return
	}
	s.monitor.Gauge("netctl_cluster_leader", "1 while this node leads its cluster, else 0.", func() float64 {
		if node.Leader() == node.Name() {
			return 1
		}
		return 0
	})
	s.monitor.Ready(monitor.Check{Name: "cluster", Waits: func() string {
		if err := node.Err(); err != nil {
			return err.Error()
		}
		if node.Leader() == "" {
			return "no node leads: a majority of them has to run"
		}
		return ""
	}, Note: func() string { return node.Leader() + " leads, this node is " + node.Name() }})
}

// awaitMajority waits until a node of the cluster leads. It calls waits once, if none does
// by now.
func awaitMajority(ctx context.Context, node *cluster.Node, waits func(error)) error {
	for said := false; ; {
		_, err := node.Head(ctx)
		if !errors.Is(err, cluster.ErrNoLeader) {
			return err
		}
		if !said {
			said = true
			waits(err)
		}
		if !timespan.Wait(ctx, clusterLook) {
			return ctx.Err()
		}
	}
}

// reportFolder logs that the folder cannot be written, and ends a run whose folder has
// other entries than the cluster.
func (s *service) reportFolder(err error) {
	switch {
	case err == nil:
		s.log.Info("cluster", "folder", "it can be written again")
	case errors.Is(err, cluster.ErrDamaged):
		s.forked(fmt.Errorf("%w; the other nodes continue. Then run netctl cluster repair --data %s", err, s.dir))
	case errors.Is(err, journal.ErrNewer):
		s.forked(err)
	default:
		s.log.Error("cluster", "error", err.Error())
	}
}

// raftLines logs the lines of raft, of interest only to find a fault.
type raftLines struct{ log *slog.Logger }

// Write implements io.Writer.
func (l raftLines) Write(line []byte) (int, error) {
	l.log.Debug("raft", "line", string(bytes.TrimSpace(line)))
	return len(line), nil
}
