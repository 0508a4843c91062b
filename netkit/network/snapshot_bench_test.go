package network

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// BenchmarkWriterPause measures how long a command takes at most while 40 snapshots
// of 100,000 agents are made of the running state, and in the same time without:
// one caller, one durable command after the other.
func BenchmarkWriterPause(b *testing.B) {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	f := start(b, store)
	f.stopKeep() // snapshots are made by the benchmark alone
	id, slugs := f.crowd(100_000)
	var during, without []time.Duration
	for range 40 {
		begin := time.Now()
		length := 0
		during = append(during, f.latencies(b, id, slugs, func() {
			if length, err = f.keepSnapshot(ctx); err != nil {
				b.Error(err)
			}
		})...)
		span := time.Since(begin)
		b.Logf("snapshot of %d bytes in %v", length, span)
		without = append(without, f.latencies(b, id, slugs, func() { time.Sleep(span) })...)
	}
	b.Logf("during snapshots: %s", spread(during))
	b.Logf("as long without: %s", spread(without))
	for b.Loop() { // the figures are the metrics above
	}
}

// latencies executes until something ends, and returns how long each took.
func (f *fixture) latencies(b *testing.B, campaign uint64, slugs []string, during func()) (took []time.Duration) {
	done := make(chan struct{})
	go func() { defer close(done); during() }()
	for i := 0; ; i++ {
		select {
		case <-done:
			return took
		default:
		}
		begin := time.Now()
		if _, err := f.As(slugs[i*7919%len(slugs)]).Execute(context.Background(), netkit.Execute{CampaignID: campaign, Signal: signal}); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begin))
	}
}

func spread(took []time.Duration) string {
	slices.Sort(took)
	at := func(share float64) time.Duration { return took[int(float64(len(took)-1)*share)] }
	return fmt.Sprintf("%d commands, median %v, 99.9 %% %v, longest %v", len(took), at(0.5), at(0.999), at(1))
}

// BenchmarkStartAfterCrash measures the start of a network that was not closed:
// by replaying 300,000 entries, and from a snapshot that it kept while it ran.
func BenchmarkStartAfterCrash(b *testing.B) {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	f := start(b, store)
	id, slugs := f.crowd(10_000)
	f.fill(id, slugs, 290_000)
	f.stopKeep()
	f.keeping.Wait() // what it kept so far is what a crash leaves
	for _, replay := range []bool{true, false} {
		b.Run(fmt.Sprintf("replay=%v", replay), func(b *testing.B) {
			for b.Loop() {
				n, err := New(ctx, Config{Store: store, IgnoreSnapshot: replay, SnapshotEvery: 1 << 62})
				if err != nil {
					b.Fatal(err)
				}
				n.stopKeep()
				b.ReportMetric(float64(n.state.Size()-n.resumed), "replayed")
			}
		})
	}
}
