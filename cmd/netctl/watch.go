package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
)

// watchTime is how often a list is asked for again although nothing was heard:
// not all that changes is an event.
const watchTime = 5 * time.Second

// clearScreen empties a terminal.
const clearScreen = "\x1b[H\x1b[2J"

// watch draws a list again whenever something happens on the network, until it is
// interrupted. A list that is as before is not drawn again.
func (c *call) watch(draw func(*call) error) error {
	if c.where.target.url == inProcessURL {
		return errors.New("nobody serves this network, so nothing changes while you watch: netctl serve serves it")
	}
	ctx, stop := context.WithCancel(c.ctx)
	var hearing sync.WaitGroup
	defer hearing.Wait()
	defer stop()
	heard := make(chan error, 1)
	hearing.Go(func() { c.hear(ctx, heard) })
	again := time.NewTicker(watchTime)
	defer again.Stop()
	before := ""
	for {
		now, err := c.drawn(draw)
		if ctx.Err() != nil {
			return nil // whoever watched has seen enough
		}
		if err != nil && !errors.Is(err, netclient.ErrUnreachable) {
			return err
		}
		if err != nil {
			now += plainly(err) + "; trying again\n"
		}
		if now != before {
			if err := c.redraw(now); err != nil {
				return err
			}
			before = now
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-heard:
			if err != nil {
				return err
			}
		case <-again.C:
		}
	}
}

// redraw puts a list in the place of the one before, which other programs read
// one after the other.
func (c *call) redraw(list string) error {
	if c.width > 0 {
		list = clearScreen + list
	}
	_, err := io.WriteString(c.out, list)
	return err
}

// drawn is what a list prints and says.
func (c *call) drawn(draw func(*call) error) (string, error) {
	out, talk := c.out, c.err
	defer func() { c.out, c.err = out, talk }()
	var b bytes.Buffer
	c.out, c.err = &b, &b
	err := draw(c)
	return b.String(), err
}

// hear tells that something happened, and waits for nobody: what happens while a
// list is drawn is one more reason to draw it again. A refusal ends it.
func (c *call) hear(ctx context.Context, heard chan<- error) {
	for _, err := range c.net.Events(ctx, netclient.OnlyNew, netkit.EventFilter{}) {
		if errors.Is(err, netclient.ErrUnreachable) {
			continue // it connects again, and the list says that it cannot be read
		}
		select {
		case heard <- err:
		default:
		}
	}
}

// watchable refuses to pay for the same list again and again.
func (c *call) watchable(in *netkit.ReadManifest) error {
	for _, p := range in.Priorities {
		if c.watched && p != netkit.P0 && !in.Opened {
			return usage(errors.New("--watch would pay again and again: watch P0, or give --opened"))
		}
	}
	return nil
}
