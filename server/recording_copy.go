package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/server/audio"
)

// nodeRecordingPath is where a node gives other nodes its recordings and transcripts, by
// their SHA-256. With the parameter by, a file is there only if that party uploaded it.
const nodeRecordingPath = "/node/recording/"

// headerUploaded holds when the party of the parameter by uploaded a file last, in
// milliseconds.
const headerUploaded = "Netctl-Uploaded"

const (
	copyAnswer = 2 * time.Second  // a node answers within this time, or the next one is asked
	copyTime   = 30 * time.Second // a node sends a file within this time
	copyAgain  = 10 * time.Second // between two rounds for the files that no node had
	maxCopying = 4                // files that are fetched at the same time
)

// sendCopy sends a file to another node.
func (s *Server) sendCopy(w http.ResponseWriter, r *http.Request) {
	if hopOf(r.Context()) == nil {
		s.refuse(w, r, hopRefused)
		return
	}
	sha := r.PathValue("sha")
	if by := r.URL.Query().Get("by"); by != "" && s.audio != nil {
		at, ok, err := s.audio.Uploaded(sha, by)
		if err != nil || !ok {
			s.refuse(w, r, errors.Join(err, fileUnknown))
			return
		}
		w.Header().Set(headerUploaded, strconv.FormatInt(at.UnixMilli(), 10))
	}
	var f io.ReadSeekCloser
	err := error(fileUnknown)
	if s.audio != nil {
		f, _, err = s.audio.Open(sha)
	}
	if errors.Is(err, audio.ErrNotFound) {
		err = fileUnknown
	}
	if err != nil {
		s.refuse(w, r, s.alarm(err))
		return
	}
	defer f.Close()
	extendDeadlines(w, time.Now().Add(copyTime))
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "", time.Time{}, f)
}

// openFile opens a stored file. One that is missing or altered is fetched from another
// node, if one has it.
func (s *Server) openFile(ctx context.Context, sha netkit.Hash) (f *os.File, b audio.Blob, fetched bool, err error) {
	f, b, err = s.audio.Open(sha.String())
	if err == nil || !errors.Is(err, audio.ErrNotFound) && !errors.Is(err, audio.ErrAltered) {
		return f, b, false, err
	}
	if s.fetchCopy(ctx, sha, "") != nil {
		return nil, b, false, err
	}
	if errors.Is(err, audio.ErrAltered) {
		s.log.Error("recording damaged", "error", err.Error(), "advice", "it was replaced by the one of another node; check this disk")
	}
	f, b, err = s.audio.Open(sha.String())
	return f, b, true, err
}

// fetchCopy gets a file that this node lacks, or has altered, from another node, and
// keeps it. The nodes are asked one after the other. With a party it has to be one that
// this party uploaded. The error is audio.ErrNotFound where no node has it.
func (s *Server) fetchCopy(ctx context.Context, sha netkit.Hash, by string) error {
	err := error(audio.ErrNotFound)
	if s.cfg.Node == nil || s.audio == nil {
		return err
	}
	select {
	case s.copying <- struct{}{}:
		defer func() { <-s.copying }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for _, p := range s.peers() {
		if err = s.fetchFrom(ctx, &p, sha, by); err == nil || ctx.Err() != nil {
			return err
		}
		if !errors.Is(err, audio.ErrNotFound) {
			s.log.Warn("recording", "node", p.Node, "sha256", sha.String(), "error", err.Error())
		}
	}
	return err
}

// fetchFrom gets a file from one node.
func (s *Server) fetchFrom(ctx context.Context, p *journal.Peer, sha netkit.Hash, by string) error {
	ctx, cancel := context.WithTimeout(ctx, copyTime)
	defer cancel()
	at := p.Address + nodeRecordingPath + sha.String()
	if by != "" {
		at += "?by=" + url.QueryEscape(by)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	s.signHop(r, hop{})
	late := time.AfterFunc(copyAnswer, cancel)
	resp, err := s.nodes.RoundTrip(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	late.Stop()
	switch {
	case resp.StatusCode == http.StatusNotFound:
		return audio.ErrNotFound
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("server: the node %s answers %s", p.Node, resp.Status)
	}
	ms, err := strconv.ParseInt(resp.Header.Get(headerUploaded), 10, 64)
	if by != "" && err != nil {
		return fmt.Errorf("server: the node %s does not say when %s uploaded the file", p.Node, by)
	}
	return s.audio.Copy(ctx, sha.String(), by, time.UnixMilli(ms), resp.Body)
}
