package server

import "math"

// readRates are the rates of reads at one node of several.
type readRates struct {
	rates
	nodes int // that run
}

// ratesOf returns the rates that count a request. Every write is counted by the node
// that writes. Reads are counted by each node for itself, so that of n nodes each allows
// twice the n-th part of a limit.
func (s *Server) ratesOf(write bool) *rates {
	set := s.settings.Load()
	if write || s.cfg.Node == nil {
		return &set.rates
	}
	n := 1
	for _, p := range s.cfg.Node.Peers() {
		if p.Runs {
			n++
		}
	}
	have := set.reads.Load()
	if have == nil || have.nodes != n {
		next := &readRates{newRates(set.limits.shared(n), s.cfg.Now), n}
		if !set.reads.CompareAndSwap(have, next) {
			next = set.reads.Load() // another request was quicker
		}
		have = next
	}
	return &have.rates
}

// shared returns the limits of reads at one of n nodes.
func (l Limits) shared(n int) Limits {
	for _, r := range []*Rate{&l.Party, &l.Address, &l.Shared} {
		if share := 2 / float64(n); share < 1 && r.PerSecond > 0 {
			r.PerSecond *= share
			r.Burst = max(1, int(math.Ceil(float64(r.Burst)*share)))
		}
	}
	return l
}
