package server

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"io"
	"net/http"
	"strconv"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/mcp"
	"github.com/agentnet/netctl/netkit/netclient"
)

// mcpRoute serves models. Each request stands for itself, and what its tools do
// goes through the interface as a request of the same token from the same
// address, so that scopes, limits and the log are those of any other.
func (s *Server) mcpRoute() route {
	agents := sync.OnceValue(func() *sdk.Server { return s.mcpServer(false) }) // building its schemas takes milliseconds
	sponsors := sync.OnceValue(func() *sdk.Server { return s.mcpServer(true) })
	server := func(r *http.Request) *sdk.Server {
		if p := r.Context().Value(requestKey{}).(*request).principal; p != nil && p.Kind == netkit.SponsorParty {
			return sponsors()
		}
		return agents()
	}
	h := sdk.NewStreamableHTTPHandler(server, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true,
		MaxRequestBodyBytes:        s.limits().Body,
		DisableLocalhostProtection: true, // the envelope refuses pages of other origins
	})
	return plain(catalog.CallTool, func(w http.ResponseWriter, r *http.Request, v *request) {
		if bytes.HasPrefix(bytes.TrimLeft(v.body, " \t\r\n"), []byte("[")) {
			s.refuse(w, r, problem(400, code.BadRequest, "a batch of messages is not taken", "send one message a request"))
			return
		}
		if err := mcp.CheckMessage(v.body); err != nil {
			s.refuse(w, r, problem(400, code.BadRequest, err.Error(), "send one JSON-RPC message whose objects hold each name once"))
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(v.body)) // which was read and searched for keys
		out := newKept()
		h.ServeHTTP(out, r.WithContext(netkit.WithKey(r.Context(), ""))) // a key of the message is not one of what its tools do
		if out.status >= 400 && out.header.Get("Content-Type") != "application/json" {
			s.refuse(w, r, notMCP(out.status))
			return
		}
		out.copyTo(w)
	}, nil)
}

// notMCP refuses what is no message of the protocol.
func notMCP(status int) error {
	const next = "send JSON-RPC with Content-Type: application/json and Accept: application/json, text/event-stream"
	switch status {
	case http.StatusUnsupportedMediaType:
		return problem(status, code.MediaType, "the body is not declared as JSON", next)
	case http.StatusNotAcceptable:
		return problem(status, code.NotAcceptable, "the answer has no form that was asked for", next)
	}
	return problem(400, code.BadRequest, "this is no message of the Model Context Protocol", next)
}

// mcpServer makes the server that all requests of agents, or of sponsors, share.
func (s *Server) mcpServer(sponsor bool) *sdk.Server {
	return mcp.New(mcp.Config{Sponsor: sponsor, Caller: s.mcpCaller, Key: s.quoteKey(), Now: s.now})
}

// mcpCaller returns the party of a request, which its context holds.
func (s *Server) mcpCaller(ctx context.Context) mcp.Caller {
	v := ctx.Value(requestKey{}).(*request)
	token, _ := bearer(v.r) // which has passed the guard
	client, err := netclient.New(netclient.Config{BaseURL: insideURL, Token: token, Retries: -1, HTTPClient: &http.Client{Transport: &inside{s, v.r}}})
	if err != nil {
		panic("server: a client of the interface itself: " + err.Error())
	}
	return mcp.Caller{Network: client, Party: v.party()}
}

// party names who asks, by slug and token, "" for a request without a token. No
// slug holds a blank.
func (v *request) party() string {
	if v.principal == nil {
		return ""
	}
	return v.principal.Slug + " " + strconv.FormatUint(v.principal.Token, 10)
}

// quoteKey signs quotes. It differs from the key of addresses, and is the same
// in every process of a network.
func (s *Server) quoteKey() []byte {
	h := hmac.New(sha256.New, s.cfg.SigningKey)
	h.Write([]byte("quotes of purchases"))
	return h.Sum(nil)
}

// insideURL is the address of the interface within the process. The name is
// reserved and leads nowhere.
const insideURL = "http://inside.invalid"

// inside carries requests to the interface within the process, as whoever sent
// the request that they serve.
type inside struct {
	s    *Server
	from *http.Request
}

// RoundTrip implements http.RoundTripper.
func (t *inside) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if p := localPrincipal(t.from.Context()); p != nil {
		ctx = WithPrincipal(ctx, p)
	}
	in := r.Clone(ctx)
	in.RequestURI, in.RemoteAddr, in.Proto = r.URL.RequestURI(), t.from.RemoteAddr, t.from.Proto
	if in.Body == nil {
		in.Body = http.NoBody
	}
	w := newKept()
	t.s.api.ServeHTTP(w, in)
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r}, ctx.Err()
}

// kept is an answer that is kept in memory.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newKept() *kept { return &kept{header: http.Header{}, status: http.StatusOK} }

// copyTo sends it.
func (w *kept) copyTo(out http.ResponseWriter) {
	for name, values := range w.header {
		out.Header()[name] = values
	}
	out.WriteHeader(w.status)
	_, _ = out.Write(w.body.Bytes()) // a connection that is gone has nobody to be told
}

func (w *kept) Header() http.Header         { return w.header }
func (w *kept) WriteHeader(status int)      { w.status = status }
func (w *kept) Write(b []byte) (int, error) { return w.body.Write(b) }

var _ http.ResponseWriter = (*kept)(nil)
