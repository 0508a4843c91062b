package host

import (
	"context"
	"fmt"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/replica"
)

// openNetwork opens the network of the journal and keeps a checkpoint of it,
// the first one before the host returns a network that begins here.
func (cfg *Config) openNetwork(ctx context.Context, h *Host) error {
	head, err := h.Store.Head(ctx)
	if err != nil {
		return err
	}
	if err := cfg.prepareGenesis(ctx, head.Size); err != nil {
		return err
	}
	book, err := cfg.openBook(ctx, h, head.Size)
	if err != nil {
		return err
	}
	snapshotKey, err := cfg.openKeys(ctx, h, book, head.Size)
	if err != nil {
		return err
	}
	if h.Network, err = network.New(ctx, cfg.networkConfig(h, book, snapshotKey)); err != nil {
		return err
	}
	if r := cfg.Replica; r != nil {
		h.Node = replica.NewNode(replica.NodeConfig{Store: h.replica, Name: r.Name, Address: r.Address,
			Every: r.Every, Silence: r.Silence, Follower: r.Follower, Report: r.Report, Unfit: cfg.space().check}, h.Network)
	}
	h.Fresh = cfg.Genesis
	if h.archived != nil {
		close(h.archived.ready)
	}
	if err := cfg.keepHead(ctx, h); err != nil {
		return err
	}
	if h.archived != nil && h.Fresh != nil {
		if err := cfg.openArchive(ctx, h); err != nil {
			return err
		}
	}
	return unmark(cfg.Dir)
}

// prepareGenesis drops Genesis where the journal has entries, and else marks the
// folder as one in which a network is about to begin.
func (cfg *Config) prepareGenesis(ctx context.Context, size uint64) error {
	if size > 0 {
		cfg.Genesis = nil // begun since by another process
		return nil
	}
	if cfg.Archive != nil {
		if err := cfg.Archive.checkNew(ctx); err != nil {
			return err
		}
	}
	if cfg.Genesis == nil {
		return fmt.Errorf("%w in %s", ErrNoNetwork, cfg.Dir)
	}
	return mark(cfg.Dir)
}

// openBook returns the journal as network and log share it, so that the log uses
// the part of the tree that the network knows. The archive of a network that
// begins here is opened later.
func (cfg *Config) openBook(ctx context.Context, h *Host, size uint64) (*journal.Checked, error) {
	spaced := &spacedStore{Store: h.Store, to: h.Store, space: cfg.space()}
	if h.replica != nil {
		spaced.to = h.replica
	}
	if cfg.Archive == nil {
		return journal.NewChecked(spaced), nil
	}
	h.archived = &archivedStore{spacedStore: spaced, sync: cfg.Archive.Sync, patience: cfg.Archive.Patience, ready: make(chan struct{})}
	if size > 0 {
		if err := cfg.openArchive(ctx, h); err != nil {
			return nil, err
		}
	}
	return journal.NewChecked(h.archived), nil
}

// openKeys opens the log and reads the keys of the folder, or makes those that a
// network which begins needs. It returns the key that seals snapshots.
func (cfg *Config) openKeys(ctx context.Context, h *Host, book *journal.Checked, size uint64) (snapshotKey []byte, err error) {
	logKey := ""
	if h.Log, logKey, err = cfg.openLog(ctx, book, size, h.Store.InPlace); err != nil {
		return nil, err
	}
	if h.signingKey, err = cfg.signingKey(logKey, size == 0); err != nil {
		return nil, err
	}
	return cfg.snapshotKey(size == 0)
}

// networkConfig returns the configuration of the network.
func (cfg *Config) networkConfig(h *Host, book *journal.Checked, snapshotKey []byte) network.Config {
	nc := network.Config{Store: book, Genesis: cfg.Genesis, Now: cfg.Now, Alarm: cfg.Alarm, Witnessed: cfg.witnessed(h.Log), Draw: h.Log.Draw, Allowance: cfg.Allowance, SnapshotKey: snapshotKey, Wait: cfg.Server.Limits.Wait, Wrote: cfg.Wrote, Follow: cfg.follower != nil, Current: cfg.current()}
	if cfg.Replica != nil {
		nc.Follow, nc.Current, nc.Fresh = true, h.nodeCurrent, h.fresh
		nc.Batch = batchBytes(h.replica.Limits())
	}
	return nc
}

// keepHead keeps a checkpoint of the journal, and has the keeper follow it.
func (cfg *Config) keepHead(ctx context.Context, h *Host) error {
	tree, _, err := h.Log.Sign(ctx)
	if h.Fresh == nil { // the keeper tries again
		err = h.tolerate(err)
	}
	if err != nil {
		return err
	}
	h.keeper = keep(ctx, h.Network, h.Log, uint64(tree.N), cfg.Alarm)
	return nil
}
