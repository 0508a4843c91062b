package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/server/host"
)

// The story fails by itself when something goes otherwise than told; this
// checks that the exact figures of the rules are among what it tells.
func TestStory(t *testing.T) {
	var out bytes.Buffer
	if err := Run(t.Context(), Config{Out: &out}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{
		"at UNVERIFIED: contract -2.00, wallet +1.70, treasury +0.30",
		"at VERIFIED: contract -5.00, wallet +4.25, treasury +0.75",
		"at BADGED: contract -10.00, wallet +8.50, treasury +1.50",
		"at ELITE: contract -20.00, wallet +17.00, treasury +3.00",
		"refused slug_taken", "refused wallet_short", "refused attention_expired",
		"refused (L3) blackout", "refused (L6) reason_missing", "refused (L6) witness_is_holder",
		"expired, refunded, wallet 51.90",
		"hugo   misses counterparty_diversity_score: needs at least 0.30, has 0.00",
		"of which 8.50 are pending", "ada can spend the 8.50", "contract +10.00, cleo -8.50, treasury -1.50; the execution is returned",
		"wait in escrow (request", "is open", "Onboarding in this story",
		"accounts is 0.00", "every chain holds",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the story does not tell %q", want)
		}
	}
}

// The agents of the story have lived different lives: each has a wallet and has
// accepted the constitution in force, no two share their figures, and no detector
// flags one.
func TestAgentsDiffer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "net")
	if err := Run(t.Context(), Config{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	h, err := host.New(t.Context(), host.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(context.WithoutCancel(t.Context()))
	agents, err := h.Network.As("ada").Directory(t.Context(), netkit.DirectoryQuery{Page: netkit.Page{Limit: 100}})
	if err != nil {
		t.Fatal(err)
	}
	alike, tiers := map[string]int{}, map[netkit.Tier]int{}
	for _, a := range agents.Items {
		v := a.BioVerified
		if !v.WalletConfirmed || v.ConstitutionAccepted != "1.1.0" {
			t.Errorf("%s: wallet confirmed %v, constitution %q accepted; want both", a.Slug, v.WalletConfirmed, v.ConstitutionAccepted)
		}
		tiers[v.Tier]++
		if v.Transactions > 0 {
			alike[fmt.Sprint(v.CounterpartyDiversityScore, v.Transactions)]++
		}
	}
	for figures, n := range alike {
		if n > 1 {
			t.Errorf("%d agents have the same diversity and transactions: %s", n, figures)
		}
	}
	if len(alike) < 12 || len(tiers) < 3 {
		t.Errorf("got %d agents with transactions in %d tiers, want at least 12 and 3", len(alike), len(tiers))
	}
	flags, err := h.Network.As("ada").Flags(t.Context(), netkit.Page{})
	if err != nil || len(flags.Items) > 0 {
		t.Errorf("got %d flags and %v, want none", len(flags.Items), err)
	}
}

func TestFolderMustBeNew(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("got %v, want a refusal of a folder with something in it", err)
	}
}

func TestKeepsTheFolderThatWasNamed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "net")
	if err := Run(t.Context(), Config{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "journal.db")); err != nil {
		t.Errorf("the journal is gone: %v", err)
	}
}

// The story begins on any day of the week and ends before now, in a network of
// its own name, which goes on by the real time.
func TestStoryEndsBeforeNow(t *testing.T) {
	for _, now := range []string{"2026-11-22T00:00:00Z", "2026-11-23T14:59:00Z", "2028-03-04T23:59:59Z"} {
		t.Run(now, func(t *testing.T) {
			at, err := time.Parse(time.RFC3339, now)
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "net")
			if err := Run(t.Context(), Config{Dir: dir, Now: func() time.Time { return at }}); err != nil {
				t.Fatal(err)
			}
			first, last := ends(t, dir)
			if last.At > at.UnixMilli() || last.At < at.Add(-48*time.Hour).UnixMilli() {
				t.Errorf("the last entry is of %s, want it in the two days before %s", time.UnixMilli(last.At), now)
			}
			if !strings.HasPrefix(first.Fact.Network, "demo-") {
				t.Errorf("the network is called %q, want a name that begins with demo-", first.Fact.Network)
			}
		})
	}
}

// entry is what the tests read of an entry.
type entry struct {
	At   int64 // milliseconds
	Fact struct{ Network string }
}

// ends reads the first and the last entry of a folder's journal.
func ends(t *testing.T, dir string) (first, last entry) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlite.Config{Dir: dir, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	head, err := store.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for seq, e := range map[uint64]*entry{0: &first, head.Size - 1: &last} {
		for r, err := range store.Read(t.Context(), seq, seq+1) {
			if err == nil {
				err = json.Unmarshal(r.Public, e)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return first, last
}

// The story goes the same way on a cluster whose writer is killed in it, and all
// servers have the same books in the end.
func TestStoryOnACluster(t *testing.T) {
	if testing.Short() {
		t.Skip("syncs every command on three servers")
	}
	var out bytes.Buffer
	if err := Run(t.Context(), Config{Out: &out, Cluster: true}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"is killed", "expired, refunded, wallet 51.90", "the folders of all 3 servers have the same balances"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the story does not tell %q", want)
		}
	}
}
