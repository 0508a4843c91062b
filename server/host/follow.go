package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
)

// ErrFork means that a folder and an archive hold different entries, or that a
// follower is ahead of the archive.
var ErrFork = errors.New("host: the folder and the archive differ")

// FollowConfig configures a [Follower]. Fields are required unless their comment gives
// a default.
type FollowConfig struct {
	Dir      string // of the follower; missing, empty, or a folder of the same network
	Store    archive.Store
	IDs      []age.Identity           // that open the private side; nil follows the public side only
	Progress func(done, total uint64) // nil shows nothing
	Sealed   bool                     // compare the encrypted objects with their hashes although there is no identity
	Until    uint64                   // number of the first object that is left; 0 applies all
}

// Follower keeps a folder with the same entries as an archive. It is used by one
// goroutine.
type Follower struct {
	Store *sqlite.Store // the follower's journal

	cfg    FollowConfig
	reader *archive.Reader
	tree   journal.Tree
	head   journal.Head
	last   *archive.Header // of the last object that was applied, nil before the first
	ahead  bool            // the folder has entries that the archive lacks

	leaving map[netkit.Hash]bool // recordings of erased dispatches, and whether everybody may hear them
	served  *Host                // that serves the folder, nil without one
	filesAt time.Time
	shown   string // checkpoint in the folder
}

// OpenFollower opens the folder of a follower and compares it with the archive. The
// error is [ErrFork] where they differ.
func OpenFollower(ctx context.Context, cfg FollowConfig) (_ *Follower, err error) {
	f := &Follower{cfg: cfg, reader: archive.NewReader(cfg.Store, cfg.IDs)}
	f.reader.Sealed = cfg.Sealed
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return nil, err
	}
	if err := private.HideFromGit(cfg.Dir, archiveFile); err != nil {
		return nil, err
	}
	if f.Store, err = sqlite.Open(ctx, sqlite.Config{Dir: cfg.Dir}); err != nil {
		return nil, err
	}
	if err = f.compare(ctx); err != nil {
		return nil, errors.Join(err, f.Store.Close())
	}
	return f, nil
}

// Close closes the journal.
func (f *Follower) Close() error { return f.Store.Close() }

// Serve opens the network of the folder for what anyone may read: each command and
// each token is refused, since a token may have been revoked meanwhile. Follow
// applies new entries to it too. The caller serves its handler, without the upkeep, and
// closes it before the follower.
func (f *Follower) Serve(ctx context.Context, cfg Config) (*Host, error) {
	if f.head.Size == 0 {
		return nil, fmt.Errorf("%w in %s: nothing was followed yet", ErrNoNetwork, f.cfg.Dir)
	}
	cfg.Dir, cfg.Genesis, cfg.follower = f.cfg.Dir, nil, f
	h, err := New(ctx, cfg)
	f.served = h
	return h, err
}

// current is network.Config.Current: a follower of an archive does not know which
// tokens were revoked since the archive's last object.
func (cfg *Config) current() func() error {
	if cfg.follower == nil {
		return nil
	}
	return func() error {
		return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.NotWriter, What: "this server follows an archive and shows what needs no token",
			Next: "ask the server that writes the network, or leave the token out"}
	}
}

// Tree returns the tree of the folder.
func (f *Follower) Tree() netkit.TreeHead {
	return netkit.TreeHead{Size: f.tree.Size(), Root: f.tree.Root()}
}

// Last returns the header of the last object that the folder has, nil before the first.
func (f *Follower) Last() *archive.Header { return f.last }

// compare finds the object at which the folder's journal ends.
func (f *Follower) compare(ctx context.Context) error {
	head, err := f.Store.Head(ctx)
	if err != nil {
		return err
	}
	if f.head = head; head.Size == 0 {
		return nil
	}
	tree, err := journal.OpenTree(ctx, f.Store, head.Size)
	if err != nil {
		return err
	}
	f.tree = *tree
	o, last, err := archive.Find(ctx, f.cfg.Store, head.Size)
	if errors.Is(err, archive.ErrNotFound) {
		return fmt.Errorf("%w: %s holds %d entries, and %s none of them", ErrFork, f.cfg.Dir, head.Size, f.cfg.Store)
	}
	if err != nil {
		return err
	}
	shared, err := journal.OpenTree(ctx, f.Store, o.Tree.Size)
	if err != nil {
		return err
	}
	if root := netkit.Hash(shared.Root()); root != o.Tree.Root {
		return fmt.Errorf("%w: the first %d entries have the root %s in %s and %s in %s", ErrFork, o.Tree.Size, root, f.cfg.Dir, o.Tree.Root, f.cfg.Store)
	}
	f.last, f.ahead = o, o.Tree.Size < head.Size
	if f.ahead && !last {
		return f.forked(o.Tree)
	}
	return nil
}

