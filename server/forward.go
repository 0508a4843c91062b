package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/timespan"
)

// forwards reports whether a request belongs to the node that writes: one that may
// change something, and this node does not take it.
func (s *Server) forwards(rt *route, r *http.Request) bool {
	return s.follows() && rt.writes(r)
}

// writes reports whether a request may change something.
func (rt *route) writes(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead || rt.Spends
}

// follows reports whether another node takes commands.
func (s *Server) follows() bool { return s.cfg.Node != nil && !s.cfg.Node.Leads() }

// forward passes a request on to the node that writes, once, and its answer back as it
// is. Rates are counted there.
func (s *Server) forward(rt *route, w http.ResponseWriter, r *http.Request) {
	if hopOf(r.Context()) != nil {
		s.refuse(w, r, notWriter("the node that this was passed on to does not write any more"))
		return
	}
	to, ok := s.awaitWriter(r)
	if !ok {
		if s.cfg.Node.Leads() {
			s.refuse(w, r, notWriter("this node began to write just now"))
			return
		}
		s.refuse(w, r, notWriter("this node reaches no node that writes at the moment"))
		return
	}
	if rt.own {
		extendDeadlines(w, time.Now().Add(s.limits().Upload))
	}
	ctx, end := s.whileWriting(r.Context(), to)
	defer end()
	own := w.Header().Clone()
	clear(w.Header()) // those of the answer count
	proxy := httputil.ReverseProxy{Transport: s.nodes, FlushInterval: -1, ErrorLog: nil,
		Rewrite: func(p *httputil.ProxyRequest) { s.passOn(p, to, own.Get("X-Request-Id")) },
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			for name, values := range own {
				w.Header()[name] = values
			}
			s.refuse(w, r, forwardFailed(err))
		}}
	proxy.ServeHTTP(w, r.WithContext(ctx))
}

// writerLook is how often a request that was passed on looks for a change of the writer.
const writerLook = 100 * time.Millisecond

// whileWriting returns a context that ends once this node knows another writer than the
// one at an address, or none for sure: a writer that was paused or cut off keeps its
// connections and never answers.
func (s *Server) whileWriting(ctx context.Context, at *url.URL) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for timespan.Wait(ctx, writerLook) {
			if now, ok := s.writer(); !ok || now.String() != at.String() {
				cancel()
			}
		}
	}()
	return ctx, cancel
}

// writer returns the address of the node that writes, and whether it is known: a node
// that has not confirmed its position for a while may have missed a change.
func (s *Server) writer() (*url.URL, bool) {
	w := s.cfg.Node.Writer()
	to, err := url.Parse(w.Address)
	return to, err == nil && w.Node != "" && to.Host != "" && s.cfg.Node.Lag() <= writerTime
}

// passOn makes the request to the writer. The Host stays that of the client.
func (s *Server) passOn(p *httputil.ProxyRequest, to *url.URL, id string) {
	p.SetURL(to)
	p.Out.Host = p.In.Host
	p.Out.URL.RawQuery = p.In.URL.RawQuery
	p.Out.Header.Set("X-Request-Id", id)
	v := hop{client: p.In.RemoteAddr, secure: p.In.TLS != nil}
	if who := localPrincipal(p.In.Context()); who != nil {
		v.as = who.Slug
	}
	s.signHop(p.Out, v)
}

// writerTime is how long a request waits for a node to take over, and for how long this
// node believes in a writer without confirming its position.
const writerTime = 2 * time.Second

// awaitWriter returns the address of the node that writes, waiting for one a while.
func (s *Server) awaitWriter(r *http.Request) (*url.URL, bool) {
	for end := time.Now().Add(writerTime); time.Now().Before(end) && !s.cfg.Node.Leads(); {
		if to, ok := s.writer(); ok {
			return to, true
		}
		if !timespan.Wait(r.Context(), 20*time.Millisecond) {
			break
		}
	}
	return nil, false
}

func notWriter(what string) error {
	return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.NotWriter, What: what + ", and nothing of this was kept",
		Next: "try again in a second, with the same idempotency key", After: time.Second}
}

// forwardFailed returns the refusal of a request that another node did not answer. Where no
// connection was made, nothing was sent.
func forwardFailed(err error) error {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return notWriter("the node that writes does not answer")
	}
	return &netkit.Refusal{Kind: netkit.ErrUnknownOutcome, Code: code.OutcomeUnknown, What: "the node that writes did not say whether this was written",
		Next: "retry with the same Idempotency-Key", After: time.Second}
}

// newNodeTransport carries requests between nodes. It goes through no proxy, and
// keeps connections for a shorter time than the other side does.
func newNodeTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.DialContext = (&net.Dialer{Timeout: time.Second, KeepAlive: 15 * time.Second}).DialContext
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, 256
	t.IdleConnTimeout = 20 * time.Second
	return t
}
