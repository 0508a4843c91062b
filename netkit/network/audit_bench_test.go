package network

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// ledger makes a journal of executions by the public methods alone, with a
// night after every so many, and an attention request among every ten if those
// are asked for.
func ledger(b *testing.B, entries, night int, attention bool) [][]byte {
	b.Helper()
	f := memory(b)
	f.admit("acme", netkit.MaxAmount)
	slugs := named("agent", 200)
	f.agents(slugs...)
	for _, slug := range slugs {
		f.takes(slug, netkit.Credit)
	}
	id := f.opens("acme", netkit.MaxAmount/2, 1_000_000)
	for k := 0; int(f.state.Size()) < entries; k++ {
		who := slugs[k*7%len(slugs)]
		f.executes(who, id)
		if attention && k%10 == 0 {
			r := f.asks(who, slugs[(k+1)*7%len(slugs)])
			must[netkit.AttentionReceipt](b)(f.As(slugs[(k+1)*7%len(slugs)]).AnswerAttention(b.Context(), netkit.AnswerAttention{ID: r.ID, Body: "yes"}))
		}
		if k%night == night-1 {
			f.days(1)
			f.night()
		}
	}
	var all [][]byte
	for r, err := range f.store.Read(b.Context(), 0, f.state.Size()) {
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, append([]byte(nil), r.Public...))
	}
	return all
}

// BenchmarkAudit measures what one core checks: hashes alone, and hashes with
// every rule.
func BenchmarkAudit(b *testing.B) {
	all := ledger(b, 50_000, 5000, true)
	bytes := 0
	for _, e := range all {
		bytes += len(e)
	}
	b.Run("hashes", func(b *testing.B) {
		for b.Loop() {
			var t journal.Tree
			var nodes []journal.Node
			for _, e := range all {
				nodes = t.Append(journal.Leaf(e), nodes[:0])
			}
		}
		perSecond(b, len(all), bytes)
	})
	b.Run("rules", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			taken(b, all)
		}
		perSecond(b, len(all), bytes)
	})
}

// BenchmarkAuditMemory measures what an auditor keeps of two journals of ten
// days and the same agents, of which one has four times as many entries.
func BenchmarkAuditMemory(b *testing.B) {
	for _, entries := range []int{50_000, 200_000} {
		b.Run(fmt.Sprintf("entries=%d", entries), func(b *testing.B) {
			all := ledger(b, entries, entries/10, false)
			var kept uint64
			for b.Loop() {
				before := heldBytes()
				a := taken(b, all)
				kept = heldBytes() - before
				runtime.KeepAlive(a)
			}
			b.ReportMetric(float64(kept), "kept-bytes")
		})
	}
}

func heldBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// taken is an auditor that has taken all entries.
func taken(b *testing.B, all [][]byte) *rules.Auditor {
	b.Helper()
	a, err := rules.NewAuditor(netkit.AuditConfig{Entry: func(seq uint64) ([]byte, error) { return all[seq], nil }})
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range all {
		if err := a.Take(e); err != nil {
			b.Fatal(err)
		}
	}
	return a
}

func perSecond(b *testing.B, entries, bytes int) {
	b.Helper()
	b.ReportMetric(float64(entries)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	b.ReportMetric(float64(bytes)/float64(entries), "bytes/entry")
}
