package host

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive/s3"
	"github.com/agentnet/netctl/netkit/archive/s3/s3test"
)

// Take-overs at random moments of a loaded network, over a bucket that loses answers:
// every entry that was acknowledged is in the new folder or named by the old one, and
// the two never differ in what both have.
func TestTakeOverUnderLoad(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 2
	}
	s3test.Credentials(t)
	random := rand.New(rand.NewPCG(23, 3))
	lost := 0
	for round := range rounds {
		behind := s3test.New(s3test.Faults{})
		srv := httptest.NewServer(behind)
		store, err := s3.Open("s3://bucket/net?region=us-east-1&endpoint=" + srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		ids, recipient := keyPair(t)
		dir, standby := t.TempDir(), filepath.Join(t.TempDir(), "standby")
		closeHost(t, begin(t, dir))
		cfg := ArchiveConfig{Store: store, Recipients: []string{recipient}}
		h := archivedNetwork(t, dir, cfg)
		var mu sync.Mutex
		behind.Set(s3test.Faults{Lost: func(_ int, method, _ string) bool {
			mu.Lock()
			defer mu.Unlock()
			return method == "PUT" && random.IntN(6) == 0
		}})
		acked := map[uint64]bool{}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := 0; ctx.Err() == nil; i++ {
				if _, err := h.Network.As("").Spawn(ctx, netkit.Spawn{Slug: fmt.Sprintf("w-%d", i)}); err != nil {
					continue
				}
				acked[h.Network.Health().Entries-1] = true
				time.Sleep(time.Millisecond)
			}
		}()
		mu.Lock()
		pause := time.Duration(random.IntN(1500)) * time.Millisecond
		mu.Unlock()
		time.Sleep(pause)
		awaitObject(t, h)
		f := followed(t, standby, store, ids)
		out, err := f.TakeOver(t.Context(), cfg.Recipients, func(err error) { t.Logf("round %d: %v", round, err) })
		if err != nil {
			t.Fatal(err)
		}
		stop()
		<-done
		closeHost(t, h)
		behind.Set(s3test.Faults{})
		missing, err := FindUnarchived(t.Context(), dir, store)
		if err != nil || !missing.Replaced || missing.Shared.Size != out.Tree.Size {
			t.Fatalf("round %d: got %+v, %v, want entries from %d on", round, missing, err, out.Tree.Size)
		}
		named := map[uint64]bool{}
		for _, e := range missing.Entries {
			named[e.Seq] = e.Actor != ""
		}
		for seq := range acked {
			if seq >= out.Tree.Size && !named[seq] {
				t.Errorf("round %d: entry %d was acknowledged, is not in the new folder, and is not named", round, seq)
			}
		}
		lost += len(missing.Entries)
		next := archivedNetwork(t, standby, cfg)
		closeHost(t, next)
		srv.Close()
		if t.Failed() {
			return
		}
	}
	t.Logf("%d take-overs, %d entries named as lost", rounds, lost)
}

// awaitObject waits until the archive holds an object.
func awaitObject(t *testing.T, h *Host) {
	t.Helper()
	for range 1000 {
		if status, _ := h.Archive(); status.Objects > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nothing is in the archive")
}
