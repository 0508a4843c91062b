package server

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/server/audio"
	"github.com/agentnet/netctl/server/web"
)

// newPages makes the pages for people. What they change goes through the
// interface, like what anybody else does.
func (s *Server) newPages() (*web.Pages, error) {
	return web.New(web.Config{
		Network:    s.net,
		API:        http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.api.ServeHTTP(w, r) }),
		Document:   func() []byte { return s.openAPI() },
		Address:    s.address,
		Transcript: s.transcript,
		Log:        s.cfg.Log,
		Invited:    func() bool { return s.spawnMode() == SpawnInvite },
		Secure:     strings.HasPrefix(s.cfg.BaseURL, "https://"),
		Key:        s.cfg.SigningKey,
		Servers:    s.cfg.Servers,
		Now:        s.now,
	})
}

// pageRoutes are the pages. Forms are not JSON, so the pages read them.
func (s *Server) pageRoutes() []route {
	var all []route
	for _, r := range s.pages.Routes() {
		all = append(all, plain(&catalog.Operation{Method: r.Method, Path: r.Path, Scope: catalog.Public, Hidden: true},
			func(w http.ResponseWriter, req *http.Request, _ *request) { r.Handler.ServeHTTP(w, req) }, nil).streaming())
	}
	return all
}

// transcript returns the text of a stored transcript, for whoever may read
// the dispatch that names it.
func (s *Server) transcript(sha netkit.Hash) string {
	if s.audio == nil {
		return ""
	}
	f, _, err := s.audio.Open(sha.String())
	if err != nil {
		if !errors.Is(err, audio.ErrNotFound) {
			s.log.Error("transcript", "error", err.Error())
		}
		return ""
	}
	defer f.Close()
	var text bytes.Buffer
	if _, err := io.Copy(&text, io.LimitReader(f, audio.MaxTextBytes)); err != nil {
		s.log.Error("transcript", "error", err.Error())
	}
	return text.String()
}

// negotiated answers with a page where HTML or Markdown is preferred, else with data.
func negotiated(page, data http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if web.Preferred(r, web.JSON, web.Markdown, web.JSON, web.HTML) != web.JSON {
			page.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Accept")
		data.ServeHTTP(w, r)
	})
}
