package hooks

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
	"github.com/agentnet/netctl/netkit/timespan"
)

const (
	stretch = 1024                   // entries that are handed out, or read for one webhook, at once
	gap     = 100 * time.Millisecond // between two stretches at least
	unknown = ^uint64(0)             // is not a number of changes
)

// Run delivers while the network takes commands, until the context ends, then waits
// for the attempts under way. One node of several delivers: the one that writes.
func (h *Hooks) Run(ctx context.Context) {
	for h.cfg.Network.WaitFollowing(ctx, false) {
		leading, yield := context.WithCancel(ctx)
		var watch sync.WaitGroup
		watch.Go(func() {
			h.cfg.Network.WaitFollowing(leading, true)
			yield()
		})
		h.deliver(leading)
		yield()
		watch.Wait()
	}
}

// deliver delivers until the context ends, then waits for the attempts under way.
func (h *Hooks) deliver(ctx context.Context) {
	h.begin(ctx)
	h.adoptSecrets(ctx)
	var recording sync.WaitGroup
	if h.cfg.Record {
		recording.Go(func() { h.recordEach(ctx) })
	}
	h.follow(ctx)
	h.mu.Lock()
	h.running = nil
	for _, k := range h.rows {
		h.place(k)
	}
	h.mu.Unlock()
	h.workers.Wait()
	recording.Wait()
	if h.cfg.Record {
		h.recordLast(ctx)
	}
	h.mu.Lock()
	h.save(h.front)
	h.mu.Unlock()
}

// begin reads how far the webhooks are, and has those served that are not at the end.
func (h *Hooks) begin(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.running = ctx
	var err error
	if h.store != nil {
		err = h.resume()
	} else {
		err = h.open(len(h.cfg.Network.WebhookOwners()) > 0)
	}
	h.complain(err)
	for _, k := range h.rows {
		h.place(k)
	}
}

// follow hands out what happens, while anybody has a webhook.
func (h *Hooks) follow(ctx context.Context) {
	width := uint64(stretch)
	for changes := unknown; h.waitActive(ctx); {
		size, err := h.cfg.Network.WaitDurable(ctx, h.front+1)
		if err != nil {
			return
		}
		to := min(size, h.front+width)
		s, err := h.cfg.Network.Stretch(ctx, h.front, to)
		switch damaged := errors.Is(err, netkit.ErrCorrupt); {
		case damaged && to-h.front > 1: // look for the entry
			width = (to - h.front) / 2
			continue
		case damaged: // each webhook notes that it could not read it
			h.handOut(&rules.Stretch{Partial: true}, to, false)
			width = stretch
			continue
		case err != nil:
			if ctx.Err() == nil {
				h.cfg.Logger.Error("webhooks", "error", err.Error())
			}
			timespan.Wait(ctx, time.Second)
			continue
		}
		h.handOut(&s, to, s.Changes != changes)
		changes = s.Changes
		timespan.Wait(ctx, gap)
	}
}

// waitActive waits until there is a webhook to deliver to, and goes on from where
// nothing of it is missed. It reports whether the context holds.
func (h *Hooks) waitActive(ctx context.Context) bool {
	for slept := false; ctx.Err() == nil; slept = true {
		if h.anyActive(slept) {
			return true
		}
		select {
		case <-h.poked:
		case <-ctx.Done():
		}
	}
	return false
}

// anyActive reports whether there is a webhook to deliver to. After a sleep,
// the front was left behind: who was set since then reads for itself.
func (h *Hooks) anyActive(slept bool) (any bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if slept {
		h.front = h.cfg.Network.Size()
	}
	for _, k := range h.rows {
		if !k.active() {
			continue
		}
		if any = true; !slept {
			return true
		}
		if !k.Due && k.Next < h.front {
			k.Due = true
			h.place(k)
		}
	}
	return any
}

// poke has the follower look again.
func (h *Hooks) poke() {
	select {
	case h.poked <- struct{}{}:
	default:
	}
}

// handOut marks who is told of something in a stretch, and keeps that with the
// new front.
func (h *Hooks) handOut(s *rules.Stretch, to uint64, changed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if changed {
		for _, k := range h.rows {
			if h.refresh(k) {
				h.place(k)
			}
		}
		h.complain(h.addNew())
	}
	if s.Partial {
		for _, k := range h.rows {
			h.due(k, h.front)
		}
	}
	for i := range s.Events {
		h.tell(&s.Events[i])
	}
	h.save(to)
	h.front = to
}

// tell marks who is told of an event.
func (h *Hooks) tell(e *rules.ToldEvent) {
	if reader := e.Reader(); reader != "" {
		if k := h.rows[reader]; k != nil && k.sub.Wants(&e.Audience) {
			h.due(k, e.ID)
		}
		return
	}
	for sub, some := range h.idle {
		if !sub.Wants(&e.Audience) {
			continue
		}
		for k := range some {
			h.due(k, e.ID)
		}
	}
}

// due has an idle webhook look at the journal from an entry on, unless it is
// beyond that.
func (h *Hooks) due(k *hook, entry uint64) {
	if k.Due || !k.active() || entry < k.Next {
		return
	}
	k.Due, k.Next, k.After = true, entry, ""
	h.told = true
	h.dirty[k] = struct{}{}
	h.place(k)
}

// refresh takes over what the network says of a webhook, and forgets one that
// it no longer knows. It reports whether there is one. The lock is held.
func (h *Hooks) refresh(k *hook) bool {
	set := h.cfg.Network.Webhook(k.owner)
	entry, off := set.Entry, set.Off
	if entry == 0 {
		h.forget(k)
		return false
	}
	if entry != k.Entry || off != k.Off {
		if k.Off { // what happened meanwhile can be replayed
			k.Due, k.Next, k.After = false, h.cfg.Network.Size(), ""
		}
		switch {
		case k.Off, set.URL != k.set.URL:
			k.reset()
		case off:
			k.recover()
		}
		k.Entry, k.Off = entry, off
		k.epoch++
		h.dirty[k] = struct{}{}
	}
	k.set = set
	sub, err := h.cfg.Network.As(k.owner).Subscribe(netkit.EventFilter{Types: set.Types})
	if err != nil {
		h.complain(err)
	} else if sub != k.sub {
		h.unplace(k)
		k.sub = sub
	}
	return true
}

// forget drops a webhook with its secret.
func (h *Hooks) forget(k *hook) {
	h.unplace(k)
	delete(h.rows, k.owner)
	delete(h.dirty, k)
	k.Entry = 0
	k.epoch++
	if h.store != nil {
		h.complain(h.store.drop(k.owner))
	}
}
