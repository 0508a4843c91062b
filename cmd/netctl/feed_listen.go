package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
)

func feedListen(a *app) *cobra.Command {
	var after uint64
	var count int
	var filter netkit.EventFilter
	return a.verb(verb{use: "listen", short: "Follow what happens, as it happens",
		long: `Follow the event stream: a sentence an event, with -o json one JSON value a line.
A connection that is lost is opened again where it ended. Paid dispatches come
as notices; netctl feed ls reads them.`,
		flags: func(f *pflag.FlagSet) {
			f.Uint64Var(&after, "after", netclient.OnlyNew, "what follows the entry of that number; default: only what is new")
			f.Lookup("after").DefValue = "0" // help shows no default
			f.IntVar(&count, "count", 0, "end after so many events; 0 never")
			f.Var(many(&filter.Channels), "channel", "channels, with commas; default: those subscribed to")
			f.StringSliceVar(&filter.Types, "type", nil, "types of event, with commas; default: all")
		},
		run: func(c *call) error { return c.listen(after, count, filter) }})
}

func (c *call) listen(after uint64, count int, filter netkit.EventFilter) error {
	seen := 0
	err := c.followEvents(after, filter, func(ev netkit.Event) error {
		if err := c.printEvent(ev); err != nil {
			return err
		}
		if seen++; seen == count {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// errEnough ends the following of events.
var errEnough = errors.New("enough")

// followEvents follows the stream, and opens a connection that is lost again.
func (c *call) followEvents(after uint64, filter netkit.EventFilter, each func(netkit.Event) error) error {
	for ev, err := range c.net.Events(c.ctx, after, filter) {
		switch {
		case errors.Is(err, netclient.ErrUnreachable):
			c.talk("%s; trying again", plainly(err))
			continue
		case err != nil:
			return err
		}
		if err := each(ev); err != nil {
			return err
		}
	}
	if errors.Is(c.ctx.Err(), context.Canceled) {
		return nil // the listener has enough events
	}
	return c.ctx.Err()
}

// printEvent prints one event on one line.
func (c *call) printEvent(ev netkit.Event) error {
	doc, err := encode(ev)
	if err != nil {
		return err
	}
	if c.jq != "" {
		return c.filter(doc)
	}
	if c.set.v.GetString("output") == "table" {
		return c.tell(&ev)
	}
	_, err = c.out.Write(doc)
	return err
}
