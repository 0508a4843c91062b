package web_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/agentnet/netctl/netkit"
)

// crowd opens many contracts and spawns as many agents as it is told.
func (w *town) crowd(contracts, agents int) {
	w.t.Helper()
	ctx := context.Background()
	if _, err := w.net.As("operator").Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: 2_000_000 * netkit.Credit, Reference: "wire 2"}); err != nil {
		w.t.Fatal(err)
	}
	var all sync.WaitGroup
	const callers = 64
	for c := range callers {
		all.Go(func() {
			for i := c; i < contracts; i += callers {
				if _, err := w.net.As("operator").OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: fmt.Sprintf("Contract number %d", i), Brief: "b", Payload: "p",
					Channel: netkit.Niches()[i%6], Budget: 10 * netkit.Credit}); err != nil {
					w.t.Error(err)
					return
				}
			}
			for i := c; i < agents; i += callers {
				if _, err := w.net.As("").Spawn(ctx, netkit.Spawn{Slug: fmt.Sprintf("agent-%d", i)}); err != nil {
					w.t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkPages draws pages of a network with 100,000 contracts and as many
// agents.
func BenchmarkPages(b *testing.B) {
	w := found(b)
	w.crowd(100_000, 100_000)
	v := w.visitor()
	for _, path := range []string{"/", "/market", "/market?channel=LEGAL", "/market?state=closed", "/directory", "/directory?tier=ELITE", "/agent/agent-7", "/ledger"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				if got := v.get(path); got.StatusCode != 200 {
					b.Fatalf("got %d", got.StatusCode)
				}
			}
		})
	}
}

// TestFirstPaint says how long a browser takes to show the market of a
// network with 100,000 contracts. It measures and asserts nothing of time.
func TestFirstPaint(t *testing.T) {
	w := found(t)
	b := browse(t, w)
	w.crowd(100_000, 0)
	for range 3 {
		b.open("/market")
		b.says("Contract number")
		var paint float64
		b.run(chromedp.Poll(`performance.getEntriesByName("first-contentful-paint")[0]?.startTime`, &paint))
		t.Logf("first contentful paint after %.0f ms", paint)
	}
	var items int
	b.eval(`document.querySelectorAll("table th[scope=row]").length`, &items)
	if items != 25 {
		t.Errorf("got %d contracts on a page, want a window of 25", items)
	}
}
