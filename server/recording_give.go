package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/server/audio"
)

// giveTime bounds the wait for one node that is to keep an upload.
const giveTime = 10 * time.Second

// giveCopy has one other node that runs keep an upload, before the upload is acknowledged,
// so that the loss of one disk takes no recording of a dispatch. The nodes are asked one
// after the other. Where none of them does, the upload counts all the same, and the log
// names it.
func (s *Server) giveCopy(ctx context.Context, sha netkit.Hash, by string) {
	if s.cfg.Node == nil {
		return
	}
	var failed error
	for _, p := range s.peers() {
		err := s.askToKeep(ctx, &p, sha, by)
		if err == nil || ctx.Err() != nil {
			return
		}
		failed = errors.Join(failed, fmt.Errorf("the node %s: %w", p.Node, err))
	}
	if failed != nil {
		s.log.Warn("recording", "sha256", sha.String(), "kept", "by this node only, until another one reads of its dispatch", "error", failed.Error())
	}
}

// askToKeep has one node fetch an upload.
func (s *Server) askToKeep(ctx context.Context, p *journal.Peer, sha netkit.Hash, by string) error {
	ctx, cancel := context.WithTimeout(ctx, giveTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.Address+nodeRecordingPath+sha.String()+"?by="+url.QueryEscape(by), nil)
	if err != nil {
		return err
	}
	s.signHop(r, hop{})
	resp, err := s.nodes.RoundTrip(r)
	if err != nil {
		return err
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusNoContent {
		return fmt.Errorf("server: it answers %s", resp.Status)
	}
	return nil
}

// keepCopy fetches an upload from another node and keeps it.
func (s *Server) keepCopy(w http.ResponseWriter, r *http.Request) {
	if hopOf(r.Context()) == nil {
		s.refuse(w, r, hopRefused)
		return
	}
	var sha netkit.Hash
	by := r.URL.Query().Get("by")
	if s.audio == nil || by == "" || sha.UnmarshalText([]byte(r.PathValue("sha"))) != nil {
		s.refuse(w, r, fileUnknown)
		return
	}
	extendDeadlines(w, time.Now().Add(giveTime))
	_, have, err := s.audio.Uploaded(sha.String(), by)
	if err == nil && !have {
		err = s.fetchCopy(r.Context(), sha, by)
	}
	if errors.Is(err, audio.ErrNotFound) {
		err = fileUnknown
	}
	if err != nil {
		s.refuse(w, r, s.alarm(err))
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
