package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// space is the room that a folder's disk has, and the floor below which nothing is
// written.
type space struct {
	dir   string
	floor uint64 // bytes; 0 is none
	free  func(dir string) (uint64, error)
}

func (cfg *Config) space() *space { return &space{cfg.Dir, cfg.SpaceFloor, cfg.FreeSpace} }

// check returns a [journal.ErrLowSpace] where less than the floor is free. A disk
// whose room is not known has enough.
func (s *space) check() error {
	if s.floor == 0 || s.free == nil {
		return nil
	}
	free, err := s.free(s.dir)
	if err != nil || free >= s.floor {
		return nil
	}
	return fmt.Errorf("%w: %s has %d MiB free, and %d are kept free (serve.space-floor); make room, then writing begins again", journal.ErrLowSpace, s.dir, free>>20, s.floor>>20)
}

// spacedStore is the journal of a folder that stops writing at a floor of free space,
// so that the disk never is full in the middle of a write.
type spacedStore struct {
	*sqlite.Store
	to      journal.Store // appends go there: the folder, or the engine and then the folder
	space   *space
	stopped atomic.Bool // the latest append found too little room
	open    atomic.Bool // the outcome of the latest append is unknown
}

// Append implements journal.Store. A batch without content is how the clerk asks
// whether it can write again. The repeat of a batch whose outcome is unknown needs no
// room: the journal may hold it already.
func (s *spacedStore) Append(ctx context.Context, at journal.Head, b journal.Batch) (journal.Head, error) {
	if (!b.Empty() || s.stopped.Load()) && !s.open.Load() {
		err := s.space.check()
		s.stopped.Store(err != nil)
		if err != nil {
			return journal.Head{}, err
		}
	}
	next, err := s.to.Append(ctx, at, b)
	s.open.Store(errors.Is(err, journal.ErrDoubtful))
	return next, err
}

// WriteSnapshot implements journal.Store.
func (s *spacedStore) WriteSnapshot(ctx context.Context, size uint64, write func(io.Writer) error) error {
	if err := s.space.check(); err != nil {
		return err
	}
	return s.Store.WriteSnapshot(ctx, size, write)
}
