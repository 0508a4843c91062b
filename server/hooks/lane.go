package hooks

import (
	"context"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// laneKind names the workers that serve a webhook. Receivers that hold workers up
// share them with their like, so that others do not wait behind them.
type laneKind int

const (
	laneDelivering laneKind = iota // delivers promptly
	laneFirst                      // nothing was sent to its address yet
	laneFailing                    // fails or is slow, and has delivered
	laneDead                       // fails, and has never delivered
	laneKinds
)

// lane returns the lane of a webhook.
func (k *hook) lane() laneKind {
	switch {
	case k.FailingAt == 0 && k.QuickLeft == 0:
		return laneDelivering
	case k.Delivered:
		return laneFailing
	case k.FailingAt == 0:
		return laneFirst
	}
	return laneDead
}

// lane is webhooks that wait for a worker. Its workers exist while any waits.
type lane struct {
	kind           laneKind
	limit, workers int
	queue          addressQueue
}

// newLanes returns the lanes of a number of senders: that many for receivers that
// deliver, and a quarter for each other kind.
func newLanes(senders int) (all [laneKinds]lane) {
	for kind := range all {
		all[kind] = lane{kind: laneKind(kind), limit: max(1, senders/4)}
	}
	all[laneDelivering].limit = senders
	// A crowd that was set before a newcomer does not delay its first event.
	all[laneFirst].queue.latestFirst = true
	return all
}

// laneNames are the lanes in metrics.
var laneNames = [laneKinds]string{"delivering", "first", "failing", "dead"}

// Waiting returns how many webhooks wait for a sender, by lane, for every lane.
func (h *Hooks) Waiting() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := map[string]int{}
	for kind := range h.lanes {
		n := 0
		for _, hooks := range h.lanes[kind].queue.waiting {
			n += len(hooks)
		}
		all[laneNames[kind]] = n
	}
	return all
}

// place puts a webhook where it belongs: among the idle, into a lane, or aside
// until its next try. The lock is held.
func (h *Hooks) place(k *hook) {
	h.unplace(k)
	switch {
	case !k.active() || h.running == nil || k.busy || k.queued:
	case !k.Due:
		group := k.sub.Public()
		if h.idle[group] == nil {
			h.idle[group] = map[*hook]struct{}{}
		}
		h.idle[group][k] = struct{}{}
	case k.RetryAt != 0 && k.RetryAt.Time().After(h.cfg.Now()):
		k.timer = time.AfterFunc(k.RetryAt.Time().Sub(h.cfg.Now()), func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.place(k)
		})
	default:
		h.enqueue(k)
	}
}

// enqueue has a webhook wait for a worker of its lane. The lock is held.
func (h *Hooks) enqueue(k *hook) {
	l := &h.lanes[k.lane()]
	k.queued = true
	l.queue.push(k)
	if l.workers < l.limit {
		l.workers++
		ctx := h.running
		h.workers.Go(func() { h.work(ctx, l) })
	}
}

// unplace takes a webhook out of the idle, and off its timer.
func (h *Hooks) unplace(k *hook) {
	if k.timer != nil {
		k.timer.Stop()
		k.timer = nil
	}
	group := k.sub.Public()
	if delete(h.idle[group], k); len(h.idle[group]) == 0 {
		delete(h.idle, group)
	}
}

// work serves a lane until none waits.
func (h *Hooks) work(ctx context.Context, l *lane) {
	for t := h.take(l); t != nil; t = h.take(l) {
		h.serve(ctx, t)
		h.mu.Lock()
		t.k.busy = false
		h.place(t.k)
		h.mu.Unlock()
	}
}

// take gives a worker the next webhook of its lane, nil if none waits.
func (h *Hooks) take(l *lane) *turn {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k := l.queue.pop(); k != nil; k = l.queue.pop() {
		k.queued = false
		if h.running == nil || k.Entry == 0 || !h.refresh(k) || !k.active() || !k.Due || k.lane() != l.kind {
			h.place(k)
			continue
		}
		k.busy = true
		return &turn{k: k, epoch: k.epoch, entry: k.Entry, sub: k.sub, from: k.Next, after: k.After, to: min(h.front, k.Next+stretch),
			url: k.set.URL, timeout: k.timeout(h.cfg.Timeout), once: l.kind == laneFirst, secrets: k.secrets(netkit.At(h.cfg.Now()))}
	}
	l.workers--
	return nil
}
