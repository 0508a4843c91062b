package main

import (
	"errors"
	"net/http"
	"time"

	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server/monitor"
)

// startMonitor serves probes and metrics where serve.monitor-addr is, from before
// the journal is opened, which may take long, until the function that it returns is
// called.
func (s *service) startMonitor() (end func(), err error) {
	addr := s.set.v.GetString("serve.monitor-addr")
	if addr == "" {
		return func() {}, nil
	}
	l, err := listenOn(s.ctx, "--monitor-addr", addr)
	if err != nil {
		return nil, err
	}
	s.monitor = monitor.New()
	s.monitor.Ready(monitor.Check{Name: "journal", Waits: func() string {
		if s.opened.Load() {
			return ""
		}
		return "it is being opened"
	}}, monitor.Check{Name: "requests", Waits: func() string {
		if s.ctx.Err() == nil {
			return ""
		}
		return "the server is about to end"
	}})
	srv := &http.Server{Handler: s.monitor.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("monitor", "error", err.Error())
		}
	}()
	s.talk("probes and metrics at %s", localURL(l.Addr()))
	return func() { _ = srv.Close() }, nil // a reader of metrics loses nothing that it needs
}

// watch adds the network to the monitor once it is open.
func (s *service) watch() {
	if s.monitor == nil {
		return
	}
	s.monitor.Watch(monitor.Watched{Network: s.host.Network, Server: s.host.Server, Dir: s.dir})
	s.watchCertificates()
	s.opened.Store(true)
}

// observe returns the monitor's function for requests, nil without a monitor.
func (s *service) observe() func(string, int, time.Duration) {
	if s.monitor == nil {
		return nil
	}
	return s.monitor.Request
}

// wrote returns the monitor's function for durable writes, nil without a monitor.
func (s *service) wrote() func(network.Write) {
	if s.monitor == nil {
		return nil
	}
	return s.monitor.Wrote
}
