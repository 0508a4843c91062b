package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// lockPatience is how long a command waits for another one on the same folder.
const lockPatience = 5 * time.Second

// enter reaches the network of a folder from this machine: through the server
// that runs on it, or in process. Commands that come at the same moment take
// turns.
func (a *app) enter(ctx context.Context, dir, as string) (http.RoundTripper, *host.Host, running, error) {
	for start := time.Now(); ; {
		if r, ok := findRunning(ctx, dir); ok {
			transport, err := newLocalTransport(r, as)
			return transport, nil, r, err
		}
		h, err := a.openServed(ctx, host.Config{Dir: dir, Alarm: a.warn, Notice: a.notice, Progress: a.progress(), Server: server.Config{Addr: a.set.v.GetString("serve.addr"), BaseURL: a.set.v.GetString("serve.base-url"), Limits: host.Unlimited, Logger: slog.New(slog.DiscardHandler)}})
		if err == nil {
			transport, err := transport(ctx, h, as)
			if err != nil {
				return nil, nil, running{}, errors.Join(err, h.Close(ctx))
			}
			return transport, h, running{URL: inProcessURL}, nil
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

// warn shows what the alarm of a network in this process is told.
func (a *app) warn(err error) { fmt.Fprintln(a.err, "netctl: "+plainly(err)) }

// notice writes news of the network to standard error.
func (a *app) notice(text string) { fmt.Fprintln(a.err, "netctl: "+text) }

// transport makes the transport that acts as one principal.
func transport(ctx context.Context, h *host.Host, as string) (http.RoundTripper, error) {
	p, err := actor(ctx, h.Network, as)
	if err != nil {
		return nil, err
	}
	return &inProcess{handler: h.Server.Handler(), as: p}, nil
}

// openLocal opens the network of a folder and says what to do where there is
// none.
func openLocal(ctx context.Context, cfg host.Config) (*host.Host, error) {
	h, err := host.New(ctx, cfg)
	if errors.Is(err, host.ErrNoNetwork) {
		return nil, missingNetwork(cfg.Dir)
	}
	return h, err
}
