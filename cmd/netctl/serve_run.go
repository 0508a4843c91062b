package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server"
)

// run serves until the context ends, then drains, closes the network with a
// snapshot, and removes server.json.
func (s *service) run(l server.Listeners) error {
	spaceCollections()
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	s.url = localURL(s.at)
	if err := s.announce(ctx, l); err != nil {
		return errors.Join(err, closeAll(l), s.host.Close(context.WithoutCancel(ctx)))
	}
	defer s.reloadAtHangup()()
	s.watch()
	defer s.keepCertificates(ctx)()
	go s.feedWatchdog(ctx)
	s.notifyReady()
	context.AfterFunc(s.ctx, func() { s.notify(daemon.SdNotifyStopping, "STATUS=finishing the requests under way") })
	s.sayServing(l)
	if s.certs != nil {
		s.talk("strangers reach it at %s", s.baseURL())
	}
	if s.host.Fresh != nil {
		s.talk("the operators' desk is at %s/admin: sign in with the operator's token, and admit a sponsor first", strings.TrimSuffix(cmp.Or(s.baseURL(), s.url), "/"))
	}
	err := s.answer(ctx, stop, l)
	if fork := s.fork.Load(); fork != nil {
		err = errors.Join(*fork, err)
	}
	s.talk("stopped")
	return err
}

// announce tells other commands where the folder is served. On a full disk that
// is a warning, and done once there is room.
func (s *service) announce(ctx context.Context, l server.Listeners) error {
	if l.API == nil { // commands are taken there
		return nil
	}
	where := running{Public: s.publicAddr(l), URL: localURL(l.API.Addr()), PID: os.Getpid(), Key: s.key}
	if l.Intent != nil {
		where.Intent = localURL(l.Intent.Addr())
	}
	err := announce(s.dir, where)
	if !server.DiskFull(err) {
		return err
	}
	s.log.Error("announce", "error", err.Error(), "advice", "make room; until then commands on this machine do not find this server")
	go func() {
		for timespan.Wait(ctx, announceAgain) && announce(s.dir, where) != nil {
		}
	}()
	return nil
}

// announceAgain is the pause between two tries to write server.json.
const announceAgain = time.Second

// answer serves until the context ends, then stops the tasks of this run and closes
// the network.
func (s *service) answer(ctx context.Context, stop func(), l server.Listeners) error {
	asked, err := s.askWitnesses(ctx)
	backedUp := func() {}
	if err == nil {
		backedUp, err = s.keepBackups(ctx)
	}
	replaced := s.stopWhenReplaced(ctx, stop)
	if err == nil {
		serving, drain := context.WithCancel(context.WithoutCancel(ctx))
		context.AfterFunc(ctx, func() { s.handOver(); drain() })
		err = s.host.Server.Serve(serving, l)
		drain()
	}
	stop()
	err = errors.Join(err, replaced())
	asked()
	backedUp()
	gone := os.Remove(runningFile(s.dir))
	if errors.Is(gone, fs.ErrNotExist) { // it could not be written
		gone = nil
	}
	return errors.Join(err, gone, s.host.Close(context.WithoutCancel(ctx)))
}
