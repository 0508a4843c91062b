package server

import (
	"context"
	"errors"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/server/audio"
)

// followFiles fetches the files of dispatches that other nodes wrote, and removes those
// of erased ones, until the context ends. It begins with all dispatches.
func (s *Server) followFiles(ctx context.Context) {
	if s.cfg.Node == nil || s.audio == nil || s.cfg.Role == RoleIntent { // which serves no files
		return
	}
	missing := s.findMissing(ctx)
	for {
		for sha := range missing {
			if s.fetchMissing(ctx, sha) {
				delete(missing, sha)
			}
		}
		named, erasure, err := s.waitFiles(ctx, len(missing) > 0)
		if err != nil {
			return
		}
		if erasure {
			missing = s.findMissing(ctx)
		}
		for _, sha := range named {
			if s.published(sha.String()) {
				missing[sha] = true
			}
		}
	}
}

// waitFiles waits for news about files, a while if some are to be asked for again.
func (s *Server) waitFiles(ctx context.Context, again bool) (named []netkit.Hash, erasure bool, err error) {
	wait := ctx
	if again {
		after := copyAgain
		if !s.hasPeers() {
			after = time.Second
		}
		var cancel context.CancelFunc
		wait, cancel = context.WithTimeout(ctx, after)
		defer cancel()
	}
	named, erasure, err = s.net.WaitFiles(wait)
	if ctx.Err() == nil {
		err = nil
	}
	return named, erasure, err
}

// hasPeers reports whether another node runs.
func (s *Server) hasPeers() bool { return len(s.peers()) > 0 }

// peers returns the other nodes that run and can be reached, the writer first.
func (s *Server) peers() (all []journal.Peer) {
	for _, p := range s.cfg.Node.Peers() {
		if p.Runs && p.Address != "" {
			all = append(all, p)
		}
	}
	return all
}

// findMissing removes the files of erased dispatches and returns those that this node
// lacks.
func (s *Server) findMissing(ctx context.Context) map[netkit.Hash]bool {
	missing, err := s.removeErasedRecordings(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.Error("sweep", "error", err.Error())
	}
	if missing == nil {
		missing = map[netkit.Hash]bool{}
	}
	return missing
}

// fetchMissing fetches a file unless it is here, and reports whether it is.
func (s *Server) fetchMissing(ctx context.Context, sha netkit.Hash) bool {
	f, _, _, err := s.openFile(ctx, sha)
	if err == nil {
		f.Close()
	}
	return err == nil || !errors.Is(err, audio.ErrNotFound)
}
