package network

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// erasingStore has texts erased while it is read: before one of its readings.
type erasingStore struct {
	journal.Store
	left  int
	erase func()
}

func (s *erasingStore) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	if s.left--; s.left == 0 {
		s.erase()
	}
	return s.Store.Read(ctx, from, to)
}

// A text that is erased while the snapshot is compared with the entries is no
// difference.
func TestErasureWhileSnapshotIsCompared(t *testing.T) {
	for reading := 1; reading <= 4; reading++ {
		f := memory(t)
		f.admit("acme", netkit.Credit)
		var entries []uint64
		for i := range 4 {
			in := netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: fmt.Sprint("wire 1", i)}
			entries = append(entries, must[netkit.Deposited](t)(f.op().Deposit(netkit.WithKey(t.Context(), fmt.Sprint("key ", i)), in)).Seq)
			if i == 1 {
				must[struct{}](t)(struct{}{}, f.Snapshot(t.Context()))
			}
		}
		erased := false
		s := &erasingStore{f.store, reading, func() {
			erased = true
			for _, id := range entries {
				must[netkit.ErasureReceipt](t)(f.op().ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: id, Reason: "names a person"}))
			}
		}}
		if n, err := CheckSnapshot(t.Context(), s); n == 0 || err != nil || reading <= 2 && !erased {
			t.Errorf("erased before reading %d: got %d entries compared, %v, erased %v", reading, n, err, erased)
		}
	}
}
