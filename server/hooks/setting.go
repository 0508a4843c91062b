package hooks

import (
	"net/url"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/webhook"
)

// Set takes over what the network says of an owner's webhook, after it was set
// or removed from a client address, "" where that is not known. Addresses share
// the workers; they are kept in memory alone. Set returns the secret where one was
// made, for the owner alone.
func (h *Hooks) Set(owner, address string) (secret string, err error) {
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
		k.address = address
		if h.refresh(k) {
			h.place(k)
		}
		h.poke()
		return "", nil
	}
	return h.create(owner, address)
}

// create makes the row of a webhook and its secret.
func (h *Hooks) create(owner, address string) (string, error) {
	s, err := webhook.NewSecret(h.cfg.Rand)
	if err != nil {
		return "", err
	}
	k := &hook{owner: owner, address: address, row: row{Secret: s.String(), QuickLeft: 1, Next: h.cfg.Network.Size()}}
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
		if err := h.replaceSecret(&r, key); err != nil {
			return webhook.Rotated{}, err
		}
		if err := h.store.together(true, func() error { return h.store.put(owner, &r) }); err != nil {
			return webhook.Rotated{}, err
		}
		k.row = r
	}
	return webhook.Rotated{Secret: r.Secret, FormerUntil: r.Former[len(r.Former)-1].Until}, nil
}

// replaceSecret gives a row a new secret, and the one that it has a day.
func (h *Hooks) replaceSecret(r *row, key string) error {
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
