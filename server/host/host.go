// Package host runs the network of a folder in this process: journal, rules,
// recordings and the HTTP handler. Open is the first step of a program that
// embeds a network; New takes settings.
package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/audio"
)

// Host is a network that this process runs.
type Host struct {
	Store   *sqlite.Store
	Network *network.Network
	Log     *proof.Log
	Audio   *audio.Store
	Server  *server.Server
	Node    *replica.Node   // that follows the engine and writes, nil without an engine
	Fresh   *netkit.Genesis // of the network that this start began, nil where there was one

	dir        string
	keeper     *keeper
	archived   *archivedStore // nil without an archive
	signingKey []byte
	replica    *replica.Store // the journal of a node of several, nil otherwise
	engine     journal.Engine // of that
	endNode    func()         // nil before the node runs
	endUpkeep  func()         // nil where Open was not used
	alarm      func(error)    // nil drops errors
}

// New opens the network of a folder, or begins one if Genesis is given. The
// caller closes it, and has Server.Serve or Server.Upkeep do its upkeep. The error
// is [ErrNoNetwork] where the folder holds none and cfg begins none.
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
	if err = cfg.openJournal(ctx, h); err != nil {
		return h, err
	}
	if err = cfg.openNetwork(ctx, h); err != nil {
		return h, err
	}
	if err = cfg.openServer(h); err != nil {
		return h, err
	}
	if cfg.Replica != nil {
		h.startNode(ctx, cfg.Replica)
	}
	return h, nil
}

// openServer opens the recordings of the folder, and the handler of the network.
func (cfg *Config) openServer(h *Host) (err error) {
	if h.Audio, err = audio.New(audio.Config{Dir: filepath.Join(cfg.Dir, "audio"), Now: cfg.Now, Room: cfg.space().check}); err != nil {
		return err
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
	h.Server, err = server.New(sc)
	return err
}

// engineTime is how long Close waits for a write to an engine that does not answer.
const engineTime = 10 * time.Second

// Close ends the parts that New or Open began: streams, then the clerk with its snapshot,
// then the checkpoints with the last one, then the journal.
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
	if h.engine != nil {
		late := time.AfterFunc(engineTime, func() { _ = h.engine.Close() })
		defer late.Stop()
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

// tolerate gives the errors of a full disk to the alarm, and returns every other
// error. A checkpoint or a snapshot that is missing costs the next start time or
// safety, and no entry.
func (h *Host) tolerate(err error) error {
	if h.alarm == nil || !server.DiskFull(err) {
		return err
	}
	h.alarm(fmt.Errorf("the disk has no room: %w", err))
	return nil
}
