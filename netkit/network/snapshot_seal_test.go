package network

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// A network with a snapshot key uses its own snapshots alone. Every other one
// means a full replay, which the alarm names, and is sealed again at the stop.
func TestSnapshotNeedsItsSeal(t *testing.T) {
	key := bytes.Repeat([]byte{1}, 32)
	for name, c := range map[string]struct {
		bend    func(b []byte) []byte
		alarm   string // "" means that it is used
		writing []byte // key of the one that wrote it
	}{
		"its own":     {slices.Clone[[]byte], "", key},
		"none":        {slices.Clone[[]byte], "is not sealed", nil},
		"another key": {slices.Clone[[]byte], "another snapshot key", bytes.Repeat([]byte{2}, 32)},
		"changed, summed again": {func(b []byte) []byte {
			end := bytes.LastIndexByte(b[:len(b)-1], '\n') + 1
			_, seal, _ := strings.Cut(string(b[end:]), " ")
			body := bytes.Replace(b[:end], []byte(`"owner":"ada"`), []byte(`"owner":"operator"`), 1)
			return fmt.Appendf(body, "%x %s", sha256.Sum256(body), seal)
		}, "was changed", key},
		"seal cut off": {func(b []byte) []byte { return append(bytes.TrimRight(b[:len(b)-65], " "), '\n') }, "is not sealed", key},
		"seal cut":     {func(b []byte) []byte { return append(b[:len(b)-9], '\n') }, "was changed", key},
		"a bit":        {func(b []byte) []byte { b[len(b)/3] ^= 1; return b }, "is damaged", key},
		"empty":        {func([]byte) []byte { return nil }, "is damaged", key},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			store := journal.NewMemory()
			var alarms []string
			open := func(key []byte) *Network {
				alarms = nil
				return must[*Network](t)(New(ctx, Config{Store: store, SnapshotKey: key, Genesis: &netkit.Genesis{Network: "test", OperatorToken: netkit.Token{1}},
					Alarm: func(err error) { alarms = append(alarms, err.Error()) }}))
			}
			n := open(c.writing)
			hash := netkit.Hash(netkit.Token{7}.SHA256())
			must[netkit.Spawned](t)(n.As("").Spawn(ctx, netkit.Spawn{Slug: "ada", TokenSHA256: &hash}))
			if err := n.Close(ctx); err != nil {
				t.Fatal(err)
			}
			size, b, err := loadSnapshot(ctx, store)
			if err != nil {
				t.Fatal(err)
			}
			bent := c.bend(b)
			if err := store.WriteSnapshot(ctx, size, func(w io.Writer) error { _, err := w.Write(bent); return err }); err != nil {
				t.Fatal(err)
			}
			n = open(key)
			if used := n.resumed == size; used != (c.alarm == "") {
				t.Errorf("used: got %v, want %v", used, c.alarm == "")
			}
			if got := strings.Join(alarms, "\n"); !strings.Contains(got, c.alarm) || (got == "") != (c.alarm == "") {
				t.Errorf("got the alarm %q, want %q", got, c.alarm)
			}
			if row, ok := n.secrets.Tokens.ByHash(hash); !ok || row.Owner != "ada" {
				t.Errorf("got the token of %q, want ada's", row.Owner)
			}
			if err := n.Close(ctx); err != nil {
				t.Fatal(err)
			}
			if n = open(key); n.resumed != size || len(alarms) > 0 {
				t.Errorf("the next start: resumed %d, %v, want the snapshot of %d", n.resumed, alarms, size)
			}
			if err := n.Close(ctx); err != nil {
				t.Fatal(err)
			}
		})
	}
}
