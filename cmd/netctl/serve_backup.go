package main

import (
	"context"
	"errors"
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
)

// backups is the part of a service that makes and tries backups.
type backups struct {
	*service
	network    string
	to         string
	recipients []string
	archive    archive.Store // nil without one
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
	if b.every > 0 && inBucket(b.to) {
		return func() {}, usage(errors.New("backup.every makes backups into a folder, and backup.to names a bucket: name a folder, or use serve.archive for the bucket"))
	}
	if inBucket(b.to) {
		b.to = ""
	}
	if len(b.recipients) == 0 {
		s.log.Warn("backup", "advice", "no backup can be made: nobody is set to restore one; netctl help worst-days says how")
	}
	if address := s.set.v.GetString("serve.archive"); address != "" {
		if b.archive, err = openArchive(address); err != nil {
			return func() {}, err
		}
	}
	if b.to == "" && b.archive == nil {
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
	newest, err := b.makeDue(ctx)
	if err == nil && (newest != "" || b.archive != nil) {
		err = b.drill(ctx, newest)
	}
	if err != nil && ctx.Err() == nil {
		b.failed = time.Now()
		b.log.Error("backup", "error", err.Error())
	}
}

// makeDue makes a backup if one is due, and returns the newest one, "" without any.
func (b *backups) makeDue(ctx context.Context) (newest string, err error) {
	if b.to == "" {
		return "", nil
	}
	found, err := host.Backups(b.to, b.network)
	if err == nil && b.every > 0 && (len(found) == 0 || time.Since(found[len(found)-1].At) >= b.every) {
		if err = b.make(ctx); err == nil {
			found, err = host.Backups(b.to, b.network)
		}
	}
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[len(found)-1].Path, nil
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

// drill tries the archive, or else the newest backup, once a day, at a quarter of a
// core at most.
func (b *backups) drill(ctx context.Context, newest string) error {
	last, found, err := host.LastDrill(b.dir)
	if err != nil || found && time.Since(last.At) < drillEvery {
		return err
	}
	since := time.Now()
	rest := func() {
		timespan.Wait(ctx, 3*time.Since(since))
		since = time.Now()
	}
	var d host.Drilled
	if status, _ := b.host.Archive(); b.archive != nil && status.Objects > 0 {
		d, err = host.DrillArchive(ctx, b.dir, b.archive, nil, b.host.Store, rest)
	} else if newest != "" {
		d, err = host.Drill(ctx, b.dir, newest, nil, b.host.Store, rest)
	} else {
		return nil
	}
	if err != nil {
		return err
	}
	if d.Problem != "" {
		b.log.Error("drill", "file", d.File, "problem", d.Problem)
	} else {
		b.log.Info("drill", "file", d.File, "entries", d.Tree.Size, "took_ms", int64(d.Took*1000))
	}
	return host.KeepDrill(b.dir, d)
}
