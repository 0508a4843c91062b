package host

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/server/audio"
)

// Below the floor nothing is written, with a reason; reads and backups continue, and
// writing begins again by itself once there is room.
func TestWritingStopsAtTheFloor(t *testing.T) {
	dir := t.TempDir()
	var free atomic.Uint64
	free.Store(100 << 20)
	h, err := New(t.Context(), Config{Dir: dir, Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}}, SpaceFloor: 64 << 20,
		FreeSpace: func(string) (uint64, error) { return free.Load(), nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer closeHost(t, h)
	spawned(t, h, "a", 3)
	free.Store(63 << 20)
	for range 3 {
		var refused *netkit.Refusal
		if _, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "late"}); !errors.As(err, &refused) || refused.Code != code.DiskFull || !strings.Contains(refused.What, "keeps free") {
			t.Errorf("below the floor: got %v, want %s with its reason", err, code.DiskFull)
		}
	}
	if _, err := h.Audio.Put(t.Context(), audio.Upload{By: "operator"}, strings.NewReader(wave("x"))); err == nil {
		t.Error("a recording was stored below the floor")
	}
	if _, err := h.Network.As("").Profile(t.Context(), "a-1"); err != nil {
		t.Errorf("a read: %v", err)
	}
	_, recipient := keyPair(t)
	if _, m, err := Backup(t.Context(), BackupConfig{Dir: dir, Journal: h.Store, To: t.TempDir(), Recipients: []string{recipient}}); err != nil || m.Tree.Size != 4 {
		t.Errorf("a backup: got %d entries, %v", m.Tree.Size, err)
	}
	free.Store(100 << 20)
	netkittest.Until(t, "writing to begin again", func() bool {
		_, err := h.Network.As("").Spawn(context.Background(), netkit.Spawn{Slug: "again"})
		return err == nil
	})
}
