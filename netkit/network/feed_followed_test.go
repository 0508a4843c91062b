package network

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// A network that follows says which files dispatches began to name, and that a private
// part was erased.
func TestFollowerNamesFiles(t *testing.T) {
	f := memory(t)
	b := f.follower()
	audio := recording
	id := must[netkit.DispatchReceipt](t)(f.op().Publish(t.Context(), netkit.Publish{Priority: netkit.P0, Channel: netkit.NicheLegal, Headline: "h",
		Audio: &audio, Transcript: &netkit.TextRef{SHA256: netkit.Hash{2}, Type: "text/plain"}})).DispatchID
	must[uint64](t)(b.CatchUp(t.Context()))
	named, erasure, err := b.WaitFiles(t.Context())
	if err != nil || erasure || len(named) != 2 || named[0] != audio.SHA256 || named[1] != (netkit.Hash{2}) {
		t.Errorf("got %v, %v, %v, want two files", named, erasure, err)
	}
	f.erases(id)
	must[uint64](t)(b.CatchUp(t.Context()))
	if named, erasure, err = b.WaitFiles(t.Context()); err != nil || !erasure || named != nil {
		t.Errorf("got %v, %v, %v, want an erasure", named, erasure, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := b.WaitFiles(ended); err == nil {
		t.Error("without news: got no error")
	}
}

// ownSnapshots is a journal that others write, with snapshots of its own.
type ownSnapshots struct {
	journal.Store
	own *journal.Memory
}

func (s ownSnapshots) WriteSnapshot(ctx context.Context, size uint64, write func(io.Writer) error) error {
	return s.own.WriteSnapshot(ctx, size, write)
}

func (s ownSnapshots) ReadSnapshot(ctx context.Context) (uint64, io.ReadCloser, error) {
	return s.own.ReadSnapshot(ctx)
}

// A network that follows sets its snapshot aside when a text in it is erased, whether it
// runs or starts later.
func TestFollowerForgetsErasedTexts(t *testing.T) {
	for name, away := range map[string]bool{"runs": false, "was away": true} {
		f := memory(t)
		f.agents("ada")
		seq := must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(t.Context(), netkit.SetWebhook{URL: "https://example.org/now"})).Seq
		apart := &fixture{t: t, now: f.now, store: ownSnapshots{f.store, journal.NewMemory()}}
		b := apart.follower()
		if err := b.Snapshot(t.Context()); err != nil || !bytes.Contains(apart.snapshot(), []byte("example.org")) {
			t.Fatalf("the snapshot does not hold the address before: %v", err)
		}
		if f.erases(seq); away {
			apart.follower()
		} else {
			must[uint64](t)(b.CatchUp(t.Context()))
		}
		for end := time.Now().Add(time.Minute); bytes.Contains(apart.snapshot(), []byte("example.org")); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: the snapshot keeps the erased text", name)
			}
		}
	}
}
