// Package host runs the network of a folder in this process: journal, rules,
// recordings and the HTTP handler. Open is the first step of a program that
// embeds a network; New takes settings.
package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/audio"
)

// Config says how this process runs the network of a folder. Dir is required.
type Config struct {
	Dir     string
	Genesis *netkit.Genesis  // begins a network where there is none; nil means that one must be there
	Server  server.Config    // Network, Audio, SigningKey, Log and Now are filled in
	Now     func() time.Time // nil means time.Now
	Alarm   func(error)      // called when writing fails, and for files that are missing or altered; nil drops errors
	// Notice gets news of a start that needs no action, such as a journal that was
	// rewritten for this version; nil drops it.
	Notice func(text string)
	// Progress is called while the journal of an older version is rewritten, with
	// the entries done so far and their total; nil shows nothing.
	Progress func(done, total uint64)
	// Wrote is called after each durable write; see [network.Config].
	Wrote func(network.Write)
	// AcceptLoss starts although acknowledged entries may be missing: where the
	// checkpoint is gone or ahead of the journal, or the write-ahead log is
	// damaged. The alarm is told.
	AcceptLoss bool
	// Witnesses are the public keys of those that may cosign the log, Quorum how
	// many have to before a checkpoint is shown; see [proof.Config].
	Witnesses []string
	Quorum    int
	// SpaceFloor is the free space, in bytes, below which nothing is written; 0 means
	// no floor. FreeSpace tells how much there is; nil is never asked.
	SpaceFloor uint64
	FreeSpace  func(dir string) (uint64, error)
	Allowance  netkit.Allowance // of unpaid entries a day; zero means no limit
	Archive    *ArchiveConfig   // nil archives nothing
	Replica    *ReplicaConfig   // nil for a network that only this folder holds

	follower *Follower // whose journal is served and never written; nil for a network of its own

	later *Later // what a source knows beyond a journal that is being restored
}

// Host is a network that this process runs.
type Host struct {
	Store   *sqlite.Store
	Network *network.Network
	Log     *proof.Log
	Audio   *audio.Store
	Server  *server.Server
	Node    *replica.Node   // that follows the engine and writes, nil without an engine
	Fresh   *netkit.Genesis // what this start began, nil where there was a network

	dir        string
	keeper     *keeper
	archived   *archivedStore // nil without an archive
	signingKey []byte
	replica    *replica.Store // the journal of a node of several, nil otherwise
	engine     journal.Engine // of that
	endNode    func()         // nil before the node runs
	endUpkeep  func()         // nil where Open was not used
	alarm      func(error)    // nil means nobody
}

