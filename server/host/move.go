package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/replica"
)

// MoveConfig configures the move of a network between a folder and an engine. Dir and
// Engine, or Begin, are required; the caller closes the engine.
type MoveConfig struct {
	Dir    string
	Engine journal.Engine
	// Begin makes the open journal of the folder that of a cluster's first node, unless
	// it is, and returns the cluster. [MoveToCluster] calls it, and closes the engine.
	Begin func(ctx context.Context, store *sqlite.Store) (journal.Engine, error)
	// Place names the folder to the nodes that are refused once the network is there.
	// It is used by [MoveToFolder] only.
	Place string
	// Files is the folder of a node from which [MoveToFolder] takes keys, recordings and
	// small files that Dir lacks; "" takes none.
	Files string
	// Waiting is called once when all is copied and another process still writes the
	// folder; the move continues when that process ends. Nil waits in silence.
	Waiting func(entries uint64)
	// Copying and Comparing get the progress in entries; nil shows nothing.
	Copying, Comparing func(done, total uint64)

	step func(name string) error // called after each step, in tests; its error ends the move
}

// Moved is the result of a move.
type Moved struct {
	replica.Compared
	Node    string   `json:"node,omitempty" doc:"name of the folder among the nodes of the engine"`
	Missing []string `json:"missing,omitempty" doc:"recordings that dispatches name and the folder lacks"`
}

// moveEvery is how often a move looks for new entries while it waits for a writer.
const moveEvery = 200 * time.Millisecond

// did reports a finished step.
func (cfg *MoveConfig) did(step string) error {
	if cfg.step == nil {
		return nil
	}
	return cfg.step(step)
}

// MoveToEngine copies the network of a folder to an engine, while a server may write it,
// waits until no process does, compares both, and makes the folder that of the first
// node. From then on it opens with the engine only. A move that was interrupted is
// repeated: until the folder is marked the network is there, afterwards in the engine.
func MoveToEngine(ctx context.Context, cfg MoveConfig) (out Moved, err error) {
	term, err := cfg.claimMove(ctx)
	if err != nil {
		return out, err
	}
	if err := cfg.did("claimed"); err != nil {
		return out, err
	}
	store, err := cfg.awaitWriter(ctx, cfg.fillOnce)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := cfg.did("locked"); err != nil {
		return out, err
	}
	if _, err := replica.Fill(ctx, store, cfg.Engine, cfg.Copying); err != nil {
		return out, err
	}
	if err := cfg.did("copied"); err != nil {
		return out, err
	}
	if out.Compared, err = replica.Compare(ctx, store, cfg.Engine, cfg.Comparing); err != nil {
		return out, err
	}
	if err := cfg.did("compared"); err != nil {
		return out, err
	}
	var node ReplicaConfig
	if err := node.keepName(cfg.Dir); err != nil {
		return out, err
	}
	out.Node = node.Name
	if err := cfg.did("marked"); err != nil {
		return out, err
	}
	_, err = cfg.Engine.Claim(ctx, term, "", "")
	return out, err
}

// claimMove marks the engine as one that lacks entries yet, and returns the term.
func (cfg *MoveConfig) claimMove(ctx context.Context) (term uint64, err error) {
	if err := cfg.CheckToEngine(ctx); err != nil {
		return 0, err
	}
	w, err := cfg.Engine.Writer(ctx)
	if err == nil && w.Node != replica.Moving {
		w, err = cfg.Engine.Claim(ctx, w.Term, replica.Moving, "")
	}
	return w.Term, err
}

// CheckToEngine refuses a move of the folder to the engine where it cannot succeed: the
// folder lacks entries, or the engine holds others or is used by nodes. It changes
// nothing.
func (cfg *MoveConfig) CheckToEngine(ctx context.Context) (err error) {
	size, err := Inspect(ctx, cfg.Dir)
	if err == nil && size == 0 {
		err = fmt.Errorf("%w in %s", ErrNoNetwork, cfg.Dir)
	}
	if err != nil {
		return err
	}
	node, err := readNode(cfg.Dir)
	if err != nil {
		return err
	}
	w, err := cfg.Engine.Writer(ctx)
	switch {
	case err != nil:
		return err
	case w.Node == replica.Moving:
	case node.Node != "":
		return fmt.Errorf("%w: %s is the folder of the node %s already; serve it with netctl serve --journal, or move its network from the engine to a folder first", ErrNode, cfg.Dir, node.Node)
	case w.Node != "":
		return fmt.Errorf("%w: the node %s serves the engine; move the network to a database of its own", ErrNode, w.Node)
	}
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: cfg.Dir, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	head, err := cfg.Engine.Head(ctx)
	if err == nil && head.Size > 0 && w.Node == "" {
		return fmt.Errorf("%w: the engine holds a network of %d entries; move this one to a database of its own", ErrNode, head.Size)
	}
	return errors.Join(err, replica.Check(ctx, store, cfg.Engine))
}

// awaitWriter calls follow, which returns the number of entries that it saw, until no
// other process writes the folder, and returns its journal opened for writing.
func (cfg *MoveConfig) awaitWriter(ctx context.Context, follow func(context.Context) (uint64, error)) (*sqlite.Store, error) {
	for waits := false; ; {
		size, err := follow(ctx)
		if err != nil {
			return nil, err
		}
		if err := cfg.did("followed"); err != nil {
			return nil, err
		}
		store, err := openUnwritten(ctx, cfg.Dir)
		if !errors.Is(err, journal.ErrLocked) {
			return store, err
		}
		if !waits && cfg.Waiting != nil {
			cfg.Waiting(size)
		}
		waits = true
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(moveEvery):
		}
	}
}

// fillOnce copies the entries that the folder has now, and returns their number. A
// server that begins or ends meanwhile has the look repeated.
func (cfg *MoveConfig) fillOnce(ctx context.Context) (size uint64, err error) {
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: cfg.Dir, ReadOnly: true})
	if err == nil {
		var head journal.Head
		head, err = replica.Fill(ctx, store, cfg.Engine, cfg.Copying)
		size, err = head.Size, errors.Join(err, store.Close())
	}
	if errors.Is(err, journal.ErrLocked) {
		err = nil
	}
	return size, err
}

// openUnwritten opens the journal of a folder for writing, if it is whole and no other
// process writes it; then the error is [journal.ErrLocked].
func openUnwritten(ctx context.Context, dir string) (*sqlite.Store, error) {
	if err := checkUnwritten(dir); err != nil {
		return nil, err
	}
	if _, err := Inspect(ctx, dir); err != nil {
		return nil, err
	}
	return sqlite.Open(ctx, sqlite.Config{Dir: dir, Existing: true})
}
