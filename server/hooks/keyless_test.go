package hooks

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/network"
)

// A webhook whose secret is in no file is named at the start.
func TestKeylessWebhooksAreNamed(t *testing.T) {
	var log bytes.Buffer
	n := netkittest.Must[*network.Network](t)(network.New(t.Context(), network.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}}}))
	file := filepath.Join(t.TempDir(), "webhooks.db")
	netkittest.Must[netkit.Spawned](t)(n.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"}))
	h := New(Config{Network: n, File: file, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	h.nameKeyless()
	if log.Len() > 0 {
		t.Errorf("without a webhook: got %s", &log)
	}
	netkittest.Must[netkit.WebhookReceipt](t)(n.As("ada").SetWebhook(t.Context(), netkit.SetWebhook{URL: "https://receiver.example/x"}))
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.nameKeyless()
	if got := log.String(); !strings.Contains(got, file) || !strings.Contains(got, "ada") {
		t.Errorf("got %q, want the file and the owner named", got)
	}
}
