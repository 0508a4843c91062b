package server

import (
	"context"
	"net/http"
	"sync"

	"github.com/agentnet/netctl/netkit"
)

// networkRoutes are the network itself: health, law, documents.
func (s *Server) networkRoutes() []route {
	n := s.net
	return []route{
		get("/api/health", route{scope: public, tag: "network", summary: "How the network is", doc: "writing is false while nothing can be written, because of the journal or the clock; reads go on."},
			func(context.Context, *visit, *none) (netkit.Health, error) { return n.Health(), nil }),
		get("/api/agent/constitution", route{scope: public, tag: "network", summary: "The machine-readable constitution",
			doc: "The law as structured data, with version, date of issue and language. The network takes every number that it decides with from this very document."},
			func(ctx context.Context, _ *visit, _ *none) (netkit.ConstitutionView, error) {
				return n.CurrentConstitution(ctx)
			}),
		s.documentRoute(),
	}
}

// documentRoute serves the document that the routes themselves make up. It
// is encoded when it is first asked for, once all of them are in.
func (s *Server) documentRoute() route {
	r := route{method: "GET", path: "/openapi.json", scope: public, hidden: true}
	r.register = func(m *mux, r *route) {
		document := sync.OnceValue(m.openAPI)
		s.openAPI = document
		m.guarded(r, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { serveDocument(w, document()) }))
	}
	return r
}
