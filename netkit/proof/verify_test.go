package proof

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// forge makes a proof of what the log's key really signed, in whatever form.
func forge(t *testing.T, b *book, seq int64, says []byte, leaf []byte, size int64) []byte {
	t.Helper()
	hashes := map[int64]tlog.Hash{}
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, x := range indexes {
			out[i] = hashes[x]
		}
		return out, nil
	})
	for n := range size {
		data := entry(uint64(n), "one")
		if n == seq {
			data = leaf
		}
		more := must(tlog.StoredHashes(n, data, reader))
		for i, h := range more {
			hashes[tlog.StoredHashIndex(0, n)+int64(i)] = h
		}
	}
	c := torchwood.Checkpoint{Origin: origin, Tree: tlog.Tree{N: size, Hash: must(tlog.TreeHash(size, reader))}}
	signed := must(note.Sign(&note.Note{Text: c.String()}, b.signer))
	return torchwood.FormatProofWithExtraData(seq, says, must(tlog.ProveRecord(size, seq, reader)), signed)
}

// Each way of being wrong has an error of its own.
func TestVerifyTellsWhatIsWrong(t *testing.T) {
	b := open(t, 300)
	file := must(b.Prove(t.Context(), 7))
	swap := func(old, new string) []byte { return []byte(strings.Replace(string(file), old, new, 1)) }
	lines := strings.Split(string(file), "\n")
	other := must(NewPolicy(must(PublicKey(key(t, origin, 2))), nil, 0))
	foreign := must(NewPolicy(must(PublicKey(key(t, "agentnet/other", 1))), nil, 0))
	witnessed := must(NewPolicy(b.Public(), []string{must(NewCosigner(key(t, "w", 9))).Verifier().String()}, 1))
	changed := base64.StdEncoding.EncodeToString(entry(7, "two"))
	for _, c := range []struct {
		name   string
		policy *Policy
		file   []byte
		want   error
	}{
		{"nothing", b.Policy(), nil, ErrFormat},
		{"another file", b.Policy(), []byte("hello\n"), ErrFormat},
		{"cut in the middle", b.Policy(), file[:len(file)/2], ErrFormat},
		{"cut at the end", b.Policy(), file[:len(file)-3], ErrFormat},
		{"without the entry", b.Policy(), swap(lines[1]+"\n", ""), ErrFormat},
		{"an entry changed", b.Policy(), swap(lines[1], "extra "+changed), ErrInclusion},
		{"another place", b.Policy(), swap("index 7", "index 8"), ErrInclusion},
		{"beyond the end", b.Policy(), swap("index 7", "index 300"), ErrInclusion},
		{"a hash changed", b.Policy(), swap(lines[4], lines[5]), ErrInclusion},
		{"a hash dropped", b.Policy(), swap(lines[4]+"\n", ""), ErrInclusion},
		{"a size changed", b.Policy(), swap("\n300\n", "\n301\n"), ErrSignature},
		{"wrong key of that name", other, file, ErrKey},
		{"key of another log", foreign, file, ErrKey},
		{"no cosignature", witnessed, file, ErrQuorum},
		{"the right entry that says another number", b.Policy(), forge(t, b, 5, entry(6, "one"), entry(6, "one"), 20), ErrInclusion},
		{"a leaf that is not an entry", b.Policy(), forge(t, b, 5, []byte("rubbish"), []byte("rubbish"), 20), ErrFormat},
		{"a leaf without a number", b.Policy(), forge(t, b, 0, []byte("{}"), []byte("{}"), 20), ErrFormat},
	} {
		if got, err := Verify(c.policy, c.file); !errors.Is(err, c.want) {
			t.Errorf("%s: got %+v, %v; want %v", c.name, got, err, c.want)
		}
	}
	if _, err := Verify(b.Policy(), forge(t, b, 5, entry(5, "one"), entry(5, "one"), 20)); err != nil {
		t.Errorf("what forge makes of a right entry: got %v, want it to hold", err)
	}
}

// A key that signs in the name of another log is found out by the origin.
func TestVerifyChecksTheOrigin(t *testing.T) {
	b := open(t, 3)
	c := torchwood.Checkpoint{Origin: "agentnet/other", Tree: tlog.Tree{N: 3, Hash: root(t, b.store, 3)}}
	if _, err := OpenCheckpoint(b.Policy(), must(note.Sign(&note.Note{Text: c.String()}, b.signer))); !errors.Is(err, ErrOrigin) {
		t.Errorf("got %v, want %v", err, ErrOrigin)
	}
}

// Witnesses alone do not make a checkpoint.
func TestVerifyWantsTheLogItself(t *testing.T) {
	b, w := open(t, 3), must(NewCosigner(key(t, "w", 9)))
	p := must(NewPolicy(b.Public(), []string{w.Verifier().String()}, 1))
	c := torchwood.Checkpoint{Origin: origin, Tree: tlog.Tree{N: 3, Hash: root(t, b.store, 3)}}
	if _, err := OpenCheckpoint(p, must(note.Sign(&note.Note{Text: c.String()}, w))); !errors.Is(err, ErrKey) {
		t.Errorf("got %v, want %v", err, ErrKey)
	}
	if got, err := OpenCheckpoint(p, must(note.Sign(&note.Note{Text: c.String()}, b.signer, w))); err != nil || len(got.Cosigned) != 1 {
		t.Errorf("signed by both: got %+v, %v", got, err)
	}
}

func TestPolicyIsChecked(t *testing.T) {
	b := open(t, 1)
	w := must(NewCosigner(key(t, "w", 9))).Verifier().String()
	for name, err := range map[string]error{
		"no log":              errOf(NewPolicy("rubbish", nil, 0)),
		"witness as log":      errOf(NewPolicy(w, nil, 0)),
		"log as witness":      errOf(NewPolicy(b.Public(), []string{b.Public()}, 1)),
		"one witness twice":   errOf(NewPolicy(b.Public(), []string{w, w}, 2)),
		"more than there are": errOf(NewPolicy(b.Public(), []string{w}, 2)),
		"fewer than nothing":  errOf(NewPolicy(b.Public(), []string{w}, -1)),
	} {
		if err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

func errOf(_ *Policy, err error) error { return err }

func FuzzVerify(f *testing.F) {
	b := open(f, 300)
	file := must(b.Prove(f.Context(), 7))
	f.Add(file)
	f.Add(must(b.Prove(f.Context(), 299)))
	f.Add([]byte("c2sp.org/tlog-proof@v1\nextra \nindex 0\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Verify(b.Policy(), data)
		if err == nil && !bytes.Equal(got.Entry, entry(got.Seq, "one")) {
			t.Errorf("%q proves %q at %d, which is not there", data, got.Entry, got.Seq)
		}
	})
}

func FuzzTile(f *testing.F) {
	b := open(f, 700)
	for _, path := range []string{"tile/0/000", "tile/0/002.p/188", "tile/1/000.p/2", "tile/entries/x001/234.p/5", "tile/5/x001/x002/003"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		data, _, err := b.Tile(t.Context(), path)
		if err != nil {
			if !errors.Is(err, ErrNotFound) {
				t.Errorf("%q: got %v, want %v", path, err, ErrNotFound)
			}
			return
		}
		tile := must(torchwood.ParseTilePath(path))
		if torchwood.TilePath(tile) != path || tile.L >= 0 && len(data) != tile.W*tlog.HashSize {
			t.Errorf("%q: got %d bytes for %+v", path, len(data), tile)
		}
	})
}
