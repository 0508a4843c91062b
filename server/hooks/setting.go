package hooks

import (
	"net/url"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/webhook"
)

// Set takes over what the network says of an owner's webhook, after it was set
// or removed from a client address, "" where that is not known. Addresses share
// the workers; they are kept in memory alone.
func (h *Hooks) Set(owner, address string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	set := h.cfg.Network.Webhook(owner)
	if set.Entry == 0 {
		err := h.open(false)
		if err == nil && h.rows[owner] != nil {
			h.forget(h.rows[owner])
		}
		return err
	}
	if err := h.open(true); err != nil {
		return err
	}
	k := h.rows[owner]
	if k == nil {
		var err error
		if k, err = h.add(owner, set.Since+1); err != nil {
			return err
		}
	}
	if k.address = address; h.refresh(k) {
		h.place(k)
	}
	h.poke()
	return nil
}

// add makes the row of a webhook whose events are sent from an entry on. The store is
// open.
func (h *Hooks) add(owner string, next uint64) (*hook, error) {
	k := &hook{owner: owner, row: row{QuickLeft: 1, Next: next, Due: next < h.front}}
	if !h.refresh(k) {
		return nil, missing
	}
	if err := h.store.together(true, func() error { return h.store.put(owner, &k.row) }); err != nil {
		delete(h.dirty, k)
		return nil, err
	}
	h.rows[owner] = k
	h.place(k)
	return k, nil
}

var missing = &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.WebhookMissing, What: "you have no webhook that delivers", Next: "set its address with {setWebhook}"}

// find returns the webhook of an owner as the network has it now. The lock is
// held.
func (h *Hooks) find(owner string) (*hook, error) {
	if err := h.open(false); err != nil {
		return nil, err
	}
	k := h.rows[owner]
	if k == nil || h.cfg.Network.Following() {
		return h.findNew(owner)
	}
	if !h.refresh(k) || k.secret() == "" {
		return nil, missing
	}
	h.place(k)
	return k, nil
}

// findNew returns a webhook that has no row here, or none that counts: it was set by
// another program, or another node delivers.
func (h *Hooks) findNew(owner string) (*hook, error) {
	set := h.cfg.Network.Webhook(owner)
	if set.Secret == "" {
		return nil, missing
	}
	if h.running == nil || h.cfg.Network.Following() {
		recorded := h.cfg.Network.WebhookPositions()
		next := min(nextOf(&recorded, owner, set.Since), h.cfg.Network.Size())
		return &hook{owner: owner, set: set, row: row{Entry: set.Entry, Off: set.Off, Next: next, Due: recorded.Entry != 0}}, nil
	}
	if err := h.open(true); err != nil {
		return nil, err
	}
	return h.add(owner, set.Since+1)
}

// View tells how an owner's webhook fares.
func (h *Hooks) View(owner string) (webhook.View, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.view(owner)
}

// view is View with the lock held.
func (h *Hooks) view(owner string) (webhook.View, error) {
	set := h.cfg.Network.Webhook(owner)
	v := webhook.View{State: webhook.None, Types: set.Types, Entries: h.cfg.Network.Size()}
	v.Next = v.Entries
	if u, err := url.Parse(set.URL); err == nil {
		v.Host = u.Host
	}
	k, err := h.find(owner)
	switch {
	case err == missing && set.Entry == 0:
		return v, nil
	case err == missing:
		v.State = webhook.Keyless
		return v, nil
	case err != nil:
		return v, err
	}
	switch {
	case set.Off:
		v.State = webhook.Off
	case k.FailingAt != 0:
		v.State = webhook.Failing
	default:
		v.State = webhook.On
	}
	if k.Due || set.Off && k.Next > 0 {
		v.Next = k.Next
	}
	v.Skipped, v.FailingSince, v.RetryAt = k.Skipped, k.FailingAt, k.RetryAt
	if all := k.promised(netkit.At(h.cfg.Now())); len(all) > 0 {
		v.FormerUntil = netkit.Millis(all[len(all)-1].Until)
	}
	return v, nil
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
	if h.store == nil {
		return []webhook.Attempt{}, nil
	}
	return h.store.attempts(owner)
}
