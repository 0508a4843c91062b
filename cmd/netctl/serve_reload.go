package main

import (
	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/spf13/viper"

	"github.com/agentnet/netctl/server"
)

// reloadAtHangup has SIGHUP reload the service until the function that it returns
// is called. On a terminal a hangup means that the terminal is gone, and ends it.
func (s *service) reloadAtHangup() (undo func()) {
	if s.terminal || s.hangup == nil { // nil where another program runs the command
		return func() {}
	}
	reload := s.reload
	s.hangup.Store(&reload)
	return func() { s.hangup.Store(nil) }
}

// reload reads the settings again, takes those that can change while the server
// runs, and reopens the log. A mistake in them is logged, and none is taken.
func (s *service) reload() {
	s.notify(daemon.SdNotifyReloading, daemon.SdNotifyMonotonicUsec())
	defer s.notifyReady()
	next := &settings{v: viper.New(), env: s.set.env, file: s.set.file, cmd: s.set.cmd}
	err := next.read()
	if err == nil {
		err = s.host.Server.Change(next.limits(), server.SpawnMode(next.v.GetString("serve.spawn")))
	}
	if err != nil {
		s.log.Error("reload", "error", err.Error(), "advice", "the settings are as before; correct the value and send SIGHUP again")
		next = s.active
	}
	if s.certs != nil {
		s.certs.Reload()
	}
	if err := s.requests.change(next); err != nil {
		s.log.Error("reload", "error", err.Error())
	}
	changed, restart := next.changedSince(s.active, true), next.changedSince(s.set, false)
	s.active = next
	s.log.Info("reload", "changed", changed, "after_a_restart", restart)
}

// changedSince lists the keys of the settings that have another value than before,
// those that a running server takes, or the others.
func (s *settings) changedSince(before *settings, live bool) (keys []string) {
	for i := range settingKeys {
		k := &settingKeys[i]
		if k.live == live && s.v.GetString(k.key) != before.v.GetString(k.key) {
			keys = append(keys, k.key)
		}
	}
	return keys
}
