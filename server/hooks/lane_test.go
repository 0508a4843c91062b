package hooks

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/netkit/webhook"
)

// crowd sets the webhooks of agents whose receivers never answer, and makes them
// due.
func (f *fixture) crowd(n int) (slugs []string) {
	f.t.Helper()
	for i := range n {
		slug := fmt.Sprintf("dead-%d", i)
		f.spawn(slug)
		f.sets(slug, netkit.EventDispatch)
		f.answers(slug+".test", hangs)
		slugs = append(slugs, slug)
	}
	f.publish("to all")
	return slugs
}

// replays has owners ask for a replay every six seconds until the returned
// function is called.
func (f *fixture) replays(owners []string) (stop func()) {
	ctx, cancel := context.WithCancel(f.t.Context())
	for _, owner := range owners {
		go func() {
			for timespan.Wait(ctx, 6*time.Second); ctx.Err() == nil; timespan.Wait(ctx, 6*time.Second) {
				_, _ = f.h.Replay(owner, 1) // refused when it comes too early
			}
		}()
	}
	return func() { cancel(); synctest.Wait() }
}

// firstEvent sets a webhook that answers and returns how long its first event
// takes from then on.
func (f *fixture) firstEvent(slug string) time.Duration {
	f.t.Helper()
	f.spawn(slug)
	f.sets(slug, netkit.EventDispatch)
	f.publish("the first for " + slug)
	begun := time.Now()
	for range 600 {
		if got := f.of(slug + ".test"); len(got) > 0 {
			return got[0].at.Sub(begun)
		}
		f.passes(100 * time.Millisecond)
	}
	return time.Since(begun)
}

// The first event of a new receiver arrives soon, whatever a thousand dead
// receivers and sixty agents that ask for replays do.
func TestFirstEventNextToDeadReceivers(t *testing.T) {
	const dead, asking = 1000, 60
	play(t, Config{}, func(t *testing.T, f *fixture) {
		crowd := f.crowd(dead)
		var waits []time.Duration
		waits = append(waits, f.firstEvent("at-once"))
		stop := f.replays(crowd[:asking])
		for i, later := range []time.Duration{time.Minute, 10 * time.Minute, time.Hour} {
			f.passes(later)
			waits = append(waits, f.firstEvent(fmt.Sprint("later-", i)))
		}
		stop()
		if longest := slices.Max(waits); longest > 5*time.Second {
			t.Errorf("got the first event after %v, want each within 5 s", waits)
		}
	})
}

// A newcomer's first event waits for no crowd that is due at the same moment, be
// it from its own address or from another one.
func TestFirstEventAmongNewOnes(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		for i := range 500 {
			slug := fmt.Sprintf("dead-%d", i)
			f.spawn(slug)
			f.setsFrom("198.51.100.7", slug, netkit.EventDispatch)
			f.answers(slug+".test", hangs)
		}
		for _, slug := range []string{"neighbour", "stranger"} {
			f.spawn(slug)
		}
		f.setsFrom("192.0.2.1", "stranger", netkit.EventDispatch)
		f.setsFrom("198.51.100.7", "neighbour", netkit.EventDispatch)
		f.publish("to all")
		f.passes(firstTimeout + time.Second)
		for _, slug := range []string{"neighbour", "stranger"} {
			if got := f.of(slug + ".test"); len(got) != 1 {
				t.Errorf("%s got %d events within three seconds, want one", slug, len(got))
			}
		}
	})
}

// Addresses take turns; of one of them, what came first or was set last is next.
func TestAddressQueue(t *testing.T) {
	for latest, want := range map[bool][]uint64{false: {3, 9, 1, 7, 2, 5}, true: {5, 9, 3, 7, 2, 1}} {
		q := addressQueue{latestFirst: latest}
		for _, one := range []struct {
			address string
			entry   uint64
		}{{"a", 3}, {"a", 1}, {"b", 9}, {"a", 2}, {"b", 7}, {"a", 5}} {
			q.push(&hook{address: one.address, row: row{Entry: one.entry}})
		}
		var got []uint64
		for k := q.pop(); k != nil; k = q.pop() {
			got = append(got, k.Entry)
		}
		if !slices.Equal(got, want) || q.pop() != nil || len(q.waiting) != 0 {
			t.Errorf("latest first %v: got %v, want %v", latest, got, want)
		}
	}
}

// The time-out of a receiver that does not answer halves, and is whole again
// after an answer.
func TestTimeoutShrinks(t *testing.T) {
	const whole = 10 * time.Second
	attempts := func(k *hook, n int, a webhook.Attempt) (got []time.Duration) {
		for range n {
			got = append(got, k.timeout(whole))
			k.judge(&outcome{Attempt: a}, time.Unix(1_800_000_000, 0), func() float64 { return 0 })
		}
		return got
	}
	none, refused := webhook.Attempt{Failure: webhook.FailedTimeout, DurationMS: 10_000}, webhook.Attempt{Failure: webhook.FailedStatus, Status: 500}
	fresh := &hook{row: row{QuickLeft: 1}}
	if got, want := attempts(fresh, 6, none), []time.Duration{2e9, 10e9, 5e9, 25e8, 2e9, 2e9}; !slices.Equal(got, want) {
		t.Errorf("never delivered: got %v, want %v", got, want)
	}
	if got, want := attempts(fresh, 2, refused), []time.Duration{2e9, 10e9}; !slices.Equal(got, want) {
		t.Errorf("after an answer: got %v, want %v", got, want)
	}
	known := &hook{row: row{Delivered: true}}
	if got, want := attempts(known, 5, none), []time.Duration{10e9, 10e9, 5e9, 5e9, 5e9}; !slices.Equal(got, want) {
		t.Errorf("delivered before: got %v, want %v", got, want)
	}
	if got := (&hook{row: row{QuickLeft: 1}}).timeout(time.Second); got != time.Second {
		t.Errorf("got %v of a whole of one second", got)
	}
}
