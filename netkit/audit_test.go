package netkit

import (
	"bytes"
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit/journal"
)

// forged is a store that shows one record otherwise than it was written.
type forged struct {
	journal.Store
	seq      uint64
	old, new string
}

func (f *forged) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range f.Store.Read(ctx, from, to) {
			if r.Seq == f.seq {
				r.Public = bytes.Replace(bytes.Clone(r.Public), []byte(f.old), []byte(f.new), 1)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
