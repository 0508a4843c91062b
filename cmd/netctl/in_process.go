package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server"
)

// inProcessURL is the address of a network in this process. The name is
// reserved and leads nowhere.
const inProcessURL = "http://netctl.invalid"

// inProcess is a transport that calls a handler in this process, as the
// principal that the context of each request then carries. Nothing that a
// request holds can change whom it acts for.
type inProcess struct {
	handler http.Handler
	as      *netkit.Principal
}

// RoundTrip implements http.RoundTripper. The answer streams as it is written.
func (d *inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	in := r.Clone(server.WithPrincipal(r.Context(), d.as))
	in.RequestURI, in.RemoteAddr, in.Proto = r.URL.RequestURI(), "127.0.0.1:0", "HTTP/1.1"
	if in.Body == nil {
		in.Body = http.NoBody
	}
	body, pipe := io.Pipe()
	w := &pipeWriter{header: http.Header{}, body: pipe, begun: make(chan struct{})}
	go d.serve(w, in)
	select {
	case <-w.begun:
	case <-r.Context().Done():
		body.CloseWithError(r.Context().Err())
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: w.status, Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.sent, Body: body, ContentLength: -1, Request: r}, nil
}

// serve runs the handler and ends the answer, however the handler ends.
func (d *inProcess) serve(w *pipeWriter, r *http.Request) {
	var err error
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the handler broke off: %v", p)
		}
		w.WriteHeader(http.StatusOK) // unless it was said already
		w.body.CloseWithError(err)
		err = errors.Join(err, r.Body.Close())
	}()
	d.handler.ServeHTTP(w, r)
}

// pipeWriter is the response of one request in process.
type pipeWriter struct {
	header http.Header
	body   *io.PipeWriter
	once   sync.Once
	begun  chan struct{} // closed when status and sent stand
	status int
	sent   http.Header
}

// Header implements http.ResponseWriter.
func (w *pipeWriter) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *pipeWriter) WriteHeader(status int) {
	if status < 200 {
		return
	}
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

// Write implements http.ResponseWriter.
func (w *pipeWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if len(b) == 0 {
		return 0, nil
	}
	return w.body.Write(b)
}

// Flush implements http.Flusher: nothing is held back.
func (w *pipeWriter) Flush() { w.WriteHeader(http.StatusOK) }

// planBody is what a plan shows of a request's body: JSON as it is, of other
// content its kind and size.
func planBody(kind string, b []byte) any {
	if strings.HasPrefix(kind, "application/json") {
		return rawJSON(b)
	}
	if len(b) == 0 {
		return nil
	}
	return fmt.Sprintf("%d bytes of %s", len(b), kind)
}

// rawJSON is JSON that is written as it is.
type rawJSON []byte

// MarshalJSON implements json.Marshaler.
func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }
