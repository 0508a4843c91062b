package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A device or a film named by mistake must not be read into memory.
func TestSmallFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "film")
	for size, want := range map[int]string{maxText: "", maxText + 1: "has more than 1048576 bytes"} {
		if err := os.WriteFile(path, bytes.Repeat([]byte("x"), size), 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := smallFile(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && len(b) != size {
			t.Errorf("%d bytes: got %d bytes and %v, want %q", size, len(b), err, want)
		}
	}
}

// A machine with little room is noted, so that a look at it does not fail
// before it must; one with hardly any is a problem.
func TestRoomFor(t *testing.T) {
	for free, want := range map[uint64]string{
		0:              problem,
		scantSpace - 1: problem,
		scantSpace:     note,
		326 << 20:      note,
		lowSpace - 1:   note,
		lowSpace:       fine,
		math.MaxUint64: fine,
	} {
		got := roomFor(free)
		if got.State != want || (got.Advice == "") != (want == fine) {
			t.Errorf("%d bytes free: got %+v, want %s, with advice unless it is", free, got, want)
		}
	}
}
