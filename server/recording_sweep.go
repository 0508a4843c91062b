package server

import (
	"context"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// unpublishedFor is how long a recording stays that no dispatch names.
const unpublishedFor = 24 * time.Hour

// sweepRecordings removes recordings and transcripts that no dispatch has named
// for a day, and uploads that broke off, by their age on disk. It returns how
// many files went.
func (s *Server) sweepRecordings(ctx context.Context) (int, error) {
	if s.audio == nil {
		return 0, nil
	}
	all, err := s.net.NamedFiles(ctx)
	if err != nil {
		return 0, err
	}
	// What is published meanwhile is in the memory of the network.
	keep := func(sha string) bool {
		var h netkit.Hash
		return h.UnmarshalText([]byte(sha)) == nil && all[h] || s.published(sha)
	}
	return s.audio.Sweep(ctx, keep, unpublishedFor)
}

// removeErasedRecordings removes, whatever their age, the recordings and
// transcripts that only erased dispatches name. An erasure does so itself; this
// runs at the start, in case that the process before ended in between.
func (s *Server) removeErasedRecordings(ctx context.Context) error {
	if s.audio == nil {
		return nil
	}
	names, err := s.audio.Names(ctx)
	if err != nil {
		return err
	}
	all, err := s.net.NamedFiles(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		var h netkit.Hash
		if err := h.UnmarshalText([]byte(name)); err != nil {
			return err
		}
		if standing, named := all[h]; standing || !named {
			continue
		}
		if err := s.audio.Remove(name, s.published); err != nil {
			return err
		}
	}
	return nil
}

// erase erases the private part of an entry, and the files of a dispatch.
func (s *Server) erase(as *session, ctx context.Context, in netkit.ErasePrivate) (netkit.ErasureReceipt, error) {
	receipt, err := as.ErasePrivate(ctx, in)
	if err != nil || s.audio == nil {
		return receipt, err
	}
	files, err := s.net.ErasedFiles(ctx, in.Entry)
	for _, file := range files {
		if err == nil {
			err = s.audio.Remove(file.String(), s.published)
		}
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", recordingKept, err)
	}
	return receipt, err
}

var recordingKept = &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.RecordingKept,
	What: "the private part is erased in the journal; the recording of the dispatch could not be removed", Next: "repeat the request"}
