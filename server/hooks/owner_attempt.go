package hooks

import (
	"context"
	"encoding/hex"
	"io"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/webhook"
)

// An owner may have single attempts made, outside of the lanes.

// TestType is the type of the event that a test sends.
const TestType = "webhook.test"

// Test sends an event of no meaning, once and now.
func (h *Hooks) Test(ctx context.Context, owner string) (webhook.Attempt, error) {
	now := netkit.At(h.cfg.Now())
	return h.once(ctx, owner, func() (netkit.Event, error) {
		return netkit.Event{Type: TestType, Data: map[string]any{"owner": owner, "at": now}}, nil
	})
}

// Resend sends the event of an attempt in the log again, once and now.
func (h *Hooks) Resend(ctx context.Context, owner string, id uint64) (webhook.Attempt, error) {
	unknown := &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.WebhookAttempt, What: "there is no such attempt in your log", Next: "{listWebhookAttempts} lists those that are kept"}
	return h.once(ctx, owner, func() (netkit.Event, error) {
		all, err := h.Log(owner)
		if err != nil {
			return netkit.Event{}, err
		}
		for i := range all {
			if a := &all[i]; a.ID == id && a.Event != 0 {
				return h.event(ctx, owner, a.Event, a.Type)
			}
		}
		return netkit.Event{}, unknown
	})
}

// event reads from the journal the event of a type that an entry told an owner.
func (h *Hooks) event(ctx context.Context, owner string, entry uint64, kind string) (netkit.Event, error) {
	sub, err := h.cfg.Network.As(owner).Subscribe(netkit.EventFilter{Types: []string{kind}, Channels: netkit.Niches()})
	if err != nil {
		return netkit.Event{}, err
	}
	for e, err := range h.cfg.Network.EventsBetween(ctx, &sub, entry, entry+1) {
		if err != nil || e.Type == kind {
			return e, err
		}
	}
	return netkit.Event{}, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.WebhookAttempt, What: "the event is too old to be told again", Next: "{getEntry} shows its entry"}
}

// once makes one attempt that the owner waits for, one at a time.
func (h *Hooks) once(ctx context.Context, owner string, event func() (netkit.Event, error)) (webhook.Attempt, error) {
	m, done, err := h.hold(owner)
	if err != nil {
		return webhook.Attempt{}, err
	}
	defer done()
	if m.event, err = event(); err != nil {
		return webhook.Attempt{}, err
	}
	if m.id, err = h.name(owner, &m.event); err != nil {
		return webhook.Attempt{}, err
	}
	a := h.send(ctx, m).Attempt
	h.mu.Lock()
	defer h.mu.Unlock()
	if k := h.rows[owner]; k != nil {
		k.askAt = a.At.Time().Add(askPace)
		if a.Delivered() && k.set.URL == m.url && k.RetryAt != 0 { // the receiver is back: its events need not wait
			k.RetryAt = 0
			h.dirty[k] = struct{}{}
			h.place(k)
		}
		h.keep(k, &a)
	}
	return a, nil
}

// name is the id of a delivery. Each test is another one.
func (h *Hooks) name(owner string, e *netkit.Event) (string, error) {
	id := webhook.ID(owner, e)
	if e.Type != TestType {
		return id, nil
	}
	var b [8]byte
	_, err := io.ReadFull(h.cfg.Rand, b[:])
	return id + "_" + hex.EncodeToString(b[:]), err
}

// hold begins an attempt that an owner asked for; done ends it.
func (h *Hooks) hold(owner string) (m *message, done func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, err := h.find(owner)
	if err != nil {
		return nil, nil, err
	}
	if k.asked {
		return nil, nil, &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.TooMany, What: "an attempt that you asked for is under way", Next: "wait for its answer", After: time.Second}
	}
	now := h.cfg.Now()
	if err := tooSoon(k.askAt, now); err != nil {
		return nil, nil, err
	}
	k.asked = true
	return &message{url: k.set.URL, secrets: k.secrets(netkit.At(now)), timeout: h.cfg.Timeout}, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		k.asked = false
	}, nil
}

// tooSoon refuses what an owner asks for before that moment: it makes an attempt at
// once, whatever the receiver wants.
func tooSoon(next, now time.Time) error {
	if wait := next.Sub(now); wait > 0 {
		return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.TooMany, What: "you asked for an attempt a moment ago", Next: "ask for one each five seconds at most", After: wait}
	}
	return nil
}
