// Package server puts a network behind HTTP: it decodes a request, calls
// netkit, and encodes the answer. No rule lives here.
//
// [New] makes a [Server] from a [Config]. [Server.Handler] serves the whole
// interface and can be used in process; [Server.IntentHandler] serves the
// intent paths alone; [Server.Serve] listens for both and drains when it is
// told to stop. The caller closes the network afterwards.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/server/audio"
	"github.com/agentnet/netctl/server/hooks"
	"github.com/agentnet/netctl/server/stream"
	"github.com/agentnet/netctl/server/web"
)

// Role says which listeners a process has.
type Role string

// The roles.
const (
	RoleAll    Role = "all"
	RoleAPI    Role = "api"
	RoleIntent Role = "intent"
)

// SpawnMode says who may spawn agents.
type SpawnMode string

// The modes. By invite, a spawn needs the query of an invitation that an
// operator made with POST /api/agent/invites.
const (
	SpawnOpen   SpawnMode = "open"
	SpawnInvite SpawnMode = "invite"
)

// Config holds what a server needs. Network and SigningKey are required.
type Config struct {
	Network *network.Network
	// Audio keeps recordings and transcripts; nil refuses uploads.
	Audio *audio.Store
	// SigningKey signs addresses of paid recordings and invitations:
	// audio.KeySize secret bytes, the same in every process of a network.
	SigningKey []byte
	// Log shows the journal to those who trust nobody; nil shows it to nobody.
	Log *proof.Log
	// Proxies are the reverse proxies whose X-Forwarded-For is believed: limits of
	// addresses count those that it names. Without them a proxy's visitors are
	// one address.
	Proxies []netip.Prefix
	BaseURL string // where the network is reached, for feeds and documents; "" means as asked
	// Hosts are further names under which the server is reached. It answers to
	// loopback names, its own address and the host of BaseURL in any case.
	Hosts  []string
	Logger *slog.Logger // one line a request; nil means none
	// Observe is called after each request with the pattern of its route, "" where
	// there is none, the status and the time it took. Nil means not at all.
	Observe func(route string, status int, took time.Duration)
	Now     func() time.Time
	Limits  Limits
	Spawn   SpawnMode // "" means SpawnOpen
	// Invitations is the file in which earlier releases noted which invitations
	// were used; it may be missing. The journal notes that now.
	Invitations string

	// Webhooks says how events are delivered to agents and sponsors; Network, Complete and
	// Logger are filled in, and Now where it is nil. Without a File, secrets and
	// how far each delivery is are forgotten with the process.
	Webhooks hooks.Config

	// NoNights leaves closing the day to Network.CloseNight; the default closes
	// it at 00:05 UTC while the server serves.
	NoNights bool

	// Node is this process among several that serve the network; nil means that there is
	// no other. Requests that change something go to the node that writes.
	Node Node
	// Servers returns those that serve this network together, for the operators' desk; nil
	// for a network of one server.
	Servers func(ctx context.Context) []web.Server
	// AdmitNode uses up an invitation of a node and returns the keys that nodes share, by
	// the names of their files. Nil admits none.
	AdmitNode func(token string, now time.Time) (map[string][]byte, error)

	Role Role // "" means RoleAll
	// SharedJournal says that several processes may open the journal. A role
	// of its own needs that.
	SharedJournal bool
	Addr          string // of the interface; "" means 127.0.0.1:8787
	// Front wraps the handler of the interface's listener in Serve, and nothing
	// else; nil leaves it as it is.
	Front func(http.Handler) http.Handler
	// Plain answers on Listeners.Plain; it is required where that is.
	Plain      http.Handler
	IntentAddr string // of the intent listener; "" means 127.0.0.1:8788
}

// Server answers HTTP for one network. Its methods may be called from any
// goroutine.
type Server struct {
	cfg    Config
	net    *network.Network
	audio  *audio.Store
	signer *audio.Signer
	log    *slog.Logger

	settings atomic.Pointer[settings]

	api    http.Handler
	intent http.Handler

	nodes   http.RoundTripper // carries requests to other nodes
	nodeKey []byte            // signs them
	copying chan struct{}     // holds one for each file that is being fetched

	unreadableHop sync.Once // warns of a hop that is no address

	pages   *web.Pages
	openAPI func() []byte // the document, once all routes are in

	hub   *stream.Hub // of the event stream
	hooks *hooks.Hooks

	usedBefore map[string]string // agents by the invitations that they used under an earlier release
}

