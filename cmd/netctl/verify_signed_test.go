package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/server/host"
)

// A journal that is behind what its network signed is named, also where no
// witness has cosigned that yet.
func TestVerifyComparesWithWhatWasSigned(t *testing.T) {
	private, _, err := proof.NewKey(strings.NewReader(strings.Repeat("w", 64)), "witness.example.org")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := proof.NewCosigner(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cfg := host.Config{Dir: dir, Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}}, Witnesses: []string{signer.Verifier().String()}, Quorum: 1}
	var older []byte
	for _, slug := range []string{"ada", "bob"} {
		h, err := host.New(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: slug}); err != nil {
			t.Fatal(err)
		}
		if err := h.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Fatal(err)
		}
		if slug == "ada" {
			if older, err = os.ReadFile(filepath.Join(dir, "journal.db")); err != nil {
				t.Fatal(err)
			}
		}
	}
	verify := func() error {
		_, err := verifyFolder(t.Context(), audit.Config{From: dir, Seen: audit.Seen(t.TempDir()), Now: time.Now})
		return err
	}
	if err := verify(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "journal.db"), older, 0o600), os.Remove(filepath.Join(dir, "snapshot-3.snap"))); err != nil {
		t.Fatal(err)
	}
	if err := verify(); !errors.Is(err, audit.ErrRewritten) || !strings.Contains(err.Error(), "the network signed") {
		t.Errorf("got %v, want %v naming what the network signed", err, audit.ErrRewritten)
	}
}
