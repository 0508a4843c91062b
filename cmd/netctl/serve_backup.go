package main

import (
	"context"
	"errors"
	"time"

	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server/host"
)

// A running server makes backups and tries the newest one, one after the other
// beside the network. It looks this often whether either is due.
const (
	backupCheck = 15 * time.Second
	drillEvery  = 24 * time.Hour
)

// backups is the part of a service that makes and tries backups.
type backups struct {
	*service
	network    string
	to         string
	recipients []string
	every      time.Duration // 0 makes none
	failed     time.Time     // of the latest attempt that failed
}

// keepBackups makes the backups that fall due until the context ends, and returns
// what waits for the end.
func (s *service) keepBackups(ctx context.Context) (wait func(), err error) {
	b := &backups{service: s, to: s.set.v.GetString("backup.to")}
	if b.recipients, err = s.set.recipients(); err != nil {
		return func() {}, err
	}
	if s.set.v.GetString("backup.every") != "0" {
		b.every = s.set.span("backup.every")
	}
	if b.every > 0 && (b.to == "" || len(b.recipients) == 0) {
		return func() {}, usage(errors.New("backup.every is set, and backup.to or backup.recipient is not: set both, or backup.every to 0"))
	}
	if len(b.recipients) == 0 {
		s.log.Warn("backup", "advice", "no backup can be made: nobody is set to restore one; netctl help worst-days says how")
	}
	if b.to == "" {
		return func() {}, nil
	}
	if b.network, err = s.host.ID(ctx); err != nil {
		return func() {}, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for b.round(ctx); timespan.Wait(ctx, backupCheck); {
			b.round(ctx)
		}
	}()
	return func() { <-done }, nil
}

// round makes a backup if one is due, then a trial if one is due.
func (b *backups) round(ctx context.Context) {
	if time.Since(b.failed) < min(b.every, time.Hour) {
		return
	}
	found, err := host.Backups(b.to, b.network)
	if err == nil && b.every > 0 && (len(found) == 0 || time.Since(found[len(found)-1].At) >= b.every) {
		if err = b.make(ctx); err == nil {
			found, err = host.Backups(b.to, b.network)
		}
	}
	if err == nil && len(found) > 0 {
		err = b.drill(ctx, found[len(found)-1].Path)
	}
	if err != nil && ctx.Err() == nil {
		b.failed = time.Now()
		b.log.Error("backup", "error", err.Error())
	}
}

// make writes a backup and removes those that are too old.
func (b *backups) make(ctx context.Context) error {
	begun := time.Now()
	path, m, err := host.Backup(ctx, host.BackupConfig{Dir: b.dir, Journal: b.host.Store, To: b.to, Recipients: b.recipients, Settings: b.set.file})
	if err != nil {
		return err
	}
	b.log.Info("backup", "file", path, "entries", m.Tree.Size, "took_ms", time.Since(begun).Milliseconds())
	_, err = host.RemoveBackups(b.to, m.Network, b.set.span("backup.keep"), time.Now())
	return err
}

// drill tries the newest backup once a day, at a quarter of a core at most.
func (b *backups) drill(ctx context.Context, path string) error {
	last, found, err := host.LastDrill(b.dir)
	if err != nil || found && time.Since(last.At) < drillEvery {
		return err
	}
	since := time.Now()
	d, err := host.Drill(ctx, b.dir, path, nil, b.host.Store, func() {
		timespan.Wait(ctx, 3*time.Since(since))
		since = time.Now()
	})
	if err != nil {
		return err
	}
	if d.Problem != "" {
		b.log.Error("drill", "file", path, "problem", d.Problem)
	} else {
		b.log.Info("drill", "file", path, "entries", d.Tree.Size, "took_ms", int64(d.Took*1000))
	}
	return host.KeepDrill(b.dir, d)
}