// New makes a server. It opens no listener.
func New(cfg Config) (*Server, error) {
	if cfg.Network == nil {
		return nil, errors.New("server: Config.Network is required")
	}
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	if n := len(cfg.SigningKey); n != audio.KeySize {
		return nil, fmt.Errorf("server: Config.SigningKey has %d bytes and needs %d secret random bytes, the same in every process of the network", n, audio.KeySize)
	}
	signer, err := audio.NewSigner(cfg.SigningKey)
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, net: cfg.Network, audio: cfg.Audio, signer: signer, log: cfg.Logger, nodes: newNodeTransport(), nodeKey: nodeKey(cfg.SigningKey), copying: make(chan struct{}, maxCopying)}
	if err := s.Change(cfg.Limits, cfg.Spawn); err != nil {
		return nil, err
	}
	unread := 0
	if s.usedBefore, unread, err = readUsedInvitations(cfg.Invitations, cfg.Now().Unix()); err != nil {
		return nil, err
	}
	if unread > 0 {
		s.log.Warn("lines of a file of used invitations cannot be read: if it was altered, put it back, or those invitations can be used again until they expire", "file", cfg.Invitations, "lines", unread)
	}
	l := s.limits()
	s.hub = stream.New(stream.Config{Network: cfg.Network, Complete: s.addressed, Logger: cfg.Logger,
		Heartbeat: l.Heartbeat, Patience: l.Write, CatchUp: l.CatchUp, CatchUpEach: l.CatchUpEach})
	w := cfg.Webhooks
	w.Network, w.Complete, w.Logger = cfg.Network, s.addressed, cfg.Logger
	if w.Now == nil {
		w.Now = cfg.Now
	}
	s.hooks = hooks.New(w)
	if s.pages, err = s.newPages(); err != nil {
		return nil, err
	}
	s.api, err = s.build(append(s.routes(), s.pageRoutes()...))
	if err != nil {
		return nil, err
	}
	s.intent, err = s.build(s.intentRoutes())
	return s, err
}

// complete fills in what was left out and refuses what cannot work.
func (cfg *Config) complete() error {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Role == "" {
		cfg.Role = RoleAll
	}
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:8787"
	}
	if cfg.IntentAddr == "" {
		cfg.IntentAddr = "127.0.0.1:8788"
	}
	return cfg.Role.check(cfg.SharedJournal)
}

func (r Role) check(shared bool) error {
	switch {
	case r == RoleAll:
		return nil
	case r != RoleAPI && r != RoleIntent:
		return fmt.Errorf("server: role %q is none of api, intent, all", r)
	case !shared:
		return fmt.Errorf("server: role %s needs a journal that several processes may open, and this one belongs to one process: use role all", r)
	}
	return nil
}

// Handler serves the whole interface, the intent paths included.
func (s *Server) Handler() http.Handler { return s.api }

// IntentHandler serves the intent paths alone.
func (s *Server) IntentHandler() http.Handler { return s.intent }

// EndStreams ends all event streams, so that a graceful shutdown need not
// wait for them. Serve does it by itself.
func (s *Server) EndStreams() { s.hub.Close() }

// Streams returns how many event streams are open.
func (s *Server) Streams() int { return s.hub.Readers() }

// WebhooksWaiting returns how many webhooks wait for a sender, by lane.
func (s *Server) WebhooksWaiting() map[string]int { return s.hooks.Waiting() }

// build makes a handler of routes.
func (s *Server) build(routes []route) (http.Handler, error) {
	m := newMux(s)
	for _, r := range routes {
		if err := m.add(r); err != nil {
			return nil, err
		}
	}
	s.nodePaths(m)
	m.finish()
	return s.envelope(m), nil
}

// now is the server's clock.
func (s *Server) now() time.Time { return s.cfg.Now() }

// requestKey is where a request stands in its context.
type requestKey struct{}

// requestOf returns what is known of a request that passed the guard.
func requestOf(ctx context.Context) *request { return ctx.Value(requestKey{}).(*request) }
