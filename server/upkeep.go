package server

import (
	"context"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/timespan"
)

const (
	tickEvery  = time.Second     // how often what fell due is appended when nobody asks
	sweepEvery = time.Hour       // how often unused recordings are removed
	nightDelay = 5 * time.Minute // how long after midnight UTC a day is closed
)

// Upkeep does what a network needs as time passes, until the context ends: it
// appends what falls due about once a second, closes the days that are over at
// once and then each night at 00:05 UTC unless Config.NoNights is set, removes
// unused recordings each hour and delivers webhooks. Serve runs it; call it yourself only for
// a network that is not served.
func (s *Server) Upkeep(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { s.ticks(ctx) })
	all.Go(func() { s.sweeps(ctx) })
	all.Go(func() { s.followFiles(ctx) })
	if s.cfg.Role != RoleIntent {
		all.Go(func() { s.hooks.Run(ctx) })
	}
	if !s.cfg.NoNights {
		all.Go(func() { s.nights(ctx) })
	}
	all.Wait()
}

// ticks logs an error once and not again until another one or a success.
func (s *Server) ticks(ctx context.Context) {
	last := ""
	for timespan.Wait(ctx, tickEvery) {
		err := s.net.Tick(ctx)
		if err == nil {
			last = ""
			continue
		}
		if text := err.Error(); ctx.Err() == nil && text != last {
			s.log.Warn("tick", "error", text)
			last = text
		}
	}
}

// nights closes the days that are over: those missed at once, then each night. A
// network that follows leaves that to the node that writes.
func (s *Server) nights(ctx context.Context) {
	for s.net.WaitFollowing(ctx, false) {
		if err := s.night(ctx); err != nil && ctx.Err() == nil && !s.net.Following() {
			s.log.Error("night", "error", err.Error())
		}
		wait, cancel := context.WithTimeout(ctx, untilNight(s.cfg.Now()))
		s.net.WaitFollowing(wait, true) // then the next writer begins again
		cancel()
	}
}

// untilNight returns how long it is until the next day is closed.
func untilNight(now time.Time) time.Duration {
	next := now.UTC().Truncate(24 * time.Hour).Add(nightDelay)
	if !next.After(now) {
		next = next.Add(24 * time.Hour)
	}
	return next.Sub(now)
}

// night closes what is over. Nobody asked for it, so the network itself acts.
func (s *Server) night(ctx context.Context) error {
	report, err := s.net.As(netkit.NetworkActor).CloseNight(ctx, netkit.CloseNight{})
	if err == nil && len(report.Closed) > 0 {
		s.log.Info("night", "closed", len(report.Closed), "judged", report.Judged, "issued", report.IssuedCount)
	}
	return err
}

// sweeps removes recordings that nothing needs, at the start and each hour.
func (s *Server) sweeps(ctx context.Context) {
	if _, err := s.removeErasedRecordings(ctx); err != nil && ctx.Err() == nil {
		s.log.Error("sweep", "error", err.Error())
	}
	for again := true; again; again = timespan.Wait(ctx, sweepEvery) {
		n, err := s.sweepRecordings(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Error("sweep", "error", err.Error())
		} else if n > 0 {
			s.log.Info("sweep", "removed", n)
		}
	}
}