func (f *Follower) forked(there netkit.TreeHead) error {
	return fmt.Errorf("%w: %s has %d entries with the root %s, and %s continues after entry %d with others. Nothing was changed", ErrFork, f.cfg.Dir, f.tree.Size(), netkit.Hash(f.tree.Root()), f.cfg.Store, there.Size)
}

// Follow applies the objects that the archive has by now.
func (f *Follower) Follow(ctx context.Context) error {
	if err := f.copyFiles(ctx); err != nil {
		return err
	}
	next := uint64(0)
	if f.last != nil {
		next = f.last.Number + 1
	}
	checkpoint := ""
	for o, err := range f.reader.Objects(ctx, next) {
		if err == nil && f.cfg.Until > 0 && o.Number >= f.cfg.Until {
			break
		}
		if err == nil && f.ahead {
			err = f.forked(f.last.Tree)
		}
		if err == nil {
			err = f.apply(ctx, o)
		}
		if err != nil {
			return err
		}
		if o.Checkpoint != "" {
			checkpoint = o.Checkpoint
		}
		f.last = &o.Header
	}
	if err := f.removeRecordings(ctx); err != nil {
		return err
	}
	switch {
	case f.ahead, f.last == nil || f.last.Number < next:
		return nil
	case f.served != nil:
		_, err := f.served.Network.CatchUp(ctx) // its keeper signs new checkpoints
		return err
	}
	return f.keepCheckpoint(ctx, checkpoint)
}

// Ahead returns an [ErrFork] if the folder has entries that the archive lacks.
func (f *Follower) Ahead() error {
	if !f.ahead {
		return nil
	}
	return fmt.Errorf("%w: %s is ahead: it has %d entries, and %s has %d. If this folder is the one to serve the network, take over with it", ErrFork, f.cfg.Dir, f.tree.Size(), f.cfg.Store, f.last.Tree.Size)
}

// apply appends the entries of an object, its recordings first.
func (f *Follower) apply(ctx context.Context, o *archive.Object) error {
	batches, keys, err := f.reader.Batches(ctx, o)
	if err == nil && f.cfg.Sealed {
		err = f.reader.CheckSealed(ctx, o)
	}
	if err != nil {
		return err
	}
	var erase []uint64
	for i, public := range o.Public {
		e, err := archivedEntry(o.First+uint64(i), public)
		if err == nil {
			err = f.copyRecordings(ctx, &e)
		}
		if err != nil {
			return err
		}
		if e.Erases == nil {
			continue
		}
		erase = append(erase, *e.Erases)
		if err := f.noteLeaving(ctx, *e.Erases); err != nil {
			return err
		}
	}
	if len(batches) > 0 {
		grown := f.tree
		head, err := f.Store.AppendCopies(ctx, f.head, &grown, batches, keys, erase)
		if err != nil {
			return err
		}
		f.head, f.tree = head, grown
	}
	if got := f.Tree(); got != o.Tree {
		return fmt.Errorf("%w: after object %d the folder has %d entries with the root %s, and its header has %d with %s", archive.ErrDamaged, o.Number, got.Size, got.Root, o.Tree.Size, o.Tree.Root)
	}
	if f.cfg.Progress != nil {
		f.cfg.Progress(o.Tree.Size, o.Tree.Size)
	}
	return nil
}

// Transient reports whether following may succeed later: the archive is out of reach,
// or an object was damaged on its way.
func Transient(err error) bool {
	return !errors.Is(err, ErrFork) && !errors.Is(err, archive.ErrVersion) && !errors.Is(err, proof.ErrRolledBack) && !errors.Is(err, journal.ErrHeadMoved)
}
