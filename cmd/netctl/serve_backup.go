package main

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server/host"
)

// A running server makes backups and tries the newest one, one after the other
// beside the network. It looks this often whether either is due.
const (
	backupCheck = 15 * time.Second
	drillEvery  = 24 * time.Hour
	listEvery   = time.Hour // between looks at the backups that others make or remove
)

// backups is the part of a service that makes and tries backups.
type backups struct {
	*service
	network    string
	place      backupPlace // nil without backup.to
	recipients []string
	archive    archive.Store                   // nil without one
	every      time.Duration                   // 0 makes none
	failed     time.Time                       // of the latest attempt that failed
	listed     time.Time                       // when the place was looked at
	newest     atomic.Pointer[host.BackupFile] // nil without any
}

// keepBackups makes the backups that fall due until the context ends, and returns
// what waits for the end.
func (s *service) keepBackups(ctx context.Context) (wait func(), err error) {
	b := &backups{service: s}
	if err := b.configure(ctx); err != nil || b.place == nil && b.archive == nil {
		return func() {}, err
	}
	b.watchBackups()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for b.round(ctx); timespan.Wait(ctx, backupCheck); {
			b.round(ctx)
		}
	}()
	return func() { <-done }, nil
}

// configure reads the settings of backups.
func (b *backups) configure(ctx context.Context) (err error) {
	if b.recipients, err = b.set.recipients(); err != nil {
		return err
	}
	if b.set.v.GetString("backup.every") != "0" {
		b.every = b.set.span("backup.every")
	}
	to := b.set.v.GetString("backup.to")
	if b.every > 0 && (to == "" || len(b.recipients) == 0) {
		return usage(errors.New("backup.every is set, and backup.to or backup.recipient is not: set both, or backup.every to 0"))
	}
	if len(b.recipients) == 0 {
		b.log.Warn("backup", "advice", "no backup can be made: nobody is set to restore one; netctl help worst-days says how")
	}
	if to != "" {
		if b.place, err = openPlace(to); err != nil {
			return err
		}
	}
	if address := b.set.v.GetString("serve.archive"); address != "" {
		if b.archive, err = openArchive(address); err != nil {
			return err
		}
	}
	b.network, err = b.host.ID(context.WithoutCancel(ctx)) // a stop may come early
	return errors.Join(err, removeFetched(b.dir))
}

// watchBackups adds the age of the newest backup to the monitor.
func (b *backups) watchBackups() {
	if b.monitor == nil || b.place == nil {
		return
	}
	b.monitor.Gauge("netctl_backup_age_seconds", "Age of the newest backup in backup.to, -1 where there is none.", func() float64 {
		if newest := b.newest.Load(); newest != nil {
			return time.Since(newest.At).Seconds()
		}
		return -1
	})
}

// round makes a backup if one is due, then a trial if one is due.
func (b *backups) round(ctx context.Context) {
	if time.Since(b.failed) < min(b.every, time.Hour) {
		return
	}
	err := b.makeDue(ctx)
	if err == nil {
		err = b.drill(ctx)
	}
	if err != nil && ctx.Err() == nil {
		b.failed = time.Now()
		b.log.Error("backup", "error", err.Error())
	}
}

// makeDue makes a backup if one is due.
func (b *backups) makeDue(ctx context.Context) error {
	if b.place == nil {
		return nil
	}
	if time.Since(b.listed) < listEvery && !b.due() {
		return nil
	}
	err := b.list(ctx)
	if err == nil && b.due() {
		if err = b.make(ctx); err == nil {
			err = b.list(ctx)
		}
	}
	return err
}

// due reports whether the newest backup is missing or too old.
func (b *backups) due() bool {
	newest := b.newest.Load()
	return b.every > 0 && (newest == nil || time.Since(newest.At) >= b.every)
}

// list looks for the newest backup.
func (b *backups) list(ctx context.Context) error {
	found, err := b.place.list(ctx, b.network)
	if err != nil {
		return err
	}
	b.listed = time.Now()
	b.newest.Store(nil)
	if len(found) > 0 {
		b.newest.Store(&found[len(found)-1])
	}
	return nil
}

// make writes a backup and removes those that are too old.
func (b *backups) make(ctx context.Context) error {
	begun := time.Now()
	w, err := b.place.write(ctx, host.BackupConfig{Dir: b.dir, Journal: b.host.Store, Recipients: b.recipients, Settings: b.set.file})
	if err != nil {
		return err
	}
	b.log.Info("backup", "file", w.path, "entries", w.manifest.Tree.Size, "bytes", w.bytes, "took_ms", time.Since(begun).Milliseconds())
	return removeOld(ctx, b.place, b.network, b.set.span("backup.keep"))
}

// drill tries the archive, or else the newest backup, once a day, at a quarter of a
// core at most.
func (b *backups) drill(ctx context.Context) error {
	last, found, err := host.LastDrill(b.dir)
	if err != nil || found && time.Since(last.At) < drillEvery {
		return err
	}
	since := time.Now()
	d, err := b.try(ctx, func() {
		timespan.Wait(ctx, 3*time.Since(since))
		since = time.Now()
	})
	switch {
	case err != nil || d.At.IsZero():
		return err
	case d.Problem != "":
		b.log.Error("drill", "file", d.File, "problem", d.Problem)
	default:
		b.log.Info("drill", "file", d.File, "entries", d.Tree.Size, "took_ms", int64(d.Took*1000))
	}
	return host.KeepDrill(b.dir, d)
}

// try makes one trial. Its time is zero where there is nothing to try.
func (b *backups) try(ctx context.Context, rest func()) (d host.Drilled, err error) {
	if status, _ := b.host.Archive(); b.archive != nil && status.Objects > 0 {
		return host.DrillArchive(ctx, b.dir, b.archive, nil, b.host.Store, rest)
	}
	newest := b.newest.Load()
	if newest == nil {
		return d, nil
	}
	file, remove, err := fetchBackup(ctx, newest.Path, b.dir)
	if err != nil {
		return d, err
	}
	d, err = host.Drill(ctx, b.dir, file, nil, b.host.Store, rest)
	d.File = newest.Path
	return d, errors.Join(err, remove())
}
