package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server/host"
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
	l, err := s.listenAt("--monitor-addr", addr)
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
	s.monitor.Watch(monitor.Watched{Network: s.host.Network, Server: s.host.Server, Dir: s.dir, Free: func() (uint64, error) { return freeSpace(s.dir) }})
	s.watchCertificates()
	s.watchArchive()
	s.watchNode()
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

// archiveBehind is the lag of the archive from which the server is not ready.
const archiveBehind = time.Minute

// watchArchive adds the archive and the last drill to the monitor.
func (s *service) watchArchive() {
	s.monitor.Gauge("netctl_drill_age_seconds", "Age of the last drill that succeeded, -1 where there was none.", func() float64 {
		d, found, err := host.LastDrill(s.dir)
		if err != nil || !found || d.Problem != "" {
			return -1
		}
		return time.Since(d.At).Seconds()
	})
	if _, ok := s.host.Archive(); !ok {
		return
	}
	s.monitor.Gauge("netctl_archive_lag_seconds", "Age of the oldest entry that the archive lacks.", func() float64 {
		status, _ := s.host.Archive()
		return status.Lag.Seconds()
	})
	s.monitor.Gauge("netctl_archive_lag_entries", "Entries that the archive lacks.", func() float64 {
		status, _ := s.host.Archive()
		return float64(status.Behind)
	})
	s.monitor.Ready(monitor.Check{Name: "archive", Waits: func() string {
		switch status, _ := s.host.Archive(); {
		case status.Replaced:
			return "another server took over; netctl doctor lists the entries that only this folder has"
		case status.Lag > archiveBehind:
			return fmt.Sprintf("it is %s behind", status.Lag.Round(time.Second))
		}
		return ""
	}})
}
