package journal_test

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

func TestMemory(t *testing.T) {
	journaltest.Run(t, journaltest.Driver{
		Open: func(*testing.T) journal.Store { return journal.NewMemory() },
	})
}

// TestLeaf compares with the definition and with the log that will use it.
func TestLeaf(t *testing.T) {
	for _, n := range []int{0, 1, 419, 2046, 2047, 2048, 2049, journal.MaxPublic} {
		public := bytes.Repeat([]byte{'x'}, n)
		got := journal.Leaf(public)
		if want := sha256.Sum256(append([]byte{0}, public...)); got != want {
			t.Errorf("%d bytes: got %x, want %x", n, got, want)
		}
		if want := tlog.RecordHash(public); got != want {
			t.Errorf("%d bytes: got %x, tlog has %x", n, got, want)
		}
	}
	if n := testing.AllocsPerRun(10, func() { journal.Leaf(make([]byte, 419)) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}
