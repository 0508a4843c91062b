package journaltest

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func testSnapshots(t *testing.T, s journal.Store) {
	if _, _, err := s.ReadSnapshot(t.Context()); !errors.Is(err, journal.ErrNoSnapshot) {
		t.Errorf("got %v, want %v", err, journal.ErrNoSnapshot)
	}
	broken := errors.New("broken")
	failing := func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("half", 1<<18))
		return errors.Join(err, broken)
	}
	writeSnapshot(t, s, 9, "nine")
	expectSnapshot(t, s, 9, "nine")
	for _, size := range []uint64{9, 10} {
		if err := s.WriteSnapshot(t.Context(), size, failing); !errors.Is(err, broken) {
			t.Errorf("got %v, want %v", err, broken)
		}
		expectSnapshot(t, s, 9, "nine")
	}
	writeSnapshot(t, s, 10, strings.Repeat("ten", 1<<20))
	expectSnapshot(t, s, 10, strings.Repeat("ten", 1<<20))
	writeSnapshot(t, s, 10, "")
	expectSnapshot(t, s, 10, "")
	writeSnapshot(t, s, 2, "older")
	expectSnapshot(t, s, 10, "")

	// One that is being read stays readable when a newer one takes its place.
	writeSnapshot(t, s, 11, "eleven")
	_, r, err := s.ReadSnapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	writeSnapshot(t, s, 12, "twelve")
	if got, err := io.ReadAll(r); err != nil || string(got) != "eleven" {
		t.Errorf("got %q, %v, want %q", got, err, "eleven")
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func writeSnapshot(t *testing.T, s journal.Store, size uint64, content string) {
	t.Helper()
	err := s.WriteSnapshot(t.Context(), size, func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	})
	if err != nil {
		t.Fatalf("writing the snapshot at %d: %v", size, err)
	}
}

func expectSnapshot(t *testing.T, s journal.Store, wantSize uint64, want string) {
	t.Helper()
	size, r, err := s.ReadSnapshot(t.Context())
	if err != nil {
		t.Fatalf("got %v, want the snapshot at %d", err, wantSize)
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	if err != nil || size != wantSize || string(got) != want {
		t.Errorf("got a snapshot at %d of %d bytes, %v, want one at %d of %d", size, len(got), err, wantSize, len(want))
	}
}

func testReopen(t *testing.T, d Driver) {
	s := d.Open(t)
	hash := [journal.HashSize]byte{7}
	want := Records(0, 500)
	head := MustAppend(t, s, journal.Head{}, journal.Batch{Records: want, Nodes: []journal.Node{{Index: 7, Hash: hash}}})
	MustAppend(t, s, head, journal.Batch{Erase: []uint64{4}})
	want[4].Private = nil
	writeSnapshot(t, s, 500, "state")
	for range 3 {
		s = d.Reopen(t, s)
		expect(t, s, want)
		expectSnapshot(t, s, 500, "state")
		if got, err := s.Nodes(t.Context(), []uint64{7}); err != nil || got[0] != hash {
			t.Errorf("got %x, %v, want %x", got, err, hash)
		}
		head = MustAppend(t, s, head, journal.Batch{Records: Records(head.Size, 1)})
		want = append(want, Record(head.Size-1))
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
}
