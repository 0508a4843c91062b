package server

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server/web"
)

// route serves one operation of the catalogue.
type route struct {
	*catalog.Operation
	own   bool         // the handler reads the body and minds the time itself
	query *[]string    // parameters that the guard lets through; nil where huma or pages take them
	pages http.Handler // answers instead where HTML is preferred; nil for data alone

	register func(*mux, *route) // adds it; made by operation or plain
}

// page lets pages answer where HTML is preferred.
func (r route) page(pages http.Handler) route {
	r.pages = pages
	return r
}

// streaming leaves body and time to the handler.
func (r route) streaming() route {
	r.own = true
	return r
}

func (r *route) takesBody() bool { return r.Method == http.MethodPost || r.Method == http.MethodPut }

// mux is a standard mux whose routes all pass the guard. It is also the
// adapter through which huma registers operations.
type mux struct {
	*http.ServeMux
	s      *Server
	api    huma.API
	routes map[string]*route // by name
	direct http.HandlerFunc  // of executeContract; nil without that route
}

func newMux(s *Server) *mux {
	m := &mux{ServeMux: http.NewServeMux(), s: s, routes: map[string]*route{}}
	m.api = huma.NewAPI(s.document(), m)
	return m
}

// ServeHTTP serves executeContract without a search among all routes. The standard mux
// does so too, for instance where the address has escapes.
func (m *mux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	hot := catalog.ExecuteContract
	if m.direct == nil || r.Method != hot.Method || r.URL.Path != hot.Path || r.URL.RawPath != "" {
		m.ServeMux.ServeHTTP(w, r)
		return
	}
	r.Pattern = hotPattern
	m.direct(w, r)
}

var hotPattern = catalog.ExecuteContract.Route()

// add registers one route.
func (m *mux) add(r route) error {
	switch {
	case r.Scope == "":
		return fmt.Errorf("server: %s %s declares no scope; use catalog.Public if it needs none", r.Method, r.Path)
	case r.Summary == "" && !r.Hidden:
		return fmt.Errorf("server: %s %s has no summary", r.Method, r.Path)
	}
	m.routes[r.Name] = &r
	r.register(m, &r)
	return nil
}

// Handle implements huma.Adapter.
func (m *mux) Handle(op *huma.Operation, h func(huma.Context)) {
	known := queryOf(op)
	var data http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := checkQuery(known, r.URL); err != nil {
			m.s.refuse(w, r, err)
			return
		}
		h(humago.NewContext(op, r, w))
	})
	r := m.routes[op.OperationID]
	if r.pages != nil {
		data = negotiated(r.pages, data)
	}
	m.guarded(r, data)
}

func (m *mux) guarded(r *route, h http.Handler) {
	m.ServeMux.Handle(r.Method+" "+r.Path, m.s.guard(r, h))
}

// finish answers what no route matches: with 405 and the methods that there
// are, or 404.
func (m *mux) finish() {
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if allowed := m.allowed(r); len(allowed) > 0 {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			m.s.refuse(w, r, problem(405, code.MethodNotAllowed, "this address does not take that method", "use "+strings.Join(allowed, " or ")))
			return
		}
		if m.routes[catalog.ListAgents.Name] != nil && web.Preferred(r, web.JSON, web.JSON, web.HTML) == web.HTML { // not on the intent listener, which has no pages
			m.s.pages.NotFound().ServeHTTP(w, r)
			return
		}
		m.s.refuse(w, r, problem(404, code.RouteUnknown, "there is nothing at this address", "{getOpenAPI} lists the addresses"))
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
	none  struct{}
	reply struct{ Body any }
)

// get makes a route that asks for something.
func get[P, O any](op *catalog.Operation, ask func(context.Context, *request, *P) (O, error)) route {
	r := route{Operation: op}
	r.register = func(m *mux, r *route) { operation(m, r, nil, ask) }
	return r
}

// act makes a route that changes something with a body B.
func act[P, B, O any](op *catalog.Operation, do func(context.Context, *request, *P, B) (O, error)) route {
	r := route{Operation: op}
	r.register = func(m *mux, r *route) {
		operation(m, r, body[B](m), func(ctx context.Context, v *request, p *P) (O, error) {
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

// session is the network as a request's caller sees it; most routes are one of
// its methods.
type session = network.Session

// command makes a route of a method of Session that takes the body.
func command[B, O any](op *catalog.Operation, do func(*session, context.Context, B) (O, error)) route {
	return act(op, func(ctx context.Context, v *request, _ *none, b B) (O, error) { return do(v.as(), ctx, b) })
}

// read makes a route of a method of Session that takes nothing.
func read[O any](op *catalog.Operation, ask func(*session, context.Context) (O, error)) route {
	return get(op, func(ctx context.Context, v *request, _ *none) (O, error) { return ask(v.as(), ctx) })
}

// one makes a route of a method of Session that takes the id of the path.
func one[O any](op *catalog.Operation, ask func(*session, context.Context, uint64) (O, error)) route {
	return get(op, func(ctx context.Context, v *request, p *byID) (O, error) { return ask(v.as(), ctx, p.ID) })
}

// named makes a route of a method of Session that takes the slug of the path.
func named[O any](op *catalog.Operation, ask func(*session, context.Context, string) (O, error)) route {
	return get(op, func(ctx context.Context, v *request, p *bySlug) (O, error) { return ask(v.as(), ctx, p.Slug) })
}

// listed makes a route of a method of Session that takes a page of a list.
func listed[O any](op *catalog.Operation, ask func(*session, context.Context, netkit.Page) (O, error)) route {
	return get(op, func(ctx context.Context, v *request, p *Page) (O, error) { return ask(v.as(), ctx, p.page()) })
}

// operation registers a route with huma. What the handler refuses is written
// as a problem. The answer is any to huma, whose generic code would otherwise
// stand in the program once for each type of answer.
func operation[P, O any](m *mux, r *route, in *huma.RequestBody, handle func(context.Context, *request, *P) (O, error)) {
	op := r.operation()
	op.Responses["200"] = m.answers(reflect.TypeFor[O](), r.Name)
	huma.Register(m.api, op, func(ctx context.Context, p *P) (*reply, error) {
		v := requestOf(ctx)
		out, err := handle(ctx, v, p)
		if err != nil {
			return nil, m.s.failure(v.w, v.r, err)
		}
		return &reply{out}, nil
	})
	m.describe(r, in)
	m.forms(r, reflect.TypeFor[P]())
}

// answers describes a JSON answer of a type.
func (m *mux) answers(t reflect.Type, name string) *huma.Response {
	s := m.api.OpenAPI().Components.Schemas.Schema(t, true, name+"Response")
	return &huma.Response{Content: map[string]*huma.MediaType{"application/json": {Schema: s}}}
}

// plain makes a route of an ordinary handler; describe documents it.
func plain(op *catalog.Operation, h func(http.ResponseWriter, *http.Request, *request), describe func(*mux, *huma.Operation)) route {
	r := route{Operation: op}
	r.register = func(m *mux, r *route) {
		m.guarded(r, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { h(w, req, requestOf(req.Context())) }))
		if r.Name != "" { // pages take addresses with whatever others have added to them
			r.query = new([]string)
		}
		if r.Hidden {
			return
		}
		op := r.operation()
		describe(m, &op)
		*r.query = queryOf(&op)
		m.api.OpenAPI().AddOperation(&op)
		m.describe(r, op.RequestBody)
	}
	return r
}
