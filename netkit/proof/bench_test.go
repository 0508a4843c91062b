package proof

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/journal"
)

// vast is a journal too long to be filled: its entries are made when they are
// read, its nodes when they are first asked for.
type vast struct {
	*journal.Memory
	size uint64

	mu    sync.Mutex
	nodes map[uint64]tlog.Hash // made before, of stored levels
}

// vastEntry is as long as the entry of an execution.
func vastEntry(seq uint64) []byte {
	return fmt.Appendf(nil, `{"seq":%d,"at":1770000000000,"kind":"intent.executed","v":1,"actor":"agent-%05d","law":"1.0.0","fact":{"contract":%d,"tier":"VERIFIED","payout":5.00,"diversity":{"backing":5.00,"counted":4.25}},"postings":[{"account":"contract:%d","amount":-5.00,"after":99995.00,"prev":%d},{"account":"wallet:agent-%05d","amount":4.25,"after":104.25,"prev":%d},{"account":"treasury","amount":0.75,"after":1500000.75,"prev":%d}]}`,
		seq, seq%9999, seq%777, seq%777, seq/2, seq%9999, seq/3, seq/4)
}

func (v *vast) Head(context.Context) (journal.Head, error) { return journal.Head{Size: v.size}, nil }

func (v *vast) Read(_ context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for seq := from; seq < min(to, v.size); seq++ {
			if !yield(journal.Record{Seq: seq, Public: vastEntry(seq)}, nil) {
				return
			}
		}
	}
}

func (v *vast) Nodes(_ context.Context, indexes []uint64) ([][journal.HashSize]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := make([][journal.HashSize]byte, len(indexes))
	for i, index := range indexes {
		level, n := tlog.SplitStoredHashIndex(int64(index))
		out[i] = v.hash(level, n)
	}
	return out, nil
}

// hash makes the nth hash of a level, and keeps those of stored levels.
func (v *vast) hash(level int, n int64) tlog.Hash {
	if level == 0 {
		return journal.Leaf(vastEntry(uint64(n)))
	}
	index := uint64(tlog.StoredHashIndex(level, n))
	h, ok := v.nodes[index]
	if !ok {
		h = tlog.NodeHash(v.hash(level-1, 2*n), v.hash(level-1, 2*n+1))
		if level%journal.TileHeight == 0 {
			v.nodes[index] = h
		}
	}
	return h
}

// BenchmarkProve proves entries of a log of ten million. Making the tree takes
// half a minute before the first.
func BenchmarkProve(b *testing.B) {
	const size = 10_000_000
	l, err := New(b.Context(), Config{Store: &vast{Memory: journal.NewMemory(), size: size, nodes: map[uint64]tlog.Hash{}}, Key: key(b, origin, 1)})
	if err != nil {
		b.Fatal(err)
	}
	file, err := l.Prove(b.Context(), 1) // makes all nodes
	if err != nil {
		b.Fatal(err)
	}
	longest, seq := 0, uint64(0)
	for b.Loop() {
		seq = (seq + 7_654_321) % size
		if file, err = l.Prove(b.Context(), seq); err != nil {
			b.Fatal(err)
		}
		longest = max(longest, len(file))
	}
	b.ReportMetric(float64(longest), "bytes/longest")
	if got, err := Verify(l.Policy(), file); err != nil || got.Seq != seq {
		b.Errorf("got %d, %v; want entry %d proved", got.Seq, err, seq)
	}
}

// BenchmarkSign signs a head that has grown by one entry, at sizes whose last
// tile is anything from empty to full.
func BenchmarkSign(b *testing.B) {
	s := &vast{Memory: journal.NewMemory(), size: 1_000_000, nodes: map[uint64]tlog.Hash{}}
	l, err := New(b.Context(), Config{Store: s, Key: key(b, origin, 1)})
	if err != nil {
		b.Fatal(err)
	}
	if _, _, err := l.Sign(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.size++
		if _, _, err := l.Sign(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	l := open(b, 70_000)
	file, err := l.Prove(b.Context(), 12_345)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Verify(l.Policy(), file); err != nil {
			b.Fatal(err)
		}
	}
}
