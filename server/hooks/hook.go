package hooks

import (
	"slices"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
	"github.com/agentnet/netctl/netkit/webhook"
)

const (
	askPace     = 5 * time.Second // from one attempt that its owner asks for to the next
	formerHolds = 24 * time.Hour  // a secret that was replaced
	maxFormer   = 4               // of them at the same time
)

// hook is the webhook of one owner, guarded by the lock of its Hooks.
type hook struct {
	owner string
	row
	sub      rules.Subscription
	url      string
	address  string    // of the client that set it, "" where that is not known; kept in memory alone
	epoch    int       // moves when something else than its worker changes the row
	queued   bool      // in a lane
	busy     bool      // with a worker
	asked    bool      // an attempt that its owner asked for is under way
	askAt    time.Time // from which on it may ask for the next one
	replayAt time.Time // from which on it may ask for the next replay
	timer    *time.Timer
}

// active reports whether anything may be sent.
func (k *hook) active() bool { return k.Entry != 0 && !k.Off }

// promised are the former secrets that still sign.
func (r *row) promised(now netkit.Millis) []former {
	return slices.DeleteFunc(slices.Clone(r.Former), func(f former) bool { return f.Until <= now })
}

// secrets are those that sign: the present one, and former ones for a while.
func (k *hook) secrets(now netkit.Millis) (all []webhook.Secret) {
	texts := []string{k.Secret}
	for _, f := range k.promised(now) {
		texts = append(texts, f.Secret)
	}
	for _, text := range texts {
		if s, err := webhook.ParseSecret(text); err == nil {
			all = append(all, s)
		}
	}
	return all
}