// New opens the network of a folder, or begins one if Genesis is given. The
// caller closes it, and has Server.Serve or Server.Upkeep do its upkeep. [ErrNoNetwork] says that there is none.
func New(ctx context.Context, cfg Config) (_ *Host, err error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	h := &Host{dir: cfg.Dir, alarm: cfg.Alarm}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.Close(ctx))
		}
	}()
	if cfg.Replica != nil {
		h.engine = cfg.Replica.Engine
	}
	held, err := cfg.checkNode(ctx)
	if err != nil {
		return h, err
	}
	size, end, err := inspect(ctx, cfg.Dir)
	if held && errors.Is(err, ErrLost) { // a new node with its keys, or one whose journal is gone
		err = mark(cfg.Dir)
	}
	if err != nil && cfg.AcceptLoss {
		err = cfg.acceptLoss(err)
	}
	switch {
	case err != nil:
		return h, err
	case size > 0:
		cfg.Genesis = nil
	case cfg.Genesis == nil && cfg.Replica == nil:
		return h, fmt.Errorf("%w in %s", ErrNoNetwork, cfg.Dir)
	default:
		if err := checkBeginning(cfg.Now()); err != nil {
			return h, err
		}
	}
	if end.Dropped > 0 {
		cfg.warn("the write-ahead log of %s ends in frames that no commit follows, %d in number: a batch that was being written when the process ended, or the machine, is dropped", cfg.Dir, end.Dropped)
	}
	if cfg.follower != nil {
		h.Store = cfg.follower.Store
	} else if h.Store, err = sqlite.Open(ctx, sqlite.Config{Dir: cfg.Dir, Existing: size > 0, Copied: cfg.Replica != nil, Progress: cfg.Progress, Now: cfg.Now, ErasedLater: cfg.later.erases()}); err != nil {
		return h, err
	}
	if err = cfg.nameKept(h.Store); err != nil {
		return h, err
	}
	if err = removeUnfinished(cfg.Dir); err != nil {
		return h, err
	}
	if cfg.Replica != nil {
		if err = cfg.openReplica(ctx, h); err != nil {
			return h, err
		}
	}
	if err = cfg.openNetwork(ctx, h); err != nil {
		return h, err
	}
	if h.Audio, err = audio.New(audio.Config{Dir: filepath.Join(cfg.Dir, "audio"), Now: cfg.Now, Room: cfg.space().check}); err != nil {
		return h, err
	}
	sc := cfg.Server
	sc.Network, sc.Audio, sc.Log, sc.Now = h.Network, h.Audio, h.Log, cfg.Now
	sc.Invitations = filepath.Join(cfg.Dir, "invitations")
	sc.Webhooks.File = filepath.Join(cfg.Dir, "webhooks.db")
	sc.Webhooks.Record = cfg.Archive != nil || cfg.Replica != nil // another folder continues without that file
	sc.SigningKey = h.signingKey
	if cfg.Replica != nil {
		sc.Node, sc.AdmitNode, sc.SharedJournal = h.Node, h.admitNode, true
	}
	if h.Server, err = server.New(sc); err == nil && cfg.Replica != nil {
		h.startNode(ctx, cfg.Replica)
	}
	return h, err
}

// nameKept gives notice that this start rewrote the journal and kept the file as it was.
func (cfg *Config) nameKept(store *sqlite.Store) error {
	if store.Rewrote() == 0 {
		return nil
	}
	path, until, err := sqlite.KeptCopy(cfg.Dir)
	if err == nil {
		cfg.notice("the journal was rewritten from schema version %d. %s is the file as it was; it is removed on %s, or with the first erasure", store.Rewrote(), path, until.UTC().Format(time.DateOnly))
	}
	return err
}

// openNetwork opens the network of the journal and keeps a checkpoint of it,
// the first one before anybody is told of a network that begins here.
func (cfg *Config) openNetwork(ctx context.Context, h *Host) error {
	head, err := h.Store.Head(ctx)
	if err != nil {
		return err
	}
	if head.Size == 0 && cfg.Archive != nil {
		if err := cfg.Archive.checkNew(ctx); err != nil {
			return err
		}
	}
	if head.Size > 0 {
		cfg.Genesis = nil // begun since by another process
	} else if cfg.Genesis == nil {
		return fmt.Errorf("%w in %s", ErrNoNetwork, cfg.Dir)
	} else if err := mark(cfg.Dir); err != nil {
		return err
	}
	// What the network knows of its journal's tree, the log goes by as well.
	spaced := &spacedStore{Store: h.Store, to: h.Store, space: cfg.space()}
	if h.replica != nil {
		spaced.to = h.replica
	}
	book := journal.NewChecked(spaced)
	if cfg.Archive != nil {
		h.archived = &archivedStore{spacedStore: spaced, sync: cfg.Archive.Sync, patience: cfg.Archive.Patience, ready: make(chan struct{})}
		book = journal.NewChecked(h.archived)
		if head.Size > 0 {
			if err := cfg.openArchive(ctx, h); err != nil {
				return err
			}
		}
	}
	logKey := ""
	if h.Log, logKey, err = cfg.openLog(ctx, book, head.Size, h.Store.InPlace); err != nil {
		return err
	}
	if h.signingKey, err = cfg.signingKey(logKey, head.Size == 0); err != nil {
		return err
	}
	snapshotKey, err := cfg.snapshotKey(head.Size == 0)
	if err != nil {
		return err
	}
	nc := network.Config{Store: book, Genesis: cfg.Genesis, Now: cfg.Now, Alarm: cfg.Alarm, Witnessed: cfg.witnessed(h.Log), Draw: h.Log.Draw, Allowance: cfg.Allowance, SnapshotKey: snapshotKey, Wait: cfg.Server.Limits.Wait, Wrote: cfg.Wrote, Follow: cfg.follower != nil, Current: cfg.current()}
	if cfg.Replica != nil {
		nc.Follow, nc.Current, nc.Fresh = true, h.nodeCurrent, h.fresh
		nc.Batch = batchBytes(h.replica.Limits())
	}
	if h.Network, err = network.New(ctx, nc); err != nil {
		return err
	}
	if r := cfg.Replica; r != nil {
		h.Node = replica.NewNode(replica.NodeConfig{Store: h.replica, Name: r.Name, Address: r.Address,
			Every: r.Every, Silence: r.Silence, Follower: r.Follower, Report: r.Report, Unfit: spaced.space.check}, h.Network)
	}
	h.Fresh = cfg.Genesis
	if h.archived != nil {
		close(h.archived.ready)
	}
	tree, _, err := h.Log.Sign(ctx)
	if h.Fresh == nil { // the keeper goes on trying
		err = h.tolerate(err)
	}
	if err != nil {
		return err
	}
	h.keeper = keep(ctx, h.Network, h.Log, uint64(tree.N), cfg.Alarm)
	if h.archived != nil && h.Fresh != nil {
		if err := cfg.openArchive(ctx, h); err != nil {
			return err
		}
	}
	return unmark(cfg.Dir)
}

