package seal

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
)

// vectors were computed from the definitions by testdata/vectors.py, which shares
// no code with this package.
func vectors(t testing.TB) (all []struct {
	Secret, Key, Part, Sealed string
	Seq                       uint64
}) {
	t.Helper()
	b, err := os.ReadFile("testdata/vectors.json")
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestVectors(t *testing.T) {
	for i, v := range vectors(t) {
		keys, err := ParseKeys(unhex(t, v.Secret))
		if err != nil {
			t.Fatal(err)
		}
		key, ok := keys.Key(v.Seq)
		if got := hex.EncodeToString(key[:]); !ok || got != v.Key {
			t.Errorf("vector %d: got key %s, want %s", i, got, v.Key)
		}
		if got := hex.EncodeToString(key.Seal(nil, unhex(t, v.Part))); got != v.Sealed {
			t.Errorf("vector %d: sealed %s, want %s", i, got, v.Sealed)
		}
		if got, err := key.Open(nil, unhex(t, v.Sealed)); err != nil || hex.EncodeToString(got) != v.Part {
			t.Errorf("vector %d: opened %x, %v, want %s", i, got, err, v.Part)
		}
	}
}

// TestVectorsAreComputed runs the computation again.
func TestVectorsAreComputed(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("NETKIT_REQUIRE_ALL") == "1" {
			t.Fatal("python3 is not on PATH, and NETKIT_REQUIRE_ALL=1")
		}
		t.Skip("python3 is not on PATH; TestVectors compares with what it computed")
	}
	got, err := exec.Command(python, "testdata/vectors.py").Output()
	want, missing := os.ReadFile("testdata/vectors.json")
	if err := errors.Join(err, missing); err != nil || !bytes.Equal(got, want) {
		t.Errorf("testdata/vectors.json is not what testdata/vectors.py computes: %v", err)
	}
}

// sealBatch seals a part for each of the entries and returns the keys.
func sealBatch(t testing.TB, seqs []uint64) (Keys, map[uint64][]byte) {
	t.Helper()
	keys, err := NewKeys(rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	sealed := map[uint64][]byte{}
	for _, seq := range seqs {
		key, _ := keys.Key(seq)
		sealed[seq] = key.Seal(nil, partOf(seq))
	}
	return keys, sealed
}

func partOf(seq uint64) []byte { return bytes.Repeat([]byte{byte(seq), 'p'}, int(seq%50)) }

// opens reports whether keys open the sealed part of an entry.
func opens(t testing.TB, keys *Keys, seq uint64, sealed []byte) bool {
	t.Helper()
	key, ok := keys.Key(seq)
	if !ok {
		return false
	}
	part, err := key.Open(nil, sealed)
	if err != nil || !bytes.Equal(part, partOf(seq)) {
		t.Errorf("entry %d: got %x, %v, want its part", seq, part, err)
	}
	return true
}

// An erased part has no key any more; the others open, also after the keys were
// stored, read back and cut again.
func TestErase(t *testing.T) {
	seqs := []uint64{7, 9, 10, 300, 1 << 40}
	keys, sealed := sealBatch(t, seqs)
	erased := map[uint64]bool{}
	for _, cut := range [][]uint64{{}, {9}, {9, 300}, {8}, {7, 10, 1 << 40}} {
		keys = keys.Without(seqs, cut)
		for _, seq := range cut {
			erased[seq] = true
		}
		read, err := ParseKeys(keys.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for _, seq := range seqs {
			if opens(t, &read, seq, sealed[seq]) == erased[seq] {
				t.Errorf("after erasing %v: entry %d opens: %v, want %v", cut, seq, erased[seq], !erased[seq])
			}
		}
	}
	if left := keys.Bytes(); len(left) != 0 {
		t.Errorf("after erasing all: got %d bytes, want none", len(left))
	}
}

func TestAltered(t *testing.T) {
	keys, sealed := sealBatch(t, []uint64{3, 23})
	key, _ := keys.Key(23)
	for i := range sealed[23] {
		bent := bytes.Clone(sealed[23])
		bent[i] ^= 1
		if _, err := key.Open(nil, bent); !errors.Is(err, ErrAltered) {
			t.Errorf("byte %d altered: got %v, want %v", i, err, ErrAltered)
		}
	}
	if _, err := key.Open(nil, sealed[3]); !errors.Is(err, ErrAltered) {
		t.Errorf("the part of another entry: got %v, want %v", err, ErrAltered)
	}
}

func TestParseKeysErrors(t *testing.T) {
	keys, _ := sealBatch(t, []uint64{1, 2})
	list := keys.Without([]uint64{1, 2}, nil)
	b := list.Bytes()
	swapped := append(bytes.Clone(b[listedSize:]), b[:listedSize]...)
	for name, stored := range map[string][]byte{"short": b[1:], "descending": swapped, "twice": append(b[:listedSize:listedSize], b[:listedSize]...)} {
		if _, err := ParseKeys(stored); !errors.Is(err, ErrKeys) {
			t.Errorf("%s: got %v, want %v", name, err, ErrKeys)
		}
	}
	if _, err := NewKeys(bytes.NewReader(make([]byte, 31))); err == nil {
		t.Error("a source that ends early: got no error")
	}
}

// FuzzKeys: whatever is stored is refused or read back as it was; a cut list
// holds no erased key and keeps the others.
func FuzzKeys(f *testing.F) {
	keys, sealed := sealBatch(f, []uint64{1, 2, 5})
	cut := keys.Without([]uint64{1, 2, 5}, []uint64{2})
	f.Add(keys.Bytes(), sealed[2], uint64(2))
	f.Add(cut.Bytes(), sealed[5], uint64(5))
	f.Add([]byte{}, []byte{}, uint64(0))
	f.Fuzz(func(t *testing.T, stored, sealed []byte, seq uint64) {
		keys, err := ParseKeys(stored)
		if err != nil {
			return
		}
		if got := keys.Bytes(); !bytes.Equal(got, stored) {
			t.Errorf("read %x and wrote %x", stored, got)
		}
		key, ok := keys.Key(seq)
		if part, err := key.Open(nil, sealed); ok && err == nil {
			if again := key.Seal(nil, part); !bytes.Equal(again, sealed) {
				t.Errorf("opened and sealed again: got %x, want %x", again, sealed)
			}
		}
		if seq == math.MaxUint64 {
			return
		}
		left := keys.Without([]uint64{seq, seq + 1}, []uint64{seq})
		if _, found := left.Key(seq); found {
			t.Errorf("the key of entry %d is left after its erasure", seq)
		}
		was, had := keys.Key(seq + 1)
		now, has := left.Key(seq + 1)
		if had != has || was != now {
			t.Errorf("the key of entry %d changed with the erasure of %d: got %x, %v, want %x, %v", seq+1, seq, now, has, was, had)
		}
	})
}

// BenchmarkSeal derives a key and seals a part of 350 bytes.
func BenchmarkSeal(b *testing.B) {
	keys, _ := sealBatch(b, nil)
	part, out, seq := make([]byte, 350), []byte(nil), uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		key, _ := keys.Key(seq)
		out = key.Seal(out[:0], part)
		seq++
	}
}

// BenchmarkOpen derives a key and opens a part of 350 bytes.
func BenchmarkOpen(b *testing.B) {
	keys, _ := sealBatch(b, nil)
	key, _ := keys.Key(0)
	sealed, out := key.Seal(nil, make([]byte, 350)), []byte(nil)
	b.ReportAllocs()
	for b.Loop() {
		key, _ := keys.Key(0)
		out, _ = key.Open(out[:0], sealed)
	}
}
