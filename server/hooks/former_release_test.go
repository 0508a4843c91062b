package hooks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/webhook"
)

// formerRelease returns the journal of a release that kept the secrets of webhooks
// beside it. Ada, bea and cora have one, among others.
func formerRelease(t *testing.T) journal.Store {
	t.Helper()
	b, err := os.ReadFile("../../netkit/network/testdata/journal-1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var tree journal.Tree
	var batch journal.Batch
	lines := bufio.NewScanner(bytes.NewReader(b))
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var r struct{ Public, Private json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		batch.Records = append(batch.Records, journal.Record{Seq: uint64(len(batch.Records)), Public: r.Public, Private: r.Private})
		batch.Nodes = tree.Append(journal.Leaf(r.Public), batch.Nodes)
	}
	store := journal.NewMemory()
	netkittest.Must[journal.Head](t)(store.Append(t.Context(), journal.Head{}, batch))
	return store
}

// The secrets of a file of an earlier release go into the journal at the start, with
// the former ones, and out of the file. Every node that holds the journal signs with
// them; a webhook without a secret is named, and gets one by being set again.
func TestFormerReleaseSecrets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		file := filepath.Join(t.TempDir(), "webhooks.db")
		n := netkittest.Must[*network.Network](t)(network.New(t.Context(), network.Config{Store: formerRelease(t), Wait: -1}))
		secret, former := "whsec_"+strings.Repeat("QUJD", 8), "whsec_"+strings.Repeat("REVG", 8)
		s := netkittest.Must[*store](t)(openStore(file))
		until := n.Now() + 24*netkit.Millis(time.Hour.Milliseconds())
		for _, owner := range []string{"ada", "cora"} {
			row := row{Entry: n.Webhook(owner).Entry, Secret: secret, Former: []oldFormer{{former, until}}, Next: n.Size()}
			if err := s.put(owner, &row); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.setFront(n.Size(), 0); err != nil {
			t.Fatal(err)
		}
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
		f := &fixture{Network: n, t: t, cfg: Config{Network: n, File: file, Logger: slog.New(slog.NewTextHandler(&log, nil))}, receivers: newReceivers()}
		f.cfg.Transport = &f.receivers
		size := n.Size()
		for range 2 { // once
			f.starts()
			f.passes(time.Second)
			for _, owner := range []string{"ada", "cora"} {
				if set := n.Webhook(owner); set.Secret != secret || len(set.Former) != 1 || set.Former[0].Secret != former || set.Former[0].Until != int64(until) {
					t.Errorf("%s: got %d former secrets and the right one: %v", owner, len(set.Former), set.Secret == secret)
				}
			}
			if got := n.Size() - size; got != 2 {
				t.Errorf("got %d entries, want one for each webhook", got)
			}
			f.publish("one")
			f.passes(time.Second)
			all := f.of("example.org")
			if len(all) != 2 {
				t.Errorf("got %d deliveries, want those to ada and cora", len(all))
			}
			for _, one := range all {
				if verify(t, secret, one) != nil || verify(t, former, one) != nil {
					t.Error("want it signed with both secrets")
				}
			}
			size++
			f.stops()
		}
		for _, path := range []string{file, file + "-wal"} {
			if b, err := os.ReadFile(path); err == nil && (bytes.Contains(b, []byte(secret)) || bytes.Contains(b, []byte(former))) {
				t.Errorf("%s still holds a secret", path)
			}
		}
		if got := log.String(); !strings.Contains(got, "bea") || strings.Contains(got, "cora") {
			t.Errorf("got %s, want bea named, who has no secret", got)
		}
		f.starts()
		f.passes(time.Second)
		if v := f.view("bea"); v.State != webhook.Keyless {
			t.Errorf("got %+v, want it keyless", v)
		}
		_, err := f.As("bea").RotateWebhook(t.Context())
		refused(t, err, "webhook_missing")
		_, err = f.h.Test(t.Context(), "bea")
		refused(t, err, "webhook_missing")
		in := netkit.SetWebhook{URL: "https://example.org/"}
		if netkittest.Must[netkit.WebhookReceipt](t)(f.As("bea").SetWebhook(t.Context(), in)).Secret == "" {
			t.Error("got no secret")
		}
		if err := f.h.Set("bea", ""); err != nil || f.view("bea").State != webhook.On {
			t.Errorf("got %+v, %v", f.view("bea"), err)
		}
		f.stops()
		if err := n.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
