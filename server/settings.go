package server

import (
	"fmt"
	"sync/atomic"
)

// settings are the parts of a Config that can change while the server serves.
// Requests under way keep those that they began with.
type settings struct {
	limits Limits
	spawn  SpawnMode
	rates  rates
	reads  atomic.Pointer[readRates] // of a node of several; nil before the first read
	load   *overload
}

// newSettings completes limits and a mode, and refuses those that cannot work.
func newSettings(cfg *Config, l Limits, mode SpawnMode) (*settings, error) {
	if mode == "" {
		mode = SpawnOpen
	}
	if mode != SpawnOpen && mode != SpawnInvite {
		return nil, fmt.Errorf("server: spawn mode %q is neither open nor invite", mode)
	}
	l.complete()
	if err := l.check(); err != nil {
		return nil, err
	}
	return &settings{limits: l, spawn: mode, rates: newRates(l, cfg.Now), load: newOverload(l.Wait)}, nil
}

// Change replaces the limits and the mode of spawning while the server serves, as
// in [Config]. Rates start with full buckets. Times of connections and limits of streams other
// than their number keep the values of the start.
func (s *Server) Change(l Limits, mode SpawnMode) error {
	next, err := newSettings(&s.cfg, l, mode)
	if err == nil {
		s.settings.Store(next)
	}
	return err
}

func (s *Server) limits() *Limits { return &s.settings.Load().limits }

// rates are those of writes; see ratesOf.
func (s *Server) rates() *rates { return s.ratesOf(true) }

func (s *Server) load() *overload { return s.settings.Load().load }

func (s *Server) spawnMode() SpawnMode { return s.settings.Load().spawn }
