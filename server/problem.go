package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
)

// refusal of HTTP itself, for which netkit has no kind.
type httpError struct{ netkit.Problem }

func (e *httpError) Error() string { return "server: " + e.Detail }

func problem(status int, code, detail, next string) error {
	return &httpError{netkit.NewProblem(status, code, detail, next)}
}

var crossOrigin = problem(403, code.CrossOrigin, "a browser page of another origin may not send this", "send it from the network's own pages or from a program")

func tooLarge(limit int64) error {
	return problem(413, code.BodyTooLarge, "the body has more than "+strconv.FormatInt(limit, 10)+" bytes", "send less")
}

// problemOf says what a caller is told of an error.
func problemOf(err error) netkit.Problem {
	var own *httpError
	if errors.As(err, &own) {
		return catalog.Render(own.Problem, catalog.HTTP)
	}
	var r *netkit.Refusal
	if !errors.As(err, &r) && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return withdrawn.Problem
	}
	if r == nil && DiskFull(err) {
		err = noRoom
	}
	return catalog.Render(netkit.ProblemOf(err), catalog.HTTP)
}

// withdrawn is for a caller that went away. It will hardly read this, but the
// log should not take it for a fault inside.
var withdrawn = &httpError{netkit.NewProblem(503, code.Withdrawn, "the request was given up before it was answered", "send it again with the same idempotency key")}

// announce puts into the headers what a problem has to say there, notes the
// cause for the log, and completes the problem.
func (s *Server) announce(w http.ResponseWriter, r *http.Request, err error) netkit.Problem {
	p := problemOf(err)
	h := w.Header()
	switch {
	case p.Status == 401 && p.Code == code.TokenMissing:
		h.Set("WWW-Authenticate", `Bearer realm="network"`)
	case p.Status == 401:
		h.Set("WWW-Authenticate", `Bearer realm="network", error="invalid_token"`)
	case p.Code == code.ScopeMissing:
		h.Set("WWW-Authenticate", `Bearer realm="network", error="insufficient_scope"`)
	}
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	h.Set("Cache-Control", "no-store")
	noteProblem(w, &p, err)
	return p
}

// noteProblem completes a problem by the request's id and notes its cause for the
// log.
func noteProblem(w http.ResponseWriter, p *netkit.Problem, err error) {
	if rec, ok := w.(*recorder); ok {
		p.Request = rec.id
		if p.Status >= 500 {
			rec.err = err
		}
	}
}

// refuse answers a request with a problem, in the form of the interface that
// was asked.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p := s.announce(w, r, err)
	if r.URL.Path == catalog.CreatePlant.Path {
		writeJSON(w, plantStatus(p.Status), "application/json", plantErrorOf(p))
		return
	}
	writeJSON(w, p.Status, problemType, p)
}

const problemType = "application/problem+json"

// writeJSON writes an answer. Its types always marshal, and a connection that
// is gone has nobody to be told.
func writeJSON(w http.ResponseWriter, status int, kind string, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("server: an answer always marshals: " + err.Error())
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(b)+1))
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n'))
}

// failed is a problem on its way through huma.
type failed struct{ netkit.Problem }

func (f *failed) Error() string             { return f.Detail }
func (f *failed) GetStatus() int            { return f.Status }
func (f *failed) ContentType(string) string { return problemType }

func (s *Server) failure(w http.ResponseWriter, r *http.Request, err error) error {
	return &failed{s.announce(w, r, err)}
}

// translate turns the errors that huma makes of parameters into problems. Its
// own echo what was sent.
func (s *Server) translate(ctx huma.Context, status string, v any) (any, error) {
	m, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	request := requestOf(ctx.Context())
	r := wrong("", code.ParameterWrong, "a parameter is wrong", "{getOpenAPI} says what it may be")
	if len(m.Errors) > 0 {
		r.Field, r.What = m.Errors[0].Location, plainly(strings.TrimPrefix(m.Errors[0].Message, "invalid value: "))
	}
	p := s.announce(request.w, request.r, r)
	if p.Status = m.Status; m.Status >= 500 {
		p = s.announce(request.w, request.r, m)
	}
	return p, nil
}

// sentences are those of huma by their beginnings, and ours in their place; the
// values that follow stay.
var sentences = [][2]string{
	{"expected string to be RFC 3339 date", "must be a date such as 2026-02-20"},
	{"expected value to be one of ", "must be one of "},
	{"expected number >= ", "must be at least "},
	{"expected number <= ", "must be at most "},
	{"expected length >= ", "has too few characters: at least "},
	{"expected length <= ", "has too many characters: at most "},
	{"expected string to match pattern ", "must match "},
	{"expected string to be ", "must be "},
	{"invalid integer", "must be a whole number"},
	{"invalid boolean", "must be true or false"},
}

// plainly says in our words what huma says of a parameter.
func plainly(what string) string {
	for _, s := range sentences {
		if rest, ok := strings.CutPrefix(what, s[0]); ok {
			if n, err := strconv.ParseFloat(rest, 64); err == nil {
				rest = strconv.FormatFloat(n, 'f', -1, 64) // 1000000, not 1e+06
			}
			return s[1] + strings.ReplaceAll(rest, `"`, "")
		}
	}
	return what
}

// queryOf lists the parameters that an operation takes in its query.
func queryOf(op *huma.Operation) (names []string) {
	for _, p := range op.Parameters {
		if p.In == "query" {
			names = append(names, p.Name)
		}
	}
	return names
}
