package network

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/rules"
)

// grows returns how long the tree takes for one entry of those in the store:
// its leaf and the hashes above it, as the clerk makes them.
func grows(b *testing.B, records []journal.Record) time.Duration {
	b.Helper()
	var nodes []journal.Node
	t, n := new(journal.Tree), 0
	begin := time.Now()
	for ; n < 400_000; n++ {
		nodes = t.Append(journal.Leaf(records[n%len(records)].Public), nodes[:0])
	}
	return time.Since(begin) / time.Duration(n)
}

// reportTree reports what the tree takes, in percent of what the rest takes.
func reportTree(b *testing.B, entry, tree time.Duration) {
	b.ReportMetric(float64(tree.Nanoseconds()), "tree-ns/entry")
	b.ReportMetric(100*float64(tree)/float64(entry-tree), "%-more")
}

// BenchmarkTree measures what the Merkle tree adds to an execution: to what the
// clerk does for it in memory, and to acknowledged executions on SQLite. The
// time of the tree alone is taken in the same run over the same entries.
func BenchmarkTree(b *testing.B) {
	b.Run("memory", func(b *testing.B) {
		f := start(b, discard{journal.NewMemory()})
		id, slugs := f.crowd(1000)
		stored, p, err := f.seal("", as("x"), &rules.Execute{}, (*signalText)(&signal))
		if err != nil {
			b.Fatal(err)
		}
		var batch journal.Batch
		j := &job{stored: stored, private: p, hash: sha256.Sum256(stored), cmd: &rules.Execute{Execute: netkit.Execute{CampaignID: id, Signal: signal}}}
		begin := time.Now()
		for i := range b.N {
			if i%1024 == 0 {
				if i > 0 {
					f.machine.Seal()
					f.commit()
				}
				batch.Records, batch.Nodes = batch.Records[:0], batch.Nodes[:0]
				f.machine.Begin()
			}
			j.by.Slug, j.err = slugs[i*7919%len(slugs)], nil
			f.machine.Decide(j, &batch)
		}
		f.machine.Seal()
		entry := time.Since(begin) / time.Duration(b.N)
		b.StopTimer()
		reportTree(b, entry, grows(b, batch.Records))
	})
	for _, callers := range []int{64, 1024} {
		b.Run(fmt.Sprintf("durable/callers=%d", callers), func(b *testing.B) {
			store := must[*sqlite.Store](b)(sqlite.Open(context.Background(), sqlite.Config{Dir: b.TempDir()}))
			defer store.Close()
			f := start(b, store)
			id, slugs := f.crowd(10_000)
			head := must[journal.Head](b)(store.Head(context.Background()))
			begin := time.Now()
			b.ResetTimer()
			parallel(b, callers, func(i int) error {
				_, err := f.As(slugs[i*7919%len(slugs)]).Execute(context.Background(), netkit.Execute{CampaignID: id, Signal: signal})
				return err
			})
			entry := time.Since(begin) / time.Duration(b.N)
			b.StopTimer()
			var records []journal.Record
			for r, err := range store.Read(context.Background(), head.Size, head.Size+1000) {
				if err != nil {
					b.Fatal(err)
				}
				r.Public = append([]byte(nil), r.Public...)
				records = append(records, r)
			}
			b.ReportMetric(float64(time.Second/entry), "executions/s")
			reportTree(b, entry, grows(b, records))
		})
	}
}
