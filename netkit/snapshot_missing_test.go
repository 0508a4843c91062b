package netkit

import (
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit/journal"
)

// cleared is a store from whose entries private parts were taken or changed in
// the file.
type cleared struct {
	journal.Store
	private map[uint64][]byte
}

func (c *cleared) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range c.Store.Read(ctx, from, to) {
			if part, ok := c.private[r.Seq]; ok {
				r.Private = part
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// growing is a store that does something once its first entry is read.
type growing struct {
	journal.Store
	then func()
}

func (g *growing) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range g.Store.Read(ctx, from, to) {
			if !yield(r, err) {
				return
			}
			if then := g.then; then != nil && from == 0 && to > 1 {
				g.then = nil
				then()
			}
		}
	}
}
