package hooks

import (
	"context"
	"encoding/hex"
	"io"
	"net/url"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/webhook"
)

// What an owner does with its webhook, besides setting it, which is a command
// of the network.

// Set takes over what the network says of an owner's webhook, after it was set
// or removed. It returns the secret where one was made, for the owner alone.
func (h *Hooks) Set(owner string) (secret string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, entry, _ := h.cfg.Network.Webhook(owner); entry == 0 {
		if err = h.open(false); err == nil && h.rows[owner] != nil {
			h.forget(h.rows[owner])
		}
		return "", err
	}
	if err := h.open(true); err != nil {
		return "", err
	}
	if k := h.rows[owner]; k != nil {
		if h.refresh(k) {
			h.place(k)
		}
		h.poke()
		return "", nil
	}
	return h.begun(owner)
}

// begun makes the row of a webhook and its secret.
func (h *Hooks) begun(owner string) (string, error) {
	s, err := webhook.NewSecret(h.cfg.Rand)
	if err != nil {
		return "", err
	}
	k := &hook{owner: owner, row: row{Secret: s.String(), Wary: 1, Next: h.cfg.Network.Size()}}
	if !h.refresh(k) {
		return "", missing
	}
	if err := h.store.together(true, func() error { return h.store.put(owner, &k.row) }); err != nil {
		delete(h.dirty, k)
		return "", err
	}
	h.rows[owner] = k
	h.place(k)
	h.poke()
	return k.Secret, nil
}

var missing = &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.WebhookMissing, What: "you have no webhook that delivers", Next: "set its address with {setWebhook}"}

// find returns the webhook of an owner as the network has it now. The lock is
// held.
func (h *Hooks) find(owner string) (*hook, error) {
	if err := h.open(false); err != nil {
		return nil, err
	}
	if k := h.rows[owner]; k != nil && h.refresh(k) {
		h.place(k)
		return k, nil
	}
	return nil, missing
}

// View tells how an owner's webhook fares.
func (h *Hooks) View(owner string) (webhook.View, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.view(owner)
}

// view is View with the lock held.
func (h *Hooks) view(owner string) (webhook.View, error) {
	set, entry, off := h.cfg.Network.Webhook(owner)
	v := webhook.View{State: webhook.None, Types: set.Types, Entries: h.cfg.Network.Size()}
	v.Next = v.Entries
	if u, err := url.Parse(set.URL); err == nil {
		v.Host = u.Host
	}
	k, err := h.find(owner)
	switch {
	case err == missing && entry == 0:
		return v, nil
	case err == missing:
		v.State = webhook.Keyless
		return v, nil
	case err != nil:
		return v, err
	}
	switch {
	case off:
		v.State = webhook.Off
	case k.FailingAt != 0:
		v.State = webhook.Failing
	default:
		v.State = webhook.On
	}
	if k.Due || off {
		v.Next = k.Next
	}
	v.Skipped, v.FailingSince, v.RetryAt = k.Skipped, k.FailingAt, k.RetryAt
	if all := k.promised(netkit.At(h.cfg.Now())); len(all) > 0 {
		v.FormerUntil = all[len(all)-1].Until
	}
	return v, nil
}

// Rotate makes a new secret. Deliveries are signed with each former one as well
// for a day. The idempotency key of the last rotation, if it had one, gives its
// secret again.
func (h *Hooks) Rotate(owner, key string) (webhook.Rotated, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, err := h.find(owner)
	if err != nil {
		return webhook.Rotated{}, err
	}
	r := k.row
	if key == "" || key != r.RotatedBy {
		if err := h.rotated(&r, key); err != nil {
			return webhook.Rotated{}, err
		}
		if err := h.store.together(true, func() error { return h.store.put(owner, &r) }); err != nil {
			return webhook.Rotated{}, err
		}
		k.row = r
	}
	return webhook.Rotated{Secret: r.Secret, FormerUntil: r.Former[len(r.Former)-1].Until}, nil
}

// rotated gives a row a new secret, and the one that it has a day.
func (h *Hooks) rotated(r *row, key string) error {
	now := h.cfg.Now()
	all := r.promised(netkit.At(now))
	if len(all) >= maxFormer {
		return &netkit.Refusal{Kind: netkit.ErrLimit, Code: code.TooMany, What: "four former secrets of your webhook still sign", Next: "use the one that you have until one of them ended", After: all[0].Until.Time().Sub(now)}
	}
	s, err := webhook.NewSecret(h.cfg.Rand)
	if err != nil {
		return err
	}
	r.Former = append(all, former{r.Secret, netkit.At(now.Add(formerHolds))})
	r.Secret, r.RotatedBy = s.String(), key
	return nil
}

// Log lists the latest attempts of an owner's webhook, newest first.
func (h *Hooks) Log(owner string) ([]webhook.Attempt, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, err := h.find(owner); err == missing {
		return []webhook.Attempt{}, nil
	} else if err != nil {
		return nil, err
	}
	return h.store.attempts(owner)
}

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

// event reads from the journal what an entry told an owner.
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
	l, done, err := h.hold(owner)
	if err != nil {
		return webhook.Attempt{}, err
	}
	defer done()
	if l.event, err = event(); err != nil {
		return webhook.Attempt{}, err
	}
	if l.id, err = h.name(owner, &l.event); err != nil {
		return webhook.Attempt{}, err
	}
	a := h.send(ctx, l).Attempt
	h.mu.Lock()
	defer h.mu.Unlock()
	if k := h.rows[owner]; k != nil {
		k.askAt = a.At.Time().Add(askPace)
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
func (h *Hooks) hold(owner string) (l *letter, done func(), err error) {
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
	return &letter{url: k.url, secrets: k.secrets(netkit.At(now))}, func() {
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

// Replay has a webhook go on from an entry: what events tell from there on is
// sent in their order, whether it was sent before or not. The first attempt is
// made at once, and the owner asks for one each five seconds at most.
func (h *Hooks) Replay(owner string, from uint64) (webhook.View, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, err := h.find(owner)
	if err == nil && !k.active() {
		err = missing
	}
	now := h.cfg.Now()
	if err == nil {
		err = tooSoon(k.replayAt, now)
	}
	if err != nil {
		return webhook.View{}, err
	}
	k.replayAt = now.Add(askPace)
	h.rewind(k, from)
	return h.view(owner)
}

// rewind has a webhook go on from an entry. The lock is held.
func (h *Hooks) rewind(k *hook, from uint64) {
	from = min(from, h.front)
	k.Due, k.Next, k.After, k.RetryAt = true, from, "", 0
	k.epoch++
	h.dirty[k] = struct{}{}
	h.save(h.front)
	h.place(k)
}
