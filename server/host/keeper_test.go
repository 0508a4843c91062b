package host

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/proof"
)

// The keeper signs after a thousand entries without waiting, after less within
// a second, and never where nothing was written.
func TestKeeperFollowsByEntriesAndTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewMemory()
		private, public, err := proof.NewKey(strings.NewReader(strings.Repeat("k", 64)), proof.Origin("test"))
		if err != nil {
			t.Fatal(err)
		}
		n, err := network.New(t.Context(), network.Config{Store: store, Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}, LogKey: public}})
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		log, err := proof.New(t.Context(), proof.Config{Store: store, Key: private, KeepSigned: func(context.Context, []byte) error { kept++; return nil }})
		if err != nil {
			t.Fatal(err)
		}
		k := keep(t.Context(), n, log, 0, nil)
		h := &Host{Network: n}
		spawned(t, h, "a", keepEntries)
		synctest.Wait()
		if kept == 0 {
			t.Errorf("got no checkpoint after %d entries, want one at once", keepEntries)
		}
		kept = 0
		spawned(t, h, "b", 5)
		time.Sleep(time.Second)
		if synctest.Wait(); kept == 0 {
			t.Error("got no checkpoint within a second of an entry")
		}
		kept = 0
		time.Sleep(time.Hour)
		if synctest.Wait(); kept != 0 {
			t.Errorf("got %d checkpoints of nothing new", kept)
		}
		if err := k.close(t.Context()); err != nil {
			t.Error(err)
		}
		if err := n.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
