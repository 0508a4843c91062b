package sqlite

import (
	"errors"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// What can no longer be reached by its name takes no entry; reads go on, and so
// do writes once the files are back.
func TestMovedJournalTakesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps open files in place")
	}
	for _, suffix := range []string{"", "-wal"} {
		for _, replaced := range []bool{false, true} {
			s := openDir(t, Config{Dir: t.TempDir()})
			head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 5)})
			path := s.path + suffix
			if err := os.Rename(path, path+".away"); err != nil {
				t.Fatal(err)
			}
			if replaced {
				if err := os.WriteFile(path, []byte("another"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				if _, err := s.Append(t.Context(), head, journal.Batch{Records: journaltest.Records(5, 5)}); !errors.Is(err, journal.ErrMoved) || errors.Is(err, journal.ErrDoubtful) {
					t.Fatalf("%q, replaced %v: got %v, want %v and definite", suffix, replaced, err, journal.ErrMoved)
				}
			}
			if err := s.WriteSnapshot(t.Context(), 5, func(io.Writer) error { return nil }); !errors.Is(err, journal.ErrMoved) {
				t.Errorf("a snapshot: got %v, want %v", err, journal.ErrMoved)
			}
			if err := os.Rename(path+".away", path); err != nil {
				t.Fatal(err)
			}
			journaltest.MustAppend(t, s, head, journal.Batch{Records: journaltest.Records(5, 5)})
			if diff := cmp.Diff(journaltest.Records(0, 10), journaltest.ReadAll(t, s, 0, 1000)); diff != "" {
				t.Errorf("after it is back (-want +got):\n%s", diff)
			}
		}
	}
}
