package audit_test

import (
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"filippo.io/torchwood"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// BenchmarkMirror measures a whole audit of a mirror on one core: files, tiles,
// tree, signature and every rule.
func BenchmarkMirror(b *testing.B) {
	const callers, each = 64, 800
	dir := founded(b)
	h := open(b, dir, now)
	ct := netkittest.Must[netkit.ContractReceipt](b)(h.Network.As("operator").OpenContract(b.Context(), netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b",
		Channel: netkit.NicheLegal, Budget: 500 * netkit.Credit, ExecutionsPerAgent: 1_000_000}))
	netkittest.Must[netkit.Deposited](b)(h.Network.As("operator").Deposit(b.Context(), netkit.Deposit{Sponsor: "acme", Amount: netkit.MaxAmount, Reference: "wire 2"}))
	netkittest.Must[netkit.ContractReceipt](b)(h.Network.As("operator").FundContract(b.Context(), netkit.FundContract{CampaignID: ct.CampaignID, Amount: netkit.MaxAmount / 2}))
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range each {
				if _, err := h.Network.As("ada").Execute(b.Context(), netkit.Execute{CampaignID: ct.CampaignID,
					Signal: netkit.Signal{Headline: "h", Body: "b", Sources: []string{"https://example.org/a"}}}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
	done(b, h)
	files := mirror(b, dir)
	log := netkittest.Must[*torchwood.TileFS](b)(torchwood.NewTileFS(os.DirFS(files)))
	runtime.GC()
	b.ReportAllocs()
	entries := uint64(0)
	for b.Loop() {
		report, err := audit.Run(b.Context(), audit.Config{From: files, Log: log, Seen: audit.Seen(b.TempDir()), Now: func() time.Time { return now }})
		if err != nil {
			b.Fatal(err)
		}
		entries = report.Entries
	}
	b.ReportMetric(float64(entries)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}
