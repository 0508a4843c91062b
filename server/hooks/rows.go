package hooks

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/network"
)

// resume brings the rows up to what the journal has: positions that another node
// recorded, webhooks that the rows lack, and what happened while nothing was delivered.
// The store is open and the lock is held.
func (h *Hooks) resume() error {
	recorded := h.cfg.Network.WebhookPositions()
	newer := recorded.Entry != h.noted
	before := h.front
	h.front, h.noted, h.told = h.cfg.Network.Size(), recorded.Entry, recorded.Entry == 0
	for owner, k := range h.rows {
		if !h.refresh(k) {
			continue
		}
		switch {
		case newer:
			k.Next, k.After, k.Due = nextOf(&recorded, owner, k.set.Since), "", false
			k.epoch++
		case !k.Due:
			k.Next = max(k.Next, before)
		}
		k.Due = k.Due || k.Next < h.front
		h.dirty[k] = struct{}{}
	}
	if recorded.Entry == 0 {
		recorded.Front = before
	}
	err := h.addMissing(&recorded)
	h.save(h.front)
	return err
}

// nextOf returns the entry from which on the events of an owner are to be sent, by the
// recorded positions, for a webhook that was set by the entry since.
func nextOf(p *network.WebhookPositions, owner string, since uint64) uint64 {
	if next, behind := p.Behind[owner]; behind && p.Entry > since {
		return next
	}
	return max(p.Front, since+1)
}

// addMissing makes the rows of webhooks that the network has and the file lacks. Without
// recorded positions and without a front of the file their events are sent from now on,
// and the log names them.
func (h *Hooks) addMissing(recorded *network.WebhookPositions) error {
	var keyless, late []string
	for _, owner := range h.cfg.Network.WebhookOwners() {
		if h.rows[owner] != nil {
			continue
		}
		set := h.cfg.Network.Webhook(owner)
		if set.Secret == "" {
			keyless = append(keyless, owner)
			continue
		}
		next := nextOf(recorded, owner, set.Since)
		if recorded.Front == 0 && next < h.front {
			next = h.front
			late = append(late, owner)
		}
		if _, err := h.add(owner, next); err != nil && err != error(missing) {
			return err
		}
	}
	h.nameOwners("the file of webhooks lacks these, so their events are sent from now on: earlier ones are sent where an owner replays them", late)
	h.nameOwners("there is no secret of these webhooks, so nothing is sent to them: put the file back, or have their owners set their addresses again", keyless)
	return nil
}

// nameOwners logs that something is wrong with the webhooks of some owners.
func (h *Hooks) nameOwners(text string, owners []string) {
	if len(owners) > 0 {
		h.cfg.Logger.Error("webhooks", "error", text, "file", h.cfg.File, "webhooks", len(owners), "owners", owners[:min(len(owners), 20)])
	}
}

// addNew makes the rows of webhooks that were set by another program, without
// [Hooks.Set]. The lock is held.
func (h *Hooks) addNew() error {
	for _, owner := range h.cfg.Network.WebhookOwners() {
		if h.rows[owner] != nil {
			continue
		}
		if set := h.cfg.Network.Webhook(owner); set.Secret != "" {
			if err := h.addOpen(owner, set.Since+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// addOpen is add with the store opened. A webhook that was removed meanwhile is no
// error.
func (h *Hooks) addOpen(owner string, next uint64) error {
	err := h.open(true)
	if err == nil {
		_, err = h.add(owner, next)
	}
	if err == error(missing) {
		return nil
	}
	return err
}

// adoptSecrets moves the secrets that an earlier release kept in the file into the
// journal. What fails is logged and tried again at the next start.
func (h *Hooks) adoptSecrets(ctx context.Context) {
	for _, k := range h.withSecrets() {
		set := h.cfg.Network.Webhook(k.owner)
		var err error
		if set.Secret == "" && set.Entry != 0 {
			err = h.cfg.Network.As(netkit.NetworkActor).AdoptWebhookSecrets(ctx, k.owner, k.Secret, k.formers())
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil && !isMissing(err) {
			h.mu.Lock()
			h.complain(err)
			h.mu.Unlock()
			return
		}
		if err := h.dropSecret(k); err != nil {
			h.cfg.Logger.Error("webhooks", "error", err.Error())
			return
		}
	}
}

// isMissing reports whether an error says that there is no such webhook any more, or
// that it has a secret by now.
func isMissing(err error) bool {
	var r *netkit.Refusal
	return errors.As(err, &r) && r.Code == code.WebhookMissing
}

// withSecrets returns the webhooks of which the file has a secret.
func (h *Hooks) withSecrets() (all []*hook) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.rows {
		if k.Secret != "" {
			all = append(all, k)
		}
	}
	return all
}

// dropSecret takes the secrets of a webhook out of the file, and out of the file's log.
func (h *Hooks) dropSecret(k *hook) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rows[k.owner] != k {
		return nil
	}
	k.Secret, k.Former = "", nil
	h.refresh(k)
	h.place(k)
	err := h.store.together(true, func() error { return h.store.put(k.owner, &k.row) })
	return errors.Join(err, h.store.truncateLog())
}
