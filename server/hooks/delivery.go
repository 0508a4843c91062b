package hooks

import (
	"context"
	"errors"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
	"github.com/agentnet/netctl/netkit/webhook"
)

const (
	turnEvents = 16          // that one webhook sends before others come
	readAgain  = time.Minute // after the journal could not be read, or a webhook not be switched off
)

// turn is a webhook in the hands of a worker.
type turn struct {
	k       *hook
	epoch   int
	entry   uint64 // that set it
	sub     rules.Subscription
	from    uint64
	after   string
	to      uint64
	url     string
	timeout time.Duration
	once    bool // one attempt: the next one is of another lane
	secrets []webhook.Secret
}

// serve sends what the next stretch of the journal tells.
func (h *Hooks) serve(ctx context.Context, t *turn) {
	events, end, err := h.read(ctx, t)
	if err != nil {
		h.postpone(ctx, t, err)
		return
	}
	begun := h.cfg.Now()
	for i := range events {
		if i > 0 && (t.once || h.cfg.Now().Sub(begun) > slowAnswer) {
			return // others come first
		}
		a := h.send(ctx, &message{webhook.ID(t.k.owner, &events[i]), t.url, t.secrets, t.timeout, events[i]})
		if ctx.Err() != nil {
			return // cancelled by shutdown; will be resent
		}
		whole := i+1 == len(events) || events[i+1].ID != events[i].ID
		switch h.settle(t, &events[i], &a, whole) {
		case again:
			return
		case switchOff:
			err := h.cfg.Network.As(netkit.NetworkActor).StopWebhook(ctx, t.k.owner, t.entry)
			h.postpone(ctx, t, err)
			return
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if k := t.k; k.epoch == t.epoch {
		k.Next, k.After, k.Due = end, "", end < h.front
		h.dirty[k] = struct{}{}
	}
}

// read returns the next events of a webhook, whole entries, and the entry from
// which to go on. It stops before an entry that is damaged, and steps over one
// that stands first.
func (h *Hooks) read(ctx context.Context, t *turn) (events []netkit.Event, end uint64, err error) {
	h.reading <- struct{}{}
	defer func() { <-h.reading }()
	for to := t.to; ; to = t.from + (to-t.from)/2 {
		events, end, err = h.readTo(ctx, t, to)
		switch {
		case !errors.Is(err, netkit.ErrCorrupt):
			return events, end, err
		case len(events) > 0:
			return events, events[len(events)-1].ID + 1, nil
		case to-t.from <= 1:
			h.stepOver(t, err)
			return nil, t.from + 1, nil
		}
	}
}

// readTo reads the events of entries before one. With an error come those that
// were read before it.
func (h *Hooks) readTo(ctx context.Context, t *turn, to uint64) (events []netkit.Event, end uint64, err error) {
	for e, err := range h.cfg.Network.EventsBetween(ctx, &t.sub, t.from, to) {
		switch {
		case err != nil:
			return events, 0, err
		case len(events) >= turnEvents && e.ID != events[len(events)-1].ID:
			return events, e.ID, nil
		}
		events = append(events, e)
		if e.ID == t.from && e.Type == t.after {
			events = events[:0] // what came before it was sent as well
		}
	}
	return events, to, ctx.Err()
}

// stepOver notes that a webhook skips the damaged entry where it is. It logs the
// first one of several in a row, once for all webhooks.
func (h *Hooks) stepOver(t *turn, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t.k.epoch == t.epoch {
		t.k.Skipped = t.from
	}
	_, known := h.damaged[t.from]
	_, follows := h.damaged[t.from-1]
	if h.damaged[t.from] = struct{}{}; !known && !follows {
		h.cfg.Logger.Error("webhooks step over a damaged entry", "entry", t.from, "error", err.Error())
	}
}

// settle takes an attempt into account and keeps it. Whole means that its event
// is the last one of its entry. What a replay changed meanwhile leaves the
// verdict on the receiver as it is, and begins again.
func (h *Hooks) settle(t *turn, e *netkit.Event, a *outcome, whole bool) verdict {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := t.k
	v := again
	if k.Entry == t.entry && k.active() {
		v = k.judge(a, h.cfg.Now(), h.cfg.Jitter)
		h.dirty[k] = struct{}{}
	}
	switch {
	case v == again || v == switchOff:
	case k.epoch != t.epoch:
		v = again
	case whole:
		k.Next, k.After = e.ID+1, ""
	default:
		k.Next, k.After = e.ID, e.Type
	}
	h.keep(k, &a.Attempt)
	return v
}

// keep adds an attempt to the log, with how far its webhook is. The lock is held.
func (h *Hooks) keep(k *hook, a *webhook.Attempt) {
	if k.Entry == 0 || h.store == nil {
		return
	}
	h.complain(h.store.together(false, func() error {
		if _, changed := h.dirty[k]; changed {
			if err := h.store.put(k.owner, &k.row); err != nil {
				return err
			}
		}
		return h.store.add(k.owner, a)
	}))
}

// postpone schedules a retry after a local failure. A refusal is none: the webhook
// was set again meanwhile.
func (h *Hooks) postpone(ctx context.Context, t *turn, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil || ctx.Err() != nil || netkit.ProblemOf(err).Status < 500 {
		if t.k.Entry != 0 {
			h.refresh(t.k)
		}
		return
	}
	h.cfg.Logger.Error("webhooks", "error", err.Error())
	t.k.RetryAt = netkit.At(h.cfg.Now().Add(readAgain))
}
