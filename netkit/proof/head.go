package proof

import (
	"context"
	"fmt"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/journal"
)

// head is a signed tree with the hashes of its right edge, which no proof in
// it then has to compute again.
type head struct {
	tlog.Tree
	text []byte // the signed checkpoint
	edge map[int64]tlog.Hash
}

// CheckStart checks that a journal continues a checkpoint that was signed of
// it. If not, the error is [ErrRolledBack]: entries are gone or changed.
func CheckStart(ctx context.Context, s journal.Store, public string, last []byte) error {
	p, err := NewPolicy(public, nil, 0)
	if err != nil {
		return err
	}
	c, err := OpenCheckpoint(p, last)
	if err != nil {
		return err
	}
	have, err := s.Head(ctx)
	if err != nil {
		return err
	}
	if have.Size < uint64(c.N) {
		return fmt.Errorf("%w: it has %d entries, and %d were signed: at least %d are missing", ErrRolledBack, have.Size, c.N, uint64(c.N)-have.Size)
	}
	root, err := tlog.TreeHash(c.N, journal.HashReader(ctx, s, uint64(c.N)))
	if err != nil {
		return err
	}
	if root != c.Hash {
		return fmt.Errorf("%w: its first %d entries are not those that were signed", ErrRolledBack, c.N)
	}
	return nil
}

// at computes the tree of a size that the journal has.
func (l *Log) at(ctx context.Context, size int64) (head, error) {
	indexes := torchwood.RightEdge(size)
	hashes, err := journal.HashReader(ctx, l.store, uint64(size)).ReadHashes(indexes)
	if err != nil {
		return head{}, err
	}
	h := head{edge: make(map[int64]tlog.Hash, len(indexes))}
	for i, index := range indexes {
		h.edge[index] = hashes[i]
	}
	h.N = size
	h.Hash, err = tlog.TreeHash(size, h.reader(nil))
	return h, err
}

// reader reads stored hashes of the tree, those off its right edge from next.
func (h *head) reader(next tlog.HashReader) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		var missing []int64
		var at []int
		for i, index := range indexes {
			if known, ok := h.edge[index]; ok {
				out[i] = known
				continue
			}
			missing, at = append(missing, index), append(at, i)
		}
		if len(missing) == 0 {
			return out, nil
		}
		found, err := next.ReadHashes(missing)
		for i := range found {
			out[at[i]] = found[i]
		}
		return out, err
	})
}
