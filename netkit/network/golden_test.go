package network

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// recorded is the journal of an earlier release, a line for each entry. Such
// a file is never changed: a network that was founded then has to start, and
// has to be accounted for, for ever.
func recorded(t testing.TB, path string) journal.Store {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	store := journal.NewMemory()
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
	if _, err := store.Append(t.Context(), journal.Head{}, batch); err != nil {
		t.Fatal(err)
	}
	return store
}

// A journal replays, and is audited, under the constitutions that it was
// decided under, whatever a new network begins with.
func TestJournalsOfEarlierReleases(t *testing.T) {
	for file, want := range map[string]netkit.Books{
		"testdata/journal-1.jsonl": {Issued: -46_550 * netkit.Credit, Treasury: 405 * netkit.Credit, Wallets: 2345 * netkit.Credit, Sponsors: 38_997 * netkit.Credit, Contracts: 4803 * netkit.Credit},
	} {
		t.Run(file, func(t *testing.T) {
			store := recorded(t, file)
			a := must[netkit.Audited](t)(Audit(t.Context(), store))
			got := a.Books
			got.Accounts, got.AsOf = 0, netkit.AsOf{}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			n := must[*Network](t)(New(t.Context(), Config{Store: store, Now: func() time.Time { return dawn }}))
			if got := netkit.Hash(sha256.Sum256(n.state.Canonical())); got != a.StateSHA256 {
				t.Errorf("replayed: got state %s, want %s as audited", got, a.StateSHA256)
			}
		})
	}
}