// Close ends what New or Open began: streams, then the clerk with its snapshot, then
// the checkpoints with the last one, then the journal.
func (h *Host) Close(ctx context.Context) error {
	var err error
	if h.endUpkeep != nil {
		h.endUpkeep()
	}
	if h.Server != nil {
		h.Server.EndStreams()
		err = h.tolerate(h.Server.Close())
	}
	if h.endNode != nil {
		h.endNode()
	}
	if h.Network != nil {
		err = errors.Join(err, h.tolerate(h.Network.Close(ctx)))
	}
	if h.keeper != nil {
		err = errors.Join(err, h.tolerate(h.keeper.close(ctx)))
	}
	err = errors.Join(err, h.closeArchive(ctx))
	if h.engine != nil { // which may write the store
		err = errors.Join(err, h.engine.Close())
	}
	if h.Store != nil {
		err = errors.Join(err, h.Store.Close())
	}
	return err
}

// tolerate tells the alarm of what a full disk kept from being written, and
// returns every other error. A checkpoint or a snapshot that is missing costs
// the next start time or safety, and no entry.
func (h *Host) tolerate(err error) error {
	if h.alarm == nil || !server.DiskFull(err) {
		return err
	}
	h.alarm(fmt.Errorf("the disk has no room: %w", err))
	return nil
}

// Unlimited lifts the rates and the bound of waiting for a program that runs the
// network of its own folder: it has no stranger to protect itself from.
var Unlimited = server.Limits{Wait: -1, Party: lifted, Address: lifted, Shared: lifted, Spawn: lifted}

var lifted = server.Rate{PerSecond: -1}

// A network begins between these times: not before its constitution, and not so
// late that every later clock would be behind its journal.
var (
	earliestBeginning = time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC)
	latestBeginning   = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
)

// ErrClock means that a network cannot begin at the time that the clock shows.
var ErrClock = errors.New("host: the clock is wrong")

// checkBeginning refuses to begin a network by a clock that cannot be right.
func checkBeginning(now time.Time) error {
	if now.Before(earliestBeginning) || !now.Before(latestBeginning) {
		return fmt.Errorf("%w: this machine's clock says %s, and a network begins between %s and %s. Nothing was written; set the clock right", ErrClock,
			now.UTC().Format("2006-01-02 15:04:05 UTC"), earliestBeginning.Format(time.DateOnly), latestBeginning.Format(time.DateOnly))
	}
	return nil
}

// ErrNoNetwork means that a folder holds no network.
var ErrNoNetwork = errors.New("host: no network")

// Present reports whether a folder holds the files of a network.
func Present(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "journal.db"))
	return err == nil
}

// removeUnfinished removes the files that a killed process did not finish. The
// caller holds the lock of the folder.
func removeUnfinished(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, private.Unfinished))
	for _, name := range names {
		if info, gone := os.Lstat(name); gone == nil && info.Mode().IsRegular() {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}
