package hooks

import (
	"cmp"
	"slices"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/rules"
	"github.com/agentnet/netctl/netkit/webhook"
)

const askPace = 5 * time.Second // from one attempt that its owner asks for to the next

// hook is the webhook of one owner, guarded by the lock of its Hooks.
type hook struct {
	owner string
	row
	set      network.Webhook // as the network has it
	sub      rules.Subscription
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
func (k *hook) active() bool { return k.Entry != 0 && !k.Off && k.secret() != "" }

// secret is the one that signs, "" where there is none. One that an earlier release
// kept in the file signs until the journal has it.
func (k *hook) secret() string { return cmp.Or(k.set.Secret, k.Secret) }

// promised are the former secrets that still sign.
func (k *hook) promised(now netkit.Millis) []network.FormerSecret {
	all := k.set.Former
	if k.set.Secret == "" {
		all = k.formers()
	}
	return slices.DeleteFunc(slices.Clone(all), func(f network.FormerSecret) bool { return netkit.Millis(f.Until) <= now })
}

// secrets are those that sign: the present one, and former ones for a while.
func (k *hook) secrets(now netkit.Millis) (all []webhook.Secret) {
	texts := []string{k.secret()}
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
