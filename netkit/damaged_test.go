package netkit

import (
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit/journal"
)

// rotten is a store in which one record was altered in the file.
type rotten struct {
	journal.Store
	seq   uint64
	alter func(*journal.Record)
}

func (s *rotten) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range s.Store.Read(ctx, from, to) {
			if err == nil && s.alter != nil && r.Seq == s.seq {
				s.alter(&r)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
