package server

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
)

// Node is this process among several that serve one network; *replica.Node is one.
type Node interface {
	// Leads reports whether this process takes commands.
	Leads() bool
	// Writer returns the node that takes them, by the latest look at the journal.
	Writer() journal.Writer
	// Lag returns how old this node's position is, negative if it is unknown.
	Lag() time.Duration
	// Self returns this node.
	Self() journal.Member
	// Peers returns the other nodes of the network, the writer first.
	Peers() []journal.Peer
	// Fresh returns once this node has all that was acknowledged before the call.
	Fresh(ctx context.Context) error
}

// Headers between the nodes of one network. The first holds a time and a MAC of the
// request's head under a key that all nodes share; see headerHopBody for the body.
const (
	headerHop       = "Netctl-Node"
	headerHopClient = "Netctl-Node-Client" // address of the client that asked the first node
	headerHopAs     = "Netctl-Node-As"     // party of a command given on the first node's machine
	headerHopTLS    = "Netctl-Node-Tls"    // yes where the client came by HTTPS
)

// hopSkew is how far the clocks of two nodes may be apart.
const hopSkew = time.Minute

var hopRefused = problem(403, code.NodeUnknown, "the request claims to come from another node, and no node of this network signed it",
	"leave out the headers that begin with "+headerHop+"; or, between nodes, give all of them the same keys and set their clocks right")

// hop describes the client of a request that a node passes on.
type hop struct {
	client, as string
	secure     bool
}

// nodeKey is the key that nodes sign requests with: all nodes have the signing key.
func nodeKey(signing []byte) []byte {
	h := hmac.New(sha256.New, signing)
	h.Write([]byte("netctl requests between nodes\n"))
	return h.Sum(nil)
}

// mac returns the MAC of a request's head. Each part ends with a line break, which
// no header and no address holds.
func (s *Server) mac(r *http.Request, at string) string {
	h := hmac.New(sha256.New, s.nodeKey)
	for _, part := range []string{at, r.Method, r.Host, r.URL.RequestURI(), r.Header.Get(headerHopClient), r.Header.Get(headerHopAs), r.Header.Get(headerHopTLS),
		r.Header.Get("Authorization"), r.Header.Get("Idempotency-Key"), r.Header.Get("Content-Type"), strconv.FormatBool(hasBody(r))} {
		fmt.Fprintf(h, "%s\n", part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// signHop marks a request as one that this node passes on.
func (s *Server) signHop(r *http.Request, v hop) {
	set := func(name, value string) {
		if r.Header.Del(name); value != "" {
			r.Header.Set(name, value)
		}
	}
	set(headerHopClient, v.client)
	set(headerHopAs, v.as)
	set(headerHopTLS, map[bool]string{true: "yes"}[v.secure])
	at := strconv.FormatInt(s.now().UnixMilli(), 10)
	set(headerHop, at+" "+s.mac(r, at))
	s.signBody(r)
}

// readHop returns the hop of a request from another node, nil for one of a client. It
// refuses one that no node signed.
func (s *Server) readHop(r *http.Request) (*hop, error) {
	given := r.Header.Get(headerHop)
	if given == "" {
		if r.Header.Get(headerHopClient) != "" || r.Header.Get(headerHopAs) != "" || r.Header.Get(headerHopTLS) != "" {
			return nil, hopRefused
		}
		return nil, nil
	}
	at, mac, _ := strings.Cut(given, " ")
	ms, err := strconv.ParseInt(at, 10, 64)
	if s.cfg.Node == nil || err != nil || s.now().Sub(time.UnixMilli(ms)).Abs() > hopSkew || !hmac.Equal([]byte(mac), []byte(s.mac(r, at))) {
		return nil, hopRefused
	}
	return &hop{client: r.Header.Get(headerHopClient), as: r.Header.Get(headerHopAs), secure: r.Header.Get(headerHopTLS) != ""}, nil
}

// hopKey is where a request that a node passed on has its hop in the context.
type hopKey struct{}

func hopOf(ctx context.Context) *hop {
	v, _ := ctx.Value(hopKey{}).(*hop)
	return v
}

// arrive returns a request as the node that passed it on got it.
func (s *Server) arrive(r *http.Request) (*http.Request, error) {
	v, err := s.readHop(r)
	if err != nil || v == nil {
		return r, err
	}
	head := r.Header.Get(headerHop)
	ctx := context.WithValue(r.Context(), hopKey{}, v)
	if v.as != "" {
		p, err := s.net.Principal(v.as)
		if err != nil {
			return r, err
		}
		ctx = WithPrincipal(ctx, p)
	}
	r = r.WithContext(ctx)
	s.checkBody(r, head)
	if r.RemoteAddr = v.client; v.secure && r.TLS == nil {
		r.TLS = new(tls.ConnectionState)
	}
	for _, name := range []string{headerHop, headerHopClient, headerHopAs, headerHopTLS} {
		r.Header.Del(name)
	}
	return r, nil
}
