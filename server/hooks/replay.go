package hooks

import (
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/webhook"
)

// Replay sends again what events tell from an entry on, in their order, whether
// it was sent before or not. The owner asks for one each five seconds at most. It
// does not shorten the wait after a failure; an event that the owner sends by
// [Hooks.Test] or [Hooks.Resend] and that is delivered ends that wait.
func (h *Hooks) Replay(owner string, from uint64) (webhook.View, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, err := h.find(owner)
	if err == nil && !k.active() {
		err = missing
	}
	if err == nil && h.rows[owner] != k {
		err = notHere
	}
	now := h.cfg.Now()
	if err == nil {
		err = tooSoon(k.replayAt, now)
	}
	if err == nil && from > h.cfg.Network.Size() {
		err = &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.EntryUnknown, Field: "from", What: "names an entry that the journal does not have yet", Next: "give an entry that {listWebhookAttempts} lists as event, or an earlier one"}
	}
	if err != nil {
		return webhook.View{}, err
	}
	k.replayAt = now.Add(askPace)
	h.rewind(k, from)
	return h.view(owner)
}

var notHere = &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.NotWriter, What: "this node sends no events", Next: "send it to the node that writes, or try again in a second", After: time.Second}

// rewind moves a webhook to an entry. The lock is held.
func (h *Hooks) rewind(k *hook, from uint64) {
	k.Due, k.Next, k.After = true, min(from, h.front), ""
	k.epoch++
	h.dirty[k] = struct{}{}
	h.save(h.front)
	h.place(k)
}
