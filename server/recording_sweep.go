package server

import (
	"context"
	"fmt"
	"maps"
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
// transcripts that only erased dispatches name, and returns those that a dispatch
// names and the store lacks. The node that erases removes them itself; this runs
// at the start, in case that the process before ended in between, and on a node
// that reads of an erasure.
func (s *Server) removeErasedRecordings(ctx context.Context) (missing map[netkit.Hash]bool, err error) {
	if s.audio == nil {
		return nil, nil
	}
	names, err := s.audio.Names(ctx)
	if err != nil {
		return nil, err
	}
	all, err := s.net.NamedFiles(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		var h netkit.Hash
		if err := h.UnmarshalText([]byte(name)); err != nil {
			return nil, err
		}
		standing, named := all[h]
		delete(all, h)
		if standing || !named {
			continue
		}
		if err := s.audio.Remove(name, s.published); err != nil {
			return nil, err
		}
	}
	maps.DeleteFunc(all, func(_ netkit.Hash, standing bool) bool { return !standing })
	return all, nil
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
