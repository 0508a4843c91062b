package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/audio"
)

// dawn is when the story begins: the day the constitution was issued.
var dawn = time.Date(2026, 2, 20, 9, 0, 0, 0, time.UTC)

// clock is the story's time. It stands still but for what the story lets
// pass; released, it runs on with real time.
type clock struct {
	mu       sync.Mutex
	at       time.Time
	released time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.released.IsZero() {
		return c.at
	}
	return c.at.Add(time.Since(c.released))
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func (c *clock) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released = time.Now()
}

// world is a running deployment: journal, network, server.
type world struct {
	ctx           context.Context
	dir, addr     string
	clock         *clock
	operatorToken netkit.Token
	signingKey    []byte

	store  *sqlite.Store
	net    *netkit.Network
	http   *http.Server
	url    string
	served chan error
}

func newWorld(ctx context.Context, dir, addr string) (*world, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	w := &world{ctx: ctx, dir: dir, addr: addr, clock: &clock{at: dawn}, signingKey: make([]byte, audio.KeySize)}
	if _, err := rand.Read(w.signingKey); err != nil {
		return nil, err
	}
	var err error
	if w.operatorToken, err = netkit.NewToken(rand.Reader); err != nil {
		return nil, err
	}
	return w, w.start()
}

// start opens the journal and serves it, as after a boot.
func (w *world) start() (err error) {
	if w.store, err = sqlite.Open(w.ctx, sqlite.Config{Dir: w.dir}); err != nil {
		return err
	}
	w.net, err = netkit.New(w.ctx, netkit.Config{Store: w.store, Now: w.clock.now,
		Genesis: &netkit.Genesis{Network: "demo", OperatorToken: w.operatorToken}})
	if err != nil {
		return errors.Join(err, w.store.Close())
	}
	recordings, err := audio.New(audio.Config{Dir: filepath.Join(w.dir, "audio"), Now: w.clock.now})
	if err != nil {
		return err
	}
	srv, err := server.New(server.Config{Network: w.net, Audio: recordings, SigningKey: w.signingKey, Now: w.clock.now,
		Limits: server.Limits{Token: server.Rate{PerSecond: -1}, Address: server.Rate{PerSecond: -1}, Spawn: server.Rate{PerSecond: -1}}})
	if err != nil {
		return err
	}
	return w.listen(srv)
}

// listen serves on the same port across restarts, since clients know it.
func (w *world) listen(srv *server.Server) error {
	l, err := net.Listen("tcp", w.addr)
	if err != nil {
		return fmt.Errorf("demo: %w; choose another address with --addr", err)
	}
	w.addr = l.Addr().String()
	w.url = "http://" + w.addr
	w.http = &http.Server{Handler: srv.Handler(), ReadHeaderTimeout: 5 * time.Second}
	w.http.RegisterOnShutdown(srv.EndStreams)
	w.served = make(chan error, 1)
	go func(h *http.Server, served chan<- error) {
		if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			served <- err
		}
	}(w.http, w.served)
	return nil
}

// close shuts down in the order of a graceful stop: no new requests, the
// commands under way, the journal.
func (w *world) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var err error
	if w.http != nil {
		err = w.http.Shutdown(ctx)
	}
	if w.net != nil {
		err = errors.Join(err, w.net.Close(ctx), w.store.Close())
	}
	return err
}

// client returns a client that calls with a token, "" for none.
func (w *world) client(token string) (*netclient.Client, error) {
	return netclient.New(netclient.Config{BaseURL: w.url, Token: token})
}
