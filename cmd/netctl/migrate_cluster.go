package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/server/host"
)

// memberPlace makes the folder of a node the place of its cluster.
func (c *call) memberPlace(folder movePlace) movePlace {
	return movePlace{text: folder.text, noun: "cluster", files: folder.dir,
		open: func(ctx context.Context) (journal.Engine, error) { return c.openMember(ctx, folder.dir) }}
}

// memberEngine is a cluster as one of its nodes sees it, which serves no requests.
type memberEngine struct {
	*cluster.Node
	store *sqlite.Store
}

// Close implements [journal.Engine].
func (e memberEngine) Close() error { return errors.Join(e.Node.Close(), e.store.Close()) }

// openMember has the node of a folder take part in its cluster, and waits for a majority.
func (c *call) openMember(ctx context.Context, dir string) (journal.Engine, error) {
	if r, ok := findRunning(ctx, dir); ok {
		return nil, usage(fmt.Errorf("a server runs on %s, process %d; stop it first: the other nodes continue", dir, r.PID))
	}
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, Existing: true})
	if err != nil {
		return nil, err
	}
	node, err := cluster.Open(ctx, cluster.Config{Dir: dir, Folder: store, Listen: c.set.v.GetString("serve.cluster-addr"), Timing: c.set.clusterTiming(), Idle: true})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	e := memberEngine{node, store}
	err = awaitMajority(ctx, node, func(error) {
		c.talk("waiting for the other nodes of the cluster: a majority has to run, and %s counts", node.Name())
	})
	if err != nil && !errors.Is(err, journal.ErrRetired) {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// beginCluster makes a folder the first node of a cluster.
func (c *call) beginCluster(m *migration, from, to movePlace) error {
	cfg := host.MoveConfig{Dir: from.dir, Comparing: c.progress()}
	name := cmp.Or(m.name, newNodeName())
	if cluster.IsNode(from.dir) { // an earlier call was interrupted, or all is done
		member, err := cluster.ReadMember(from.dir)
		if err != nil {
			return err
		}
		name = member.Name
	}
	if err := cluster.CheckName(name); err != nil {
		return usage(fmt.Errorf("--node-name: %w", err))
	}
	if m.dry {
		return c.dryMove(cfg.CheckToCluster)
	}
	c.followMove(&cfg, "there")
	cfg.Begin = func(ctx context.Context, store *sqlite.Store) (journal.Engine, error) {
		return beginNode(ctx, from.dir, store, name, to.first)
	}
	out, err := host.MoveToCluster(c.ctx, name, cfg)
	if err != nil {
		return err
	}
	c.describeCompared(&out)
	c.talk("%s is the folder of the node %s now (node.json), and opens with its cluster only", from.dir, name)
	c.talk("next: netctl serve --data %s --cluster, and netctl cluster invite for the others", from.dir)
	return c.show(migrated{from.text, to.text, out}, nil)
}

// beginNode begins a cluster on the open journal of a folder, unless it has, and runs its
// only node at a port that no other one knows.
func beginNode(ctx context.Context, dir string, store *sqlite.Store, name, address string) (journal.Engine, error) {
	if !cluster.IsNode(dir) {
		if err := cluster.Init(ctx, dir, store, name, address); err != nil {
			return nil, err
		}
	}
	node, err := cluster.Open(ctx, cluster.Config{Dir: dir, Folder: store, Listen: "127.0.0.1:0"})
	if err != nil {
		return nil, err
	}
	if err := awaitMajority(ctx, node, func(error) {}); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	return node, nil
}
