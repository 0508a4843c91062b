package hooks

import (
	"net/http"
	"slices"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/webhook"
)

const (
	askPace     = 5 * time.Second // from one attempt that its owner asks for to the next
	patience    = 24 * time.Hour  // with an event, and with a receiver
	firstRetry  = 5 * time.Second
	growth      = 3
	lastRetry   = 6 * time.Hour
	formerHolds = 24 * time.Hour  // a secret that was replaced
	maxFormer   = 4               // of them at the same time
	slowAnswer  = 2 * time.Second // for an answer, and for the turn of a webhook
	wariness    = 16              // quick answers after a slow one, before a receiver counts as prompt again
)

// hook is the webhook of one owner, guarded by the lock of its Hooks.
type hook struct {
	owner string
	row
	sub      netkit.Subscription
	url      string
	epoch    int       // moves when something else than its worker changes the row
	queued   bool      // in a lane
	busy     bool      // with a worker
	asked    bool      // an attempt that its owner asked for is under way
	askAt    time.Time // from which on it may ask for the next one
	replayAt time.Time // from which on it may ask for the next replay
	timer    *time.Timer
}

// lane is which workers serve it: those that fail, are slow or are new have
// workers of their own, so that they hold up no others.
func (k *hook) lane() int {
	if k.Wary > 0 || k.Tries > 0 {
		return slow
	}
	return prompt
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

// recover forgets the failures.
func (k *hook) recover() {
	k.Tries, k.FirstAt, k.FailingAt, k.RetryAt, k.GaveUp = 0, 0, 0, 0, false
}

// verdict is what follows from an attempt.
type verdict int

const (
	delivered verdict = iota
	again             // later
	givenUp           // go on with the next event
	switchOff
)

// judge takes an attempt into account, and says in it when the next one is: not
// before the receiver wants it, and within the schedule.
func (k *hook) judge(a *outcome, now time.Time, jitter func() float64) verdict {
	if k.Wary = max(0, k.Wary-1); a.DurationMS > slowAnswer.Milliseconds() {
		k.Wary = wariness
	}
	if a.Delivered() {
		k.recover()
		return delivered
	}
	at := netkit.At(now)
	if k.Tries == 0 {
		k.FirstAt = at
	}
	if k.FailingAt == 0 {
		k.FailingAt = at
	}
	k.Tries++
	end := k.FirstAt.Time().Add(patience)
	switch {
	case a.Status == http.StatusGone, k.GaveUp && !now.Before(k.FailingAt.Time().Add(patience)):
		return switchOff
	case !now.Before(end):
		k.Tries, k.RetryAt, k.GaveUp = 0, 0, true
		return givenUp
	}
	next := now.Add(max(backoff(k.Tries, jitter()), min(a.wait, lastRetry)))
	if next.After(end) {
		next = end
	}
	k.RetryAt = netkit.At(next)
	a.NextAt = k.RetryAt
	return again
}

// backoff is how long to wait after a number of tries: longer each time, give
// or take a fifth.
func backoff(tries int, jitter float64) time.Duration {
	d := firstRetry
	for range tries - 1 {
		d = min(d*growth, lastRetry)
	}
	return d*4/5 + time.Duration(jitter*float64(d)*2/5)
}
