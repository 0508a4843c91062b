package hooks

import (
	"context"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/timespan"
)

const (
	recordEvery = time.Minute
	recordGap   = 10_000          // entries without an event for any webhook, after which the front is recorded
	lastRecord  = 2 * time.Second // how long the end of deliveries waits for its record at most
)

// recordEach records positions now and each minute, until the context ends.
func (h *Hooks) recordEach(ctx context.Context) {
	for again := true; again; again = timespan.Wait(ctx, recordEvery) {
		h.recordPositions(ctx)
	}
}

// recordLast records the positions at the end, if the network still takes commands.
func (h *Hooks) recordLast(ctx context.Context) {
	if h.cfg.Network.Following() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastRecord)
	defer cancel()
	h.recordPositions(ctx)
}

// recordPositions has the journal record how far webhooks are, if anything was to be
// sent since the last record. A failure is logged, and the next record makes up for it.
func (h *Hooks) recordPositions(ctx context.Context) {
	front, changed, due := h.positions()
	if !due {
		return
	}
	entry, err := h.cfg.Network.As(netkit.NetworkActor).RecordWebhookPositions(ctx, front, changed)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil {
		h.told = true
		if ctx.Err() == nil && !h.cfg.Network.Following() {
			h.complain(err)
		}
		return
	}
	h.noted = entry
	h.save(h.front)
}

// positions returns what is to be recorded, and whether it is worth an entry. The file
// has it by then.
func (h *Hooks) positions() (front uint64, changed []network.WebhookPosition, due bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	recorded := h.cfg.Network.WebhookPositions()
	if h.store == nil { // before the first webhook: it is sent all that comes from here on
		return h.cfg.Network.Size(), nil, recorded.Entry == 0 && !h.lacksRow()
	}
	h.save(h.front)
	for owner, k := range h.rows {
		next := uint64(0)
		if k.active() && k.Due {
			next = max(k.Next, 1)
		}
		if recorded.Behind[owner] != next {
			changed = append(changed, network.WebhookPosition{Owner: owner, Next: next})
		}
		delete(recorded.Behind, owner)
	}
	for owner := range recorded.Behind { // its webhook was removed
		changed = append(changed, network.WebhookPosition{Owner: owner})
	}
	if h.lacksRow() {
		return 0, nil, false
	}
	due = h.told || len(changed) > 0 || h.front >= recorded.Front+recordGap
	h.told = false
	return h.front, changed, due
}

// lacksRow reports whether there is a webhook without a row: it was set a moment ago, or
// the file takes nothing. Where it is, is not known here.
func (h *Hooks) lacksRow() bool {
	for _, owner := range h.cfg.Network.WebhookOwners() {
		if h.rows[owner] == nil && h.cfg.Network.Webhook(owner).Secret != "" {
			return true
		}
	}
	return false
}
