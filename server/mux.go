package server

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/agentnet/netctl/netkit"
)

// public is the scope of routes that need no token. A token that is sent all
// the same must be a good one.
const public netkit.Scope = "-"

// route declares one operation: what it is for people, what it needs, and how
// it is added to a mux.
type route struct {
	method, path string
	// scope is what a token must cover; a route without one is refused, so
	// that nothing is open by oversight. Scope admin also needs an operator.
	scope netkit.Scope
	// as is the scope by which a token counts on a public route; without it
	// the caller is anonymous there, whoever holds the token.
	as      netkit.Scope
	tag     string
	summary string
	doc     string
	errors  []int        // statuses besides those that follow from the rest
	limit   int64        // bytes of the body; 0 means Limits.Body
	stream  bool         // the handler reads the body and minds the time itself
	hidden  bool         // in no document
	page    http.Handler // answers instead where HTML is preferred; nil for data alone

	register func(*mux, *route) // adds it; made by operation or plain
}

func (r *route) takesBody() bool { return r.method == http.MethodPost || r.method == http.MethodPut }

// id names the operation in the document: the method and the path's words.
func (r *route) id() string {
	words := strings.FieldsFunc(r.path, func(c rune) bool { return strings.ContainsRune("/{}._", c) })
	return strings.ToLower(r.method) + "-" + strings.Join(words, "-")
}

// mux is a standard mux whose routes all pass the guard. It is also the
// adapter through which huma registers operations.
type mux struct {
	*http.ServeMux
	s      *Server
	api    huma.API
	routes map[string]*route // by id
}

func newMux(s *Server) *mux {
	m := &mux{ServeMux: http.NewServeMux(), s: s, routes: map[string]*route{}}
	m.api = huma.NewAPI(s.document(), m)
	return m
}

// add registers one route.
func (m *mux) add(r route) error {
	switch {
	case r.scope == "":
		return fmt.Errorf("server: %s %s declares no scope; use public if it needs none", r.method, r.path)
	case r.summary == "" && !r.hidden:
		return fmt.Errorf("server: %s %s has no summary", r.method, r.path)
	}
	m.routes[r.id()] = &r
	r.register(m, &r)
	return nil
}

// Handle implements huma.Adapter.
func (m *mux) Handle(op *huma.Operation, h func(huma.Context)) {
	var data http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h(humago.NewContext(op, r, w)) })
	r := m.routes[op.OperationID]
	if r.page != nil {
		data = negotiated(r.page, data)
	}
	m.guarded(r, data)
}

func (m *mux) guarded(r *route, h http.Handler) {
	m.ServeMux.Handle(r.method+" "+r.path, m.s.guard(r, h))
}

// finish answers what no route matches: with 405 and the methods that there
// are, or 404.
func (m *mux) finish() {
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if allowed := m.allowed(r); len(allowed) > 0 {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			m.s.refuse(w, r, problem(405, "method_not_allowed", "this address does not take that method", "use "+strings.Join(allowed, " or ")))
			return
		}
		if m.routes["get-directory"] != nil && prefersHTML(r) { // not on the intent listener, which has no pages
			m.s.pages.NotFound().ServeHTTP(w, r)
			return
		}
		m.s.refuse(w, r, problem(404, "route_unknown", "there is nothing at this address", "{getOpenAPI} lists the addresses"))
	})
}

var methods = []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"}

// allowed lists the methods under which the path of r has a route.
func (m *mux) allowed(r *http.Request) (found []string) {
	probe := *r
	for _, method := range methods {
		probe.Method = method
		if _, pattern := m.Handler(&probe); pattern != "/" && pattern != "" {
			found = append(found, method)
		}
	}
	return found
}

// operation is a route whose parameters huma reads into P and whose answer O
// it writes. The body, where there is one, is B.
type (
	none         struct{}
	reply[O any] struct{ Body O }
)

// get makes a route that asks for something.
func get[P, O any](path string, r route, ask func(context.Context, *visit, *P) (O, error)) route {
	r.method, r.path = http.MethodGet, path
	r.register = func(m *mux, r *route) { operation(m, r, nil, ask) }
	return r
}

// act makes a route that changes something with a body B.
func act[P, B, O any](method, path string, r route, do func(context.Context, *visit, *P, B) (O, error)) route {
	r.method, r.path = method, path
	r.register = func(m *mux, r *route) {
		operation(m, r, body[B](m), func(ctx context.Context, v *visit, p *P) (O, error) {
			var b B
			if err := v.read(&b); err != nil {
				var zero O
				return zero, err
			}
			return do(ctx, v, p, b)
		})
	}
	return r
}

// command makes a route of a method of Network that needs nothing besides the
// caller and the body.
func command[B, O any](method, path string, r route, do func(context.Context, netkit.Caller, B) (O, error)) route {
	return act(method, path, r, func(ctx context.Context, v *visit, _ *none, b B) (O, error) { return do(ctx, v.caller, b) })
}

// operation registers a route with huma. What the handler refuses is written
// as a problem.
func operation[P, O any](m *mux, r *route, in *huma.RequestBody, handle func(context.Context, *visit, *P) (O, error)) {
	op := r.operation()
	huma.Register(m.api, op, func(ctx context.Context, p *P) (*reply[O], error) {
		v := visitOf(ctx)
		out, err := handle(ctx, v, p)
		if err != nil {
			return nil, m.s.failure(v.w, v.r, err)
		}
		return &reply[O]{out}, nil
	})
	m.describe(r, in)
}

// plain makes a route of an ordinary handler; describe documents it.
func plain(method, path string, r route, h func(http.ResponseWriter, *http.Request, *visit), describe func(*mux, *huma.Operation)) route {
	r.method, r.path = method, path
	r.register = func(m *mux, r *route) {
		m.guarded(r, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { h(w, req, visitOf(req.Context())) }))
		if r.hidden {
			return
		}
		op := r.operation()
		describe(m, &op)
		m.api.OpenAPI().AddOperation(&op)
		m.describe(r, op.RequestBody)
	}
	return r
}
