package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"github.com/agentnet/netctl/server/certs"
)

// Listeners are what Serve listens on. Those that the role does not have are
// nil.
type Listeners struct {
	API, Intent net.Listener
	// Public is a TLS listener that serves the whole interface, without Config.Front.
	Public net.Listener
	// Plain is served with Config.Plain, which leads to Public.
	Plain net.Listener
}

// Listen opens the listeners of the role, all of them or none.
func (s *Server) Listen(ctx context.Context) (l Listeners, err error) {
	if s.cfg.Role != RoleIntent {
		if l.API, err = listen(ctx, s.cfg.Addr); err != nil {
			return Listeners{}, err
		}
	}
	if s.cfg.Role != RoleAPI {
		if l.Intent, err = listen(ctx, s.cfg.IntentAddr); err != nil {
			l.close()
			return Listeners{}, err
		}
	}
	return l, nil
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("server: listen on %s: %w; choose another address or stop what uses it", addr, err)
	}
	return l, nil
}

func (l Listeners) close() {
	for _, one := range []net.Listener{l.API, l.Intent} {
		if one != nil {
			_ = one.Close() // nothing was accepted yet
		}
	}
}

// Serve answers on the listeners and does the upkeep of the network until the
// context ends, then drains: it accepts no more, ends the streams and finishes
// the requests under way, for at most Limits.Drain. The caller closes the
// network afterwards.
func (s *Server) Serve(ctx context.Context, l Listeners) error {
	front := s.api
	if s.cfg.Front != nil {
		front = s.cfg.Front(front)
	}
	var servers []*serving
	if l.API != nil {
		servers = append(servers, newServing(s.httpServer(s.CheckHost(front)), l.API))
	}
	if l.Intent != nil {
		servers = append(servers, newServing(s.httpServer(s.CheckHost(s.intent)), l.Intent))
	}
	if l.Public != nil {
		servers = append(servers, newServing(s.httpServer(strictTransport(s.CheckHost(s.api))), l.Public))
	}
	if l.Plain != nil {
		servers = append(servers, newServing(s.httpServer(s.cfg.Plain), l.Plain))
	}
	if len(servers) == 0 {
		return errors.New("server: nothing to listen on; call Listen first")
	}
	busy, stop := context.WithCancel(ctx)
	var upkeep sync.WaitGroup
	upkeep.Go(func() { s.Upkeep(busy) })
	defer upkeep.Wait()
	defer stop()
	failed := make(chan error, len(servers))
	for _, one := range servers {
		go func() { failed <- one.serve() }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
		err = fmt.Errorf("server: %w", err)
	}
	return errors.Join(err, s.drain(servers))
}

// strictTransport has browsers use HTTPS only.
func strictTransport(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", certs.StrictTransport)
		next.ServeHTTP(w, r)
	})
}

// Run listens and serves.
func (s *Server) Run(ctx context.Context) error {
	l, err := s.Listen(ctx)
	if err != nil {
		return err
	}
	return s.Serve(ctx, l)
}

// drain shuts down in order. What is not done in time is broken off. The
// context that ended Serve is over already, so the time left is counted again.
func (s *Server) drain(servers []*serving) error {
	s.EndStreams()
	ctx, cancel := context.WithTimeout(context.Background(), s.limits().Drain)
	defer cancel()
	var all sync.WaitGroup
	errs := make(chan error, len(servers)+1)
	for _, one := range servers {
		all.Go(func() { errs <- one.drain(ctx) })
	}
	all.Wait()
	if err := s.hub.Wait(ctx); err != nil {
		errs <- fmt.Errorf("server: event streams did not end in time: %w", err)
	}
	close(errs)
	var err error
	for one := range errs {
		err = errors.Join(err, one)
	}
	return err
}

// httpServer bounds how long anything may take, so that slow clients cannot
// hold connections.
func (s *Server) httpServer(h http.Handler) *http.Server {
	l := s.limits()
	return &http.Server{Handler: h, ReadHeaderTimeout: l.Header, ReadTimeout: l.Read, WriteTimeout: l.Write, IdleTimeout: l.Idle,
		MaxHeaderBytes: 32 << 10, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn)}
}
