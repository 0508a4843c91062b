package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/network"
)

// request is what is known of a request that passed the guard.
type request struct {
	w http.ResponseWriter
	r *http.Request
	// caller is who acts; its slug is "" where the token, if any, does not
	// count for this route.
	caller    netkit.Caller
	net       *network.Network
	key       string            // idempotency key, "" without one
	principal *netkit.Principal // of the token, nil without one
	body      []byte
	buf       []byte // room for the body, if there is some
	effort    network.Effort
	write     bool // the node that writes answers it
}

// as is the network as the caller sees it.
func (v *request) as() *session { return v.net.For(v.caller) }

// context is that of the request with its own idempotency key, and never with
// that of a request around it.
func (v *request) context() context.Context {
	ctx := v.r.Context()
	if netkit.KeyOf(ctx) == v.key {
		return ctx
	}
	return netkit.WithKey(ctx, v.key)
}

// read decodes the body. A command that has no fields takes no body or {}.
func (v *request) read(b any) error {
	if _, empty := b.(*none); empty && len(v.body) == 0 {
		return nil
	}
	return decode(v.body, b)
}

// guard lets through whoever may ask, with the body read and checked.
func (s *Server) guard(rt *route, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.forwards(rt, r) {
			s.forward(rt, w, r)
			return
		}
		size, err := takeMinSeq(r)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		v := &request{w: w, r: r, net: s.net, write: rt.writes(r)}
		end, err := s.enter(rt, v)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		defer end()
		if r, err = s.position(w, r, size); err != nil {
			s.refuse(w, r, err)
			return
		}
		v.r = r
		next.ServeHTTP(w, r.WithContext(context.WithValue(network.WithEffort(v.context(), &v.effort), requestKey{}, v)))
		s.chargeReading(v)
	})
}

// enter admits a request, and a command only while the server is not overloaded:
// reads go on. A command counts as under way once its body was read, since a slow
// client is no overload.
func (s *Server) enter(rt *route, v *request) (end func(), err error) {
	if rt.own || !rt.Changes() || localPrincipal(v.r.Context()) != nil {
		return func() {}, s.admit(rt, v)
	}
	if err := s.load().check(); err != nil {
		return nil, err
	}
	if err := s.admit(rt, v); err != nil {
		return nil, err
	}
	if rt.Bulk { // whose parts count one by one
		return func() {}, nil
	}
	return s.load().begin(), nil
}

// admit goes through what every request must pass, the cheapest first: who
// asks and how often before a byte of the body is read, its size before its
// content, and the search for keys (L7) before anything could keep or log it.
func (s *Server) admit(rt *route, v *request) error {
	if err := s.identify(rt, v); err != nil {
		return err
	}
	if rt.query != nil {
		if err := checkQuery(*rt.query, v.r.URL); err != nil {
			return err
		}
	}
	if rt.Spends && !rt.takesBody() {
		return s.keyed(v, []byte(v.r.URL.RawQuery))
	}
	if !rt.takesBody() && rt.Method != http.MethodDelete {
		return nil
	}
	if rt.own {
		return s.keyed(v, nil)
	}
	if rt.Bulk {
		return readBulk(v)
	}
	body, err := readBody(v.r, s.limits().Body, v.buf)
	if err != nil {
		return err
	}
	if v.body = body; len(body) > 0 {
		if err := mediaType(v.r.Header.Get("Content-Type")); err != nil {
			return err
		}
		if r := checkKeys(body); r != nil {
			return r
		}
	}
	return s.keyed(v, body)
}

// checkQuery refuses a parameter that an address does not know, or that is repeated:
// a list has commas.
func checkQuery(known []string, at *url.URL) error {
	if at.RawQuery == "" {
		return nil
	}
	all, err := url.ParseQuery(at.RawQuery)
	if err != nil {
		return wrong("query", code.ValueWrong, "cannot be read", "join parameters by & and write % as %25 and ; as %3B")
	}
	for name, values := range all {
		switch {
		case !slices.Contains(known, name):
			return unknownParameter(name, known)
		case len(values) > 1:
			return wrong("query."+name, code.ParameterRepeated, "was sent more than once", "send it once")
		}
	}
	return nil
}

// identify settles who asks and whether the token covers the route.
func (s *Server) identify(rt *route, v *request) error {
	if p := localPrincipal(v.r.Context()); p != nil {
		v.note(p)
		return v.cover(rt)
	}
	token, err := bearer(v.r)
	if err != nil {
		return err
	}
	if token == "" {
		if err := s.ratesOf(v.write).address.allow(v.w.Header(), address(v.r)); err != nil {
			return err
		}
		if rt.Scope != catalog.Public {
			return unauthenticated(code.TokenMissing, "this needs a bearer token")
		}
		return nil
	}
	p, err := s.net.Authenticate(token)
	if err != nil {
		return errors.Join(s.ratesOf(v.write).address.allow(v.w.Header(), address(v.r)), err)
	}
	v.note(p)
	v.caller.Source = source(v.r)
	if err := s.ratesOf(v.write).allowParty(v.w.Header(), p.Slug, v.caller.Source); err != nil {
		return err
	}
	return v.cover(rt)
}

// note keeps who acts, for the log too.
func (v *request) note(p *netkit.Principal) {
	v.principal = p
	if rec, ok := v.w.(*recorder); ok {
		rec.who = p.Slug
	}
}

// cover checks the token's scopes against the route's.
func (v *request) cover(rt *route) error {
	scope := rt.Scope
	if scope == catalog.Public {
		if scope = rt.As; scope == "" || !v.principal.Allows(scope) {
			return nil
		}
	}
	switch {
	case v.principal.Allows(scope):
	case scope == netkit.ScopeAdmin && v.principal.Kind != netkit.OperatorParty:
		return &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.OperatorsOnly, What: "only an operator may do this", Next: "ask an operator of this network"}
	default:
		return scopeMissing(scope)
	}
	v.caller.Slug, v.caller.Token = v.principal.Slug, v.principal.Token
	return nil
}

func scopeMissing(scope netkit.Scope) error {
	return &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.ScopeMissing, What: "the token does not cover scope " + string(scope),
		Next: "use a token with that scope; {issueToken} issues them"}
}

func unauthenticated(code, what string) error {
	return &netkit.Refusal{Kind: netkit.ErrUnauthenticated, Code: code, What: what, Next: "{withToken}"}
}

// bearer returns the token of a request, "" without one.
func bearer(r *http.Request) (string, error) {
	given := r.Header["Authorization"]
	if len(given) == 0 {
		return "", nil
	}
	if len(given) > 1 {
		return "", unauthenticated(code.AuthorizationMalformed, "there is more than one Authorization header")
	}
	scheme, token, _ := strings.Cut(given[0], " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", unauthenticated(code.AuthorizationMalformed, "the Authorization header is not a bearer token")
	}
	return token, nil
}
