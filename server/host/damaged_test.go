package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/proof"
)

// peopled is the folder of a network that stopped, with its entries.
func peopled(t *testing.T, agents int) (dir string, entries []json.RawMessage) {
	t.Helper()
	dir = t.TempDir()
	h := begin(t, dir)
	var all sync.WaitGroup
	for i := range agents {
		all.Go(func() {
			slug := fmt.Sprintf("agent-%05d", i)
			hash := netkit.Hash{byte(i), byte(i >> 8), 1}
			if _, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: slug, TokenSHA256: &hash}); err != nil {
				t.Error(err)
				return
			}
			if _, err := h.Network.As(slug).SetClaims(t.Context(), netkit.Claims{CapabilityStatement: "I am " + slug}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for part := []json.RawMessage(nil); len(entries) == 0 || len(part) > 0; entries = append(entries, part...) {
		var err error
		if part, err = h.Network.Entries(t.Context(), uint64(len(entries)), 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Log.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir, entries
}

// copied copies the files of a folder.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(to, "log.key"), 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// A bit that flips anywhere in the database shows in no answer: an entry, a
// bundle of entries and what an agent says of itself come as they were written,
// or not at all.
func TestFlippedBitsAreNotServed(t *testing.T) {
	const flips = 50
	dir, entries := peopled(t, 600)
	found := map[string]int{}
	for i := range flips {
		bent := copied(t, dir)
		flip(t, filepath.Join(bent, "journal.db"), rand.New(rand.NewPCG(7, uint64(i))))
		h, err := New(t.Context(), Config{Dir: bent})
		if err != nil {
			found["refused to start"]++
			continue
		}
		if n := servesNothingElse(t, h, entries); n > 0 {
			found["entries refused"]++
		} else {
			found["nothing to see"]++
		}
		_ = h.Close(context.WithoutCancel(t.Context())) // its journal may be past writing
	}
	t.Logf("%d flips: %v", flips, found)
	if found["entries refused"]+found["refused to start"] == 0 {
		t.Error("no flip was noticed: the test alters nothing that is read")
	}
}

// flip changes one bit of a database behind its first page.
func flip(t *testing.T, path string, r *rand.Rand) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[8192+r.IntN(len(b)-8192)] ^= 1 << r.IntN(8)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// servesNothingElse asks for everything and compares it; it returns how much
// was refused.
func servesNothingElse(t *testing.T, h *Host, entries []json.RawMessage) (refused int) {
	t.Helper()
	ask := func(path string) []byte {
		w := httptest.NewRecorder()
		h.Server.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code == http.StatusOK {
			return w.Body.Bytes()
		}
		var p netkit.Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code < 500 {
			t.Errorf("%s: got %d %.200s, want a problem", path, w.Code, w.Body)
		}
		refused++
		return nil
	}
	for from := 0; from < len(entries); from += 200 {
		var got struct{ Items []json.RawMessage }
		b := ask(fmt.Sprintf("/api/ledger/entries?from=%d&limit=200", from))
		if b == nil {
			continue
		}
		want := entries[from:min(from+200, len(entries))]
		if err := json.Unmarshal(b, &got); err != nil || len(got.Items) != len(want) {
			t.Errorf("entries from %d: got %d, %v, want %d", from, len(got.Items), err, len(want))
			continue
		}
		for i := range want {
			if !bytes.Equal(got.Items[i], want[i]) {
				t.Errorf("got entry %s, want %s", got.Items[i], want[i])
			}
		}
	}
	for n := range len(entries) / 256 {
		if b := ask(fmt.Sprintf("/tile/entries/%03d", n)); b != nil && !bytes.Equal(b, bundle(entries[n*256:(n+1)*256])) {
			t.Errorf("bundle %d is another", n)
		}
	}
	for i := range 60 {
		slug := fmt.Sprintf("agent-%05d", i*10)
		p, err := h.Network.As("").Profile(t.Context(), slug)
		if err != nil {
			refused++
		} else if want := "I am " + slug; p.BioClaims.CapabilityStatement != want {
			t.Errorf("got %q, want %q", p.BioClaims.CapabilityStatement, want)
		}
	}
	if _, err := h.Log.Checkpoint(t.Context()); errors.Is(err, proof.ErrRolledBack) {
		t.Errorf("the checkpoint: %v", err)
	}
	return refused
}

// bundle is a bundle of entries as c2sp.org/tlog-tiles has it.
func bundle(entries []json.RawMessage) (b []byte) {
	for _, e := range entries {
		b = append(append(b, byte(len(e)>>8), byte(len(e))), e...)
	}
	return b
}
