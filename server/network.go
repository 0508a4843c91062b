package server

import (
	"context"
	"net/http"
	"sync"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// networkRoutes are the network itself: health, law, documents.
func (s *Server) networkRoutes() []route {
	return []route{
		get(catalog.GetHealth, func(context.Context, *request, *none) (netkit.Health, error) { return s.net.Health(), nil }),
		read(catalog.GetConstitution, (*session).Constitution),
		s.documentRoute(),
	}
}

// documentRoute serves the document that the routes themselves make up. It
// is encoded when it is first asked for, once all of them are in.
func (s *Server) documentRoute() route {
	r := route{Operation: catalog.GetOpenAPI}
	r.register = func(m *mux, r *route) {
		document := sync.OnceValue(m.openAPI)
		s.openAPI, r.query = document, new([]string)
		m.guarded(r, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { serveDocument(w, document()) }))
	}
	return r
}
