package hooks

import (
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/webhook"
)

// A replay does not shorten the wait after a failure, not even one that is asked
// for while an attempt is under way; an attempt that the owner asks for and that
// is delivered ends the wait.
func TestReplayKeepsBackoff(t *testing.T) {
	for name, answer := range map[string]func(t *testing.T, f *fixture){
		"fails": func(_ *testing.T, f *fixture) { f.answers("ada.test", status(500)) },
		"hangs": func(_ *testing.T, f *fixture) { f.answers("ada.test", hangs) },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, Config{}, func(t *testing.T, f *fixture) {
				f.spawn("ada")
				f.sets("ada", netkit.EventDispatch)
				answer(t, f)
				one := f.publish("one")
				begun := time.Now()
				for range 1200 {
					f.passes(3 * time.Second)
					_, _ = f.h.Replay("ada", 1) // refused when it comes too early
				}
				tries := f.of("ada.test")
				if len(tries) < 6 || len(tries) > 9 {
					t.Errorf("got %d tries in an hour, want those of the schedule", len(tries))
				}
				for i, try := range tries[1:] {
					if gap, least := try.at.Sub(tries[i].at), backoff(i+1, 0); gap < least {
						t.Errorf("try %d after %s: got it %s after the one before, want at least %s", i+2, try.at.Sub(begun), gap, least)
					}
				}
				v := f.view("ada")
				if v.RetryAt == 0 || v.State != webhook.Failing {
					t.Fatalf("got %+v, want it to wait", v)
				}
				f.answers("ada.test", nil)
				netkittest.Must[webhook.Attempt](t)(f.h.Test(t.Context(), "ada"))
				f.passes(time.Second)
				if got := entries(f.of("ada.test"), netkit.EventDispatch); !slices.Equal(got, []uint64{one}) || f.view("ada").State != webhook.On {
					t.Errorf("got %v after a test that was delivered, want entry %d at once", got, one)
				}
			})
		})
	}
}

// The same address set again, with other types, keeps the wait as well.
func TestSetAgainKeepsBackoff(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		f.answers("ada.test", status(500))
		f.publish("one")
		f.passes(time.Hour)
		f.of("ada.test")
		retry := f.view("ada").RetryAt
		f.sets("ada", netkit.EventDispatch, netkit.EventNotice)
		f.passes(time.Second)
		if got := f.of("ada.test"); len(got) != 0 || f.view("ada").RetryAt != retry {
			t.Errorf("got %d attempts, want none before %v", len(got), retry)
		}
	})
}

// A replay begins in the journal or at its end.
func TestReplayBeyondTheJournal(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		f.sets("ada", netkit.EventDispatch)
		for _, from := range []uint64{f.Size() + 1, 1 << 62, ^uint64(0)} {
			_, err := f.h.Replay("ada", from)
			refused(t, err, "entry_unknown")
		}
		if v := netkittest.Must[webhook.View](t)(f.h.Replay("ada", f.Size())); v.Next > f.Size() {
			t.Errorf("got %+v, want it to wait for what is new", v)
		}
	})
}
