package hooks

import (
	"net/http"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/webhook"
)

const (
	patience   = 24 * time.Hour // with an event, and with a receiver
	firstRetry = 5 * time.Second
	growth     = 3
	lastRetry  = 6 * time.Hour

	firstTimeout = 2 * time.Second // of the first attempt at an address, and the shortest one
	slowAnswer   = 2 * time.Second // for an answer, and for the turn of a webhook
	quickAnswers = 16              // after a slow one, before a receiver counts as prompt again
)

// reset forgets what is known of the receiver: the address leads to another one,
// or was switched on again.
func (k *hook) reset() {
	k.recover()
	k.Delivered, k.Timeouts, k.QuickLeft = false, 0, 1
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
	givenUp           // continue with the next event
	switchOff
)

// judge takes an attempt into account, and says in it when the next one is: not
// before the receiver wants it, and within the schedule.
func (k *hook) judge(a *outcome, now time.Time, jitter func() float64) verdict {
	switch {
	case a.Failure == webhook.FailedTimeout:
		k.Timeouts++
	case a.Status != 0:
		k.Timeouts = 0
	}
	if a.DurationMS > slowAnswer.Milliseconds() {
		k.QuickLeft = quickAnswers
	} else if a.Delivered() {
		k.QuickLeft = max(0, k.QuickLeft-1)
	}
	if a.Delivered() {
		k.recover()
		k.Delivered = true
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

// timeout is how long the next attempt may take, of at most a whole time-out. It
// halves with each attempt in a row that was not answered in time. A receiver
// that has delivered keeps half of the whole, since it may only be slow.
func (k *hook) timeout(whole time.Duration) time.Duration {
	shortest := min(firstTimeout, whole)
	switch {
	case k.lane() == laneFirst:
		return shortest
	case k.Delivered:
		shortest = max(shortest, whole/2)
	}
	d := whole
	for range k.Timeouts - 1 {
		if d /= 2; d <= shortest {
			return shortest
		}
	}
	return d
}
