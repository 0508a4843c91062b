package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"

	"github.com/agentnet/netctl/netkit/catalog"
)

// sockets are the listeners that a service manager has opened for this process, by
// the name it gives them. They outlive the process, so that connections wait for the
// next one.
type sockets map[string][]net.Listener

// socketNames are the names of inherited sockets, by the flag whose address they
// replace.
var socketNames = map[string]string{"--addr": "api", "--intent-addr": "intent", "--tls-addr": "https", "--http-addr": "http", "--monitor-addr": "monitor"}

// inherit takes the sockets over, once.
func (s *service) inherit() error {
	all, err := activation.ListenersWithNames()
	if s.sockets = all; err != nil {
		return fmt.Errorf("the sockets of the service manager cannot be used: %w", err)
	}
	return nil
}

// listenAt opens the listener of a flag: an inherited socket of its name, else one of
// its port, else a new one.
func (s *service) listenAt(flag, addr string) (net.Listener, error) {
	if l := s.sockets.take(socketNames[flag], addr); l != nil {
		return l, nil
	}
	return listenOn(s.ctx, flag, addr)
}

// take removes and returns the socket of a name, else one of the port of an address,
// nil without one.
func (all sockets) take(name, addr string) net.Listener {
	for _, l := range all[name] {
		all[name] = all[name][1:]
		return l
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil || port == "0" {
		return nil
	}
	for other, some := range all {
		for i, l := range some {
			if _, open, _ := net.SplitHostPort(l.Addr().String()); open == port {
				all[other] = append(some[:i:i], some[i+1:]...)
				return l
			}
		}
	}
	return nil
}

// rest returns the addresses of sockets that no setting has taken.
func (all sockets) rest() (addrs []string) {
	for _, some := range all {
		for _, l := range some {
			addrs = append(addrs, l.Addr().String())
		}
	}
	return addrs
}

// notify reports a change of state to the service manager, if there is one.
func (s *service) notify(state ...string) {
	if _, err := daemon.SdNotify(false, strings.Join(state, "\n")); err != nil {
		s.log.Warn("service manager", "error", err.Error())
	}
}

// notifyReady reports that the server is ready, or ready again.
func (s *service) notifyReady() {
	s.notify(daemon.SdNotifyReady, "STATUS=serving at "+cmp.Or(s.baseURL(), s.url))
}

// feedWatchdog tells the service manager that the server lives for as long as it
// answers requests, until the context ends.
func (s *service) feedWatchdog(ctx context.Context) {
	patience, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		s.log.Warn("service manager", "error", err.Error())
	}
	if patience == 0 {
		return
	}
	t := time.NewTicker(patience / 3)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if s.answers(ctx, patience/3) {
				s.notify(daemon.SdNotifyWatchdog)
			}
		}
	}
}

// answers reports whether the API answers a request in time, whatever it answers.
func (s *service) answers(ctx context.Context, within time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, s.url+catalog.GetHealth.Path, nil)
	if err != nil {
		return false
	}
	resp, err := direct.RoundTrip(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return true
}
