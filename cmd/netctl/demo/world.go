package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// storyDays is how many UTC days the story takes, the first and the last
// included.
const storyDays = 138

// dawn is when the story begins that ends the day before now. So no entry lies
// in the future, and the network can go on by the real time.
func dawn(now time.Time) time.Time {
	return now.UTC().Truncate(24*time.Hour).AddDate(0, 0, -storyDays).Add(9 * time.Hour)
}

// clock is the story's time. It stands still except for what the story lets
// pass; released, it is the real time.
type clock struct {
	real     func() time.Time
	mu       sync.Mutex
	at       time.Time
	released bool
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.released {
		return c.real()
	}
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func (c *clock) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released = true
}

// world is a running deployment: a network on its journal, served.
type world struct {
	ctx           context.Context
	dir, addr     string
	network       string
	began         time.Time
	clock         *clock
	operatorToken netkit.Token

	*host.Host
	nodes  []*node // nil for a network on one server
	http   *http.Server
	url    string
	served chan error
}

func newWorld(ctx context.Context, dir string, cfg *Config) (*world, error) {
	addr := cfg.Addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	token, err := netkit.NewToken(rand.Reader)
	if err != nil {
		return nil, err
	}
	began := dawn(cfg.Now())
	w := &world{ctx: ctx, dir: dir, addr: addr, network: cfg.Network, began: began, clock: &clock{real: cfg.Now, at: began}, operatorToken: token}
	if cfg.Cluster {
		return w, w.startCluster()
	}
	return w, w.start()
}

// day counts the story's UTC days from 1.
func (w *world) day() int {
	return int(netkit.At(w.clock.now()).Day()-netkit.At(w.began).Day()) + 1
}

// start opens the journal and serves it, as after a boot.
func (w *world) start() (err error) {
	w.Host, err = host.New(w.ctx, host.Config{Dir: w.dir, Now: w.clock.now, Server: server.Config{Limits: host.Unlimited},
		Genesis: &netkit.Genesis{Network: w.network, OperatorToken: w.operatorToken}})
	if err != nil {
		return err
	}
	if err := w.listen(); err != nil {
		return errors.Join(err, w.Host.Close(w.ctx))
	}
	return nil
}

// listen serves on the same port across restarts, since clients know it.
func (w *world) listen() error {
	l, err := net.Listen("tcp", w.addr)
	if err != nil {
		return fmt.Errorf("demo: %w; choose another address with --addr", err)
	}
	w.addr = l.Addr().String()
	w.url = "http://" + w.addr
	w.http = newHTTPServer(w.Host)
	w.served = make(chan error, 1)
	go func(h *http.Server, served chan<- error) {
		if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			served <- err
		}
	}(w.http, w.served)
	return nil
}

func newHTTPServer(of *host.Host) *http.Server {
	h := &http.Server{Handler: of.Server.CheckHost(of.Server.Handler()), ReadHeaderTimeout: 5 * time.Second}
	if of.Node != nil {
		h.Handler = answerFreshly(of.Node, h.Handler)
	}
	h.RegisterOnShutdown(of.Server.EndStreams)
	return h
}

// tick does on the server that writes the tasks that are due.
func (w *world) tick(ctx context.Context) error {
	return errors.Join(w.followWriter(), w.Network.Tick(ctx))
}

// close shuts down in the order of a graceful stop: no new requests, the
// commands under way, the journal.
func (w *world) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if w.nodes != nil {
		return errors.Join(w.http.Shutdown(ctx), w.closeNodes())
	}
	return errors.Join(w.http.Shutdown(ctx), w.Host.Close(ctx))
}

// client returns a client that calls with a token, "" for none.
func (w *world) client(token string) (*netclient.Client, error) {
	return netclient.New(netclient.Config{BaseURL: w.url, Token: token})
}
