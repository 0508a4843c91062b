package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit/replica"
)

// MoveToCluster makes the folder of a network the first node of a cluster, once no process
// writes it. Nothing is copied: the folder is compared with the entries that its cluster
// gives to nodes which join. From then on it opens with the cluster only. A move that was
// interrupted is repeated; until it is whole, the folder opens
// in no other way.
func MoveToCluster(ctx context.Context, name string, cfg MoveConfig) (out Moved, err error) {
	if err := cfg.CheckToCluster(ctx); err != nil {
		return out, err
	}
	store, err := cfg.awaitWriter(ctx, cfg.countEntries)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := cfg.did("locked"); err != nil {
		return out, err
	}
	if err := writeNode(cfg.Dir, keptNode{Node: name, Begins: true}); err != nil {
		return out, err
	}
	if err := cfg.did("marked"); err != nil {
		return out, err
	}
	engine, err := cfg.Begin(ctx, store)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(engine.Close(), err) }()
	if err := cfg.did("begun"); err != nil {
		return out, err
	}
	if out.Compared, err = replica.Compare(ctx, store, engine, cfg.Comparing); err != nil {
		return out, err
	}
	if err := cfg.did("compared"); err != nil {
		return out, err
	}
	out.Node = name
	return out, writeNode(cfg.Dir, keptNode{Node: name})
}

// CheckToCluster refuses the beginning of a cluster on a folder without entries, or on
// that of a node. It changes nothing.
func (cfg *MoveConfig) CheckToCluster(ctx context.Context) error {
	size, err := cfg.countEntries(ctx)
	if err == nil && size == 0 {
		err = fmt.Errorf("%w in %s", ErrNoNetwork, cfg.Dir)
	}
	if err != nil {
		return err
	}
	node, err := readNode(cfg.Dir)
	if err == nil && node.Node != "" && !node.Begins {
		err = fmt.Errorf("%w: %s is the folder of the node %s already; serve it with netctl serve --cluster or --journal, or move its network from the engine to a folder first", ErrNode, cfg.Dir, node.Node)
	}
	return err
}

// countEntries returns the number of entries in the folder.
func (cfg *MoveConfig) countEntries(ctx context.Context) (uint64, error) {
	return Inspect(ctx, cfg.Dir)
}
