package hooks

import (
	"fmt"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/webhook"
)

// However many webhooks there are, the journal is read once for the same span,
// when it happens and when all of them go back to its beginning.
func TestWebhooksShareOneRead(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		var owners []string
		for k := range 20 {
			owners = append(owners, fmt.Sprintf("agent-%02d", k))
		}
		f.spawn(owners...)
		for _, owner := range owners {
			f.sets(owner, netkit.EventDispatch)
		}
		f.passes(time.Second)
		before := f.store.reads.Load()
		var want []uint64
		for k := range 100 {
			want = append(want, f.publish(fmt.Sprint("headline ", k)))
		}
		f.passes(time.Minute)
		for _, owner := range owners {
			if got := entries(f.of(owner+".test"), netkit.EventDispatch); len(got) != len(want) {
				t.Errorf("%s got %d events, want %d", owner, len(got), len(want))
			}
		}
		if got := f.store.reads.Load() - before; got > int64(len(want)) {
			t.Errorf("got %d entries read for %d webhooks, want each of %d entries once", got, len(owners), len(want))
		}
		before = f.store.reads.Load()
		for _, owner := range owners {
			netkittest.Must[webhook.View](t)(f.h.Replay(owner, 0))
		}
		f.passes(time.Minute)
		for _, owner := range owners {
			if got := entries(f.of(owner+".test"), netkit.EventDispatch); len(got) != len(want) {
				t.Errorf("%s got %d events again, want %d", owner, len(got), len(want))
			}
		}
		if got := f.store.reads.Load() - before; got > int64(f.Size()) {
			t.Errorf("got %d entries read for the replays, want each of %d entries once at most", got, f.Size())
		}
	})
}
