package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// followed is the result of netctl follow --once.
type followed struct {
	Archive string          `json:"archive"`
	Data    string          `json:"data"`
	Tree    netkit.TreeHead `json:"tree"`
	Last    netkit.Millis   `json:"last_entry" doc:"time of the last entry"`
}

func followCommand(a *app) *cobra.Command {
	var identity, addr string
	var takeOver, once bool
	return a.verb(verb{use: "follow ARCHIVE", short: "Keep a folder up to date with an archive, and take over with it", offline: true, args: exactly("ARCHIVE"), needs: []string{"identity"},
		long: `Copy an archive, which netctl serve --archive writes, into the folder of --data, and
its later entries as they come: the folder has the same entries, private parts, recordings and
keys, and the same root at each position. It stops where the two differ.

With --addr it serves what anyone may read of the network there. A token is refused
with 503, since it may have been revoked meanwhile, and so is a command. Nothing is
sent to webhooks.

With --take-over the folder becomes the one that serves the network. What the archive
holds is copied first. Then the server that wrote it until now stops at its next
upload, and the journal records that it continues from here. Entries that only the
folder of that server has are listed by netctl doctor there. Next comes netctl serve
--archive with this folder.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&identity, "identity", "", "file with the identity of age that opens the private side")
			f.BoolVar(&takeOver, "take-over", false, "end the server that writes the archive, and continue with this folder")
			f.StringVar(&addr, "addr", "", "where reads of the folder are served; default: nowhere")
			f.BoolVar(&once, "once", false, "copy the present entries and end")
		},
		run: func(c *call) error {
			dir, err := c.localDir()
			if err != nil {
				return err
			}
			ids, err := identities(identity)
			if err != nil {
				return err
			}
			store, err := openArchive(c.args[0])
			if err != nil {
				return err
			}
			f, err := host.OpenFollower(c.ctx, host.FollowConfig{Dir: dir, Store: store, IDs: ids, Progress: c.progress()})
			if err != nil {
				return err
			}
			if takeOver {
				return c.takeOver(f, dir)
			}
			err = f.Ahead()
			endReads := func() error { return nil }
			if err == nil && addr != "" {
				endReads, err = c.serveReads(f, addr)
			}
			if err == nil {
				err = c.follow(f, once)
			}
			err = errors.Join(err, endReads())
			out := followed{Archive: store.String(), Data: dir, Tree: f.Tree()}
			if last := f.Last(); last != nil {
				out.Last = last.Last
			}
			return c.show(out, errors.Join(err, f.Close()))
		}})
}

// followEvery is the pause between two looks at an archive.
const followEvery = time.Second

// follow copies new objects until the context ends, or once. A bucket that is
// out of reach for a time is asked again.
func (c *call) follow(f *host.Follower, once bool) error {
	failing, begun := false, false
	for {
		err := f.Follow(c.ctx)
		if c.ctx.Err() != nil {
			return nil
		}
		begun = begun || err == nil
		if once || err != nil && !(begun && host.Transient(err)) {
			return err
		}
		if (err != nil) != failing {
			if failing = err != nil; failing {
				c.talk("! %v; trying again", err)
			} else {
				c.talk("following again, %d entries", f.Tree().Size)
			}
		}
		if !timespan.Wait(c.ctx, followEvery) {
			return nil
		}
	}
}

// takeOver makes the folder of a follower the one that serves the network.
func (c *call) takeOver(f *host.Follower, dir string) error {
	recipients, err := c.set.archiveRecipients()
	if err == nil && len(recipients) == 0 {
		err = usage(errors.New("the private side of the archive needs a recipient: set serve.archive-recipient or backup.recipient to a public key of age"))
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	out, err := f.TakeOver(c.ctx, recipients, c.warn)
	if err == nil {
		c.talk("next: netctl serve --data %s --archive %s", dir, c.args[0])
	}
	return c.show(out, err)
}

// serveReads serves the folder of a follower for reading, until the function that it
// returns is called.
func (c *call) serveReads(f *host.Follower, addr string) (end func() error, err error) {
	none := func() error { return nil }
	if err := f.Follow(c.ctx); err != nil {
		return none, err
	}
	l, err := listenOn(c.ctx, "--addr", addr)
	if err != nil {
		return none, err
	}
	h, err := f.Serve(c.ctx, host.Config{Server: server.Config{Limits: c.set.limits()}})
	if err != nil {
		return none, errors.Join(err, l.Close())
	}
	srv := &http.Server{Handler: h.Server.CheckHost(h.Server.Handler()), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			c.warn(err)
		}
	}()
	c.talk("reads at %s; interrupt to stop", localURL(l.Addr()))
	return func() error {
		h.Server.EndStreams()
		return errors.Join(srv.Close(), h.Close(context.WithoutCancel(c.ctx)))
	}, nil
}
