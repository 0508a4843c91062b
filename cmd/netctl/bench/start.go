package bench

import (
	"context"
	"errors"
	"io"
	"runtime"
	"time"

	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/network"
)

// Start is how long a start took.
type Start struct {
	Took time.Duration `json:"took_ns"`
	CPU  time.Duration `json:"cpu_ns" doc:"processor time; 0 where it is not known"`
}

// measureStarts ends the network of the stage and measures starts on its journal, and an audit
// of that.
func (s *stage) measureStarts(ctx context.Context, cfg *Config, r *Report) (err error) {
	cfg.Say("starts, and an audit")
	if err := s.end(ctx); err != nil {
		return err
	}
	if r.Start, r.Replay, err = s.measureRestarts(ctx); err != nil {
		return err
	}
	r.Entries = s.net.Health().Entries
	if err := s.end(ctx); err != nil {
		return err
	}
	r.Audit, err = timeStart(func() error { return auditFolder(ctx, s.folder()) })
	return err
}

// measureRestarts starts the network of a stage that ended, without its snapshot and with it,
// and leaves it started.
func (s *stage) measureRestarts(ctx context.Context) (with, without Start, err error) {
	runtime.GC()
	if without, err = timeStart(func() error { return replayFolder(ctx, s.folder()) }); err != nil {
		return with, without, err
	}
	runtime.GC()
	with, err = timeStart(func() error { return s.open(ctx, nil) })
	return with, without, err
}

// replayFolder starts the network of a folder from all of its entries, and closes it.
func replayFolder(ctx context.Context, dir string) error {
	return withJournal(ctx, dir, func(store *sqlite.Store) error {
		n, err := network.New(ctx, network.Config{Store: withoutSnapshots{store}, IgnoreSnapshot: true})
		if err != nil {
			return err
		}
		return n.Close(ctx)
	})
}

// auditFolder audits the journal of a folder.
func auditFolder(ctx context.Context, dir string) error {
	return withJournal(ctx, dir, func(store *sqlite.Store) error {
		_, err := network.Audit(ctx, store)
		return err
	})
}

// withJournal calls do with the journal of a folder, which it opens for reading.
func withJournal(ctx context.Context, dir string, do func(*sqlite.Store) error) error {
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}

// withoutSnapshots is a store that keeps the snapshots that are there.
type withoutSnapshots struct{ *sqlite.Store }

// WriteSnapshot implements journal.Store.
func (withoutSnapshots) WriteSnapshot(context.Context, uint64, func(io.Writer) error) error {
	return nil
}

// timeStart measures a start.
func timeStart(start func() error) (s Start, err error) {
	begin, before := time.Now(), usedNow()
	err = start()
	return Start{time.Since(begin), usedNow().cpu - before.cpu}, err
}
