package host

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/proof"
)

// onDisk is the log of a journal of many entries on the disk, each as long as
// that of an execution.
func onDisk(b *testing.B, size uint64) (*proof.Log, *sqlite.Store, *journal.Tree) {
	b.Helper()
	s, err := sqlite.Open(b.Context(), sqlite.Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	tree := new(journal.Tree)
	for tree.Size() < size {
		grow(b, s, tree, min(4096, size-tree.Size()))
	}
	private, _, err := proof.NewKey(bytes.NewReader(make([]byte, 64)), proof.Origin("test"))
	if err != nil {
		b.Fatal(err)
	}
	l, err := proof.New(b.Context(), proof.Config{Store: s, Key: private})
	if err != nil {
		b.Fatal(err)
	}
	return l, s, tree
}

func grow(b *testing.B, s *sqlite.Store, tree *journal.Tree, by uint64) {
	b.Helper()
	at, err := s.Head(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	var batch journal.Batch
	for seq := at.Size; seq < at.Size+by; seq++ {
		public := fmt.Appendf(nil, `{"seq":%d,"text":"%0400d"}`, seq, seq)
		batch.Records = append(batch.Records, journal.Record{Seq: seq, Public: public})
		batch.Nodes = tree.Append(journal.Leaf(public), batch.Nodes)
	}
	if _, err := s.Append(b.Context(), at, batch); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkProveOnDisk proves entries of a journal of a million.
func BenchmarkProveOnDisk(b *testing.B) {
	const size = 1_000_000
	l, _, _ := onDisk(b, size)
	seq := uint64(0)
	for b.Loop() {
		seq = (seq + 654_321) % size
		if _, err := l.Prove(b.Context(), seq); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheckpointOnDisk signs a head after each entry that is appended.
func BenchmarkCheckpointOnDisk(b *testing.B) {
	l, s, tree := onDisk(b, 100_000)
	for b.Loop() {
		b.StopTimer()
		grow(b, s, tree, 1)
		b.StartTimer()
		if _, err := l.Checkpoint(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
