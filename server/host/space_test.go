package host

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
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

// answering is a journal that answers each append with the next of some errors.
type answering struct {
	journal.Store
	answers []error
}

func (s *answering) Append(context.Context, journal.Head, journal.Batch) (journal.Head, error) {
	err := s.answers[0]
	s.answers = s.answers[1:]
	return journal.Head{}, err
}

// A batch that the journal may hold is repeated below the floor too, until its outcome
// is known.
func TestABatchInDoubtNeedsNoRoom(t *testing.T) {
	free := uint64(100)
	s := &spacedStore{to: &answering{answers: []error{journal.ErrDoubtful, journal.ErrDoubtful, nil}}, space: &space{floor: 50, free: func(string) (uint64, error) { return free, nil }}}
	batch := journal.Batch{Records: []journal.Record{{Public: []byte("{}")}}}
	for i, want := range []error{journal.ErrDoubtful, journal.ErrDoubtful, nil, journal.ErrLowSpace} {
		if _, err := s.Append(t.Context(), journal.Head{}, batch); !errors.Is(err, want) {
			t.Errorf("append %d: got %v, want %v", i, err, want)
		}
		free = 10
	}
}
