package server

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/proof"
)

// stranger is an auditor who has standard tools and the network's public key.
type stranger struct {
	t       *testing.T
	policy  torchwood.Policy
	fetcher *torchwood.TileFetcher
}

func newStranger(t *testing.T, public string, h http.Handler) *stranger {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	f, err := torchwood.NewTileFetcher(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	v, err := note.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	return &stranger{t, torchwood.ThresholdPolicy(2, torchwood.OriginPolicy(v.Name()), torchwood.SingleVerifierPolicy(v)), f}
}

// tree returns the tree of the checkpoint that is shown.
func (s *stranger) tree() (tlog.Tree, error) {
	signed, err := s.fetcher.ReadEndpoint(s.t.Context(), "checkpoint")
	if err != nil {
		s.t.Fatal(err)
	}
	c, _, err := torchwood.VerifyCheckpoint(signed, s.policy)
	return c.Tree, err
}

// readAll reads all entries of a tree.
func (s *stranger) readAll(tree tlog.Tree) (int64, error) {
	client, err := torchwood.NewClient(s.fetcher)
	if err != nil {
		s.t.Fatal(err)
	}
	n := int64(0)
	for range client.AllEntries(s.t.Context(), tree, 0) {
		n++
	}
	return n, client.Err()
}

// follows checks that a tree extends one that was seen before.
func (s *stranger) follows(old, now tlog.Tree) error {
	r := torchwood.TileHashReaderWithContext(s.t.Context(), now, s.fetcher)
	p, err := tlog.ProveTree(now.N, old.N, r)
	if err != nil {
		return err
	}
	return tlog.CheckTree(p, now.N, now.Hash, old.N, old.Hash)
}

// altered serves what h does, with the bodies under a path changed.
func altered(h http.Handler, path string, change func([]byte) []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, path) {
			h.ServeHTTP(w, r)
			return
		}
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		w.WriteHeader(rec.Code)
		w.Write(change(rec.Body.Bytes()))
	})
}

// What a network serves that it did not sign is found out by tools which are
// not ours.
func TestStandardClientFindsOutWhatIsWrong(t *testing.T) {
	f := start(t)
	f.busy(20)
	public := f.logInfo().Key
	good := newStranger(t, public, f.Handler())
	tree, err := good.tree()
	if err != nil {
		t.Fatal(err)
	}
	if n, err := good.readAll(tree); err != nil || n != 21 {
		t.Fatalf("unchanged: got %d entries, %v; want 21", n, err)
	}
	cut := func(b []byte) []byte { return b[:len(b)-1] }
	amount := func(b []byte) []byte {
		return bytes.Replace(b, []byte(`"amount":50.00`), []byte(`"amount":90.00`), 1)
	}
	flip := func(b []byte) []byte { b[5] ^= 1; return b }
	for name, h := range map[string]http.Handler{
		"a truncated tile of entries": altered(f.Handler(), "/tile/entries/", cut),
		"a truncated tile of hashes":  altered(f.Handler(), "/tile/0/", cut),
		"a changed amount":            altered(f.Handler(), "/tile/entries/", amount),
		"a changed hash":              altered(f.Handler(), "/tile/0/", flip),
	} {
		if n, err := newStranger(t, public, h).readAll(tree); err == nil {
			t.Errorf("%s: got %d entries and no error", name, n)
		}
	}
	_, other, err := proof.NewKey(strings.NewReader(strings.Repeat("x", 64)), "agentnet/testnet")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newStranger(t, other, f.Handler()).tree(); err == nil {
		t.Error("a wrong key: got no error")
	}
	bigger := func(b []byte) []byte { return bytes.Replace(b, []byte("\n21\n"), []byte("\n22\n"), 1) }
	if _, err := newStranger(t, public, altered(f.Handler(), "/checkpoint", bigger)).tree(); err == nil {
		t.Error("a checkpoint of another size: got no error")
	}
}

// Two auditors are shown two histories that one key signed: whoever compares
// what they saw has the proof.
func TestForkShownToTwoAuditors(t *testing.T) {
	one, two := start(t), start(t)
	one.spawn("ada")
	two.spawn("eve")
	public := one.logInfo().Key
	first, err := newStranger(t, public, one.Handler()).tree()
	if err != nil {
		t.Fatal(err)
	}
	other := newStranger(t, public, two.Handler())
	second, err := other.tree()
	if err != nil || first.N != second.N || first.Hash == second.Hash {
		t.Fatalf("got %+v and %+v, %v; want two trees of one size", first, second, err)
	}
	two.busy(5)
	if second, err = other.tree(); err != nil {
		t.Fatal(err)
	}
	if err := other.follows(first, second); err == nil {
		t.Error("the second history is found to continue the first")
	}
	one.busy(5)
	same := newStranger(t, public, one.Handler())
	now, err := same.tree()
	if err != nil {
		t.Fatal(err)
	}
	if err := same.follows(first, now); err != nil {
		t.Errorf("the first history does not continue itself: %v", err)
	}
}
