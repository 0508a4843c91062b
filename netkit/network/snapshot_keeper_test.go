package network

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// forge replaces a text in the snapshot of a store and makes its sum fit.
func forge(t *testing.T, s journal.Store, old, new string) {
	t.Helper()
	size, b, err := loadSnapshot(t.Context(), s)
	if err != nil || !bytes.Contains(b, []byte(old)) {
		t.Fatalf("the snapshot lacks %s: %v", old, err)
	}
	b = bytes.Replace(b[:len(b)-65], []byte(old), []byte(new), 1)
	b = fmt.Appendf(b, "%x\n", sha256.Sum256(b))
	if err := s.WriteSnapshot(t.Context(), size, func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
		t.Fatal(err)
	}
}

// Whoever writes the snapshot again, sum included, is found out: by a check of the
// folder, and by the network that started with it, which then refuses everything
// and starts right the next time.
func TestForgedSnapshotIsFound(t *testing.T) {
	for name, c := range map[string]struct{ old, new, where string }{
		"a wallet":            {`"held":50.00`, `"held":999999.00`, "wallets[1].held"},
		"an agent's office":   {`"slug":"ada"`, `"slug":"ada","kind":"operator"`, "parties[1]"},
		"an operator's token": {`"owner":"ada"`, `"owner":"operator"`, "tokens[1].owner"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			f := memory(t)
			f.bent = true
			hash := netkit.Hash(netkit.Token{7}.SHA256())
			if _, err := f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada", TokenSHA256: &hash}); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(ctx); err != nil {
				t.Fatal(err)
			}
			if n, err := CheckSnapshot(ctx, f.store); n != 2 || err != nil {
				t.Fatalf("sound: got %d, %v, want 2 entries", n, err)
			}
			forge(t, f.store, c.old, c.new)
			if _, err := CheckSnapshot(ctx, f.store); !errors.Is(err, netkit.ErrCorrupt) || !strings.Contains(err.Error(), c.where) {
				t.Errorf("checked: got %v, want a difference at %s", err, c.where)
			}
			alarms := make(chan error, 4)
			n := must[*Network](t)(New(ctx, Config{Store: f.store, Now: f.clock.Now, Alarm: func(err error) { alarms <- err }}))
			if n.resumed != 2 {
				t.Fatal("the start did not use the snapshot")
			}
			select {
			case err := <-alarms:
				if !strings.Contains(err.Error(), c.where) {
					t.Errorf("alarm: got %v, want it to name %s", err, c.where)
				}
			case <-time.After(10 * time.Second):
				t.Fatal("no alarm")
			}
			if _, err := n.keepSnapshot(ctx); err != nil {
				t.Error(err)
			}
			if _, b, err := loadSnapshot(ctx, f.store); err != nil || string(b) != voidSnapshot {
				t.Errorf("a stopped network: got the snapshot %.80q, %v, want none", b, err)
			}
			_, err := n.As("").Spawn(ctx, netkit.Spawn{Slug: "bea", TokenSHA256: &netkit.Hash{1}})
			refused(t, err, netkit.ErrUnavailable, "network_stopped")
			_, err = n.As("").Balance(ctx, netkit.Wallet("ada"))
			refused(t, err, netkit.ErrUnavailable, "network_stopped")
			if n.Health().Writing {
				t.Error("health says that it writes")
			}
			if err := n.Close(ctx); err != nil {
				t.Fatal(err)
			}
			n = must[*Network](t)(New(ctx, Config{Store: f.store, Now: f.clock.Now}))
			if b := must[netkit.AccountBalance](t)(n.As("").Balance(ctx, netkit.Wallet("ada"))); n.resumed != 0 || b.Balance != 50*netkit.Credit {
				t.Errorf("started again: got %s from the snapshot of %d, want 50.00 by a replay", b.Balance, n.resumed)
			}
			if err := n.Close(ctx); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A network that runs keeps snapshots: after a crash the next start replays
// what follows the latest one, and finds what a replay of all finds.
func TestSnapshotsWhileItRuns(t *testing.T) {
	ctx := t.Context()
	f := memory(t)
	if err := f.Close(ctx); err != nil {
		t.Fatal(err)
	}
	alarm := func(err error) { t.Error(err) }
	f.Network = must[*Network](t)(New(ctx, Config{Store: f.store, Now: f.clock.Now, SnapshotEvery: 20, Alarm: alarm}))
	// How many entries go before the next snapshot depends on when the last was
	// written, and on its length: whoever waits for one goes on writing.
	for i, end := 0, time.Now().Add(3*time.Minute); ; i++ {
		f.agents(fmt.Sprintf("agent-%d", i))
		size, _, err := loadSnapshot(ctx, f.store)
		if err != nil {
			t.Fatal(err)
		}
		if size >= 80 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("got a snapshot of %d entries after %d agents, want one of 80 at least", size, i)
		}
		if i > 100 {
			time.Sleep(10 * time.Millisecond)
		}
	}
	if n, err := CheckSnapshot(ctx, f.store); n < 80 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
	after := must[*Network](t)(New(ctx, Config{Store: f.store, Now: f.clock.Now}))
	if got, want := after.state.Canonical(), f.state.Canonical(); after.resumed < 80 || !bytes.Equal(got, want) {
		t.Errorf("after a crash: got from %d\n%s, want\n%s", after.resumed, got, want)
	}
	f.replays(t, string(f.state.Canonical()))
}

// What is erased after a snapshot was written makes no difference to it.
func TestErasedAfterTheSnapshot(t *testing.T) {
	ctx := t.Context()
	f := memory(t)
	f.writers()
	id := must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(netkit.WithKey(ctx, "k"), netkit.SendAttention{To: "bea", Subject: "s", Body: "b"})).ID
	if err := f.Snapshot(ctx); err != nil {
		t.Fatal(err)
	}
	f.erases(id)
	if n, err := CheckSnapshot(ctx, f.store); n == 0 || err != nil {
		t.Errorf("got %d, %v, want no difference", n, err)
	}
}
