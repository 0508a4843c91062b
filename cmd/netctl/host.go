package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/audio"
)

// hostConfig says how this process runs the network of a folder.
type hostConfig struct {
	dir     string
	genesis *netkit.Genesis // begins a network; nil means that one must be there
	server  server.Config   // Network, Audio, SigningKey and Now are filled in
	now     func() time.Time
	alarm   func(error)
}

// host is a network that this process runs: journal, rules, recordings and the
// handler before them.
type host struct {
	store   *sqlite.Store
	network *netkit.Network
	audio   *audio.Store
	server  *server.Server
}

// openHost opens the network of a folder. The caller closes it.
func openHost(ctx context.Context, cfg hostConfig) (_ *host, err error) {
	if cfg.genesis == nil && !hasNetwork(cfg.dir) {
		return nil, missingNetwork(cfg.dir)
	}
	if cfg.now == nil {
		cfg.now = time.Now
	}
	h := new(host)
	defer func() {
		if err != nil {
			err = errors.Join(err, h.close(ctx))
		}
	}()
	if h.store, err = sqlite.Open(ctx, sqlite.Config{Dir: cfg.dir}); err != nil {
		return h, err
	}
	if h.network, err = netkit.New(ctx, netkit.Config{Store: h.store, Genesis: cfg.genesis, Now: cfg.now, Alarm: cfg.alarm}); err != nil {
		return h, err
	}
	if h.audio, err = audio.New(audio.Config{Dir: filepath.Join(cfg.dir, "audio"), Now: cfg.now}); err != nil {
		return h, err
	}
	sc := cfg.server
	sc.Network, sc.Audio, sc.Now = h.network, h.audio, cfg.now
	if sc.SigningKey, err = signingKey(cfg.dir); err != nil {
		return h, err
	}
	h.server, err = server.New(sc)
	return h, err
}

// close ends what openHost began: streams, then the clerk with its snapshot,
// then the journal.
func (h *host) close(ctx context.Context) error {
	var err error
	if h.server != nil {
		h.server.EndStreams()
	}
	if h.network != nil {
		err = h.network.Close(ctx)
	}
	if h.store != nil {
		err = errors.Join(err, h.store.Close())
	}
	return err
}

// signingKey reads the key that signs addresses of paid recordings, and makes
// one at the first start. Without it those addresses end early, nothing else.
func signingKey(dir string) ([]byte, error) {
	path := filepath.Join(dir, "signing.key")
	key, err := os.ReadFile(path)
	if err == nil && len(key) == audio.KeySize {
		return key, nil
	}
	if err == nil {
		return nil, fmt.Errorf("%s has %d bytes where a key has %d; remove it, and a new one is made", path, len(key), audio.KeySize)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	key = make([]byte, audio.KeySize)
	if _, err := io.ReadFull(rand.Reader, key); err != nil {
		return nil, err
	}
	return key, writePrivate(path, key)
}

// lockPatience is how long a command waits for another one on the same folder.
const lockPatience = 5 * time.Second

// enter reaches the network of a folder from this machine: through the server
// that runs on it, or in process. Commands that come at the same moment take
// turns.
func (a *app) enter(ctx context.Context, dir, as string) (http.RoundTripper, *host, running, error) {
	for start := time.Now(); ; {
		if r, ok := findRunning(ctx, dir); ok {
			return &localDoor{next: http.DefaultTransport, key: r.Key, as: as}, nil, r, nil
		}
		h, err := openHost(ctx, hostConfig{dir: dir, server: server.Config{Limits: unlimited, Logger: slog.New(slog.DiscardHandler)}})
		if err == nil {
			door, err := h.door(ctx, as)
			if err != nil {
				return nil, nil, running{}, errors.Join(err, h.close(ctx))
			}
			return door, h, running{URL: inProcessURL}, nil
		}
		if !errors.Is(err, journal.ErrLocked) || time.Since(start) > lockPatience {
			return nil, nil, running{}, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, running{}, context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// unlimited lifts the rates for whoever may open the folder: there is no one
// to protect from oneself.
var unlimited = server.Limits{Token: server.Rate{PerSecond: -1}, Address: server.Rate{PerSecond: -1}, Spawn: server.Rate{PerSecond: -1}}

// door makes the transport that acts as one principal.
func (h *host) door(ctx context.Context, as string) (http.RoundTripper, error) {
	p, err := actor(ctx, h.network, as)
	if err != nil {
		return nil, err
	}
	return &inProcess{handler: h.server.Handler(), as: p}, nil
}
