package network

import (
	"context"
	"sync/atomic"

	"github.com/agentnet/netctl/netkit/journal"
)

// Effort counts the journal entries that answers required, so that a server can
// charge a caller for them. It may be used from any goroutine.
type Effort struct {
	entries atomic.Int64
	outer   *Effort
}

type effortKey struct{}

// WithEffort returns a context whose views count the entries they read in e, and
// in the effort that ctx has already.
func WithEffort(ctx context.Context, e *Effort) context.Context {
	e.outer, _ = ctx.Value(effortKey{}).(*Effort)
	return context.WithValue(ctx, effortKey{}, e)
}

// Entries returns how many entries were read. An entry counts once for each KiB
// of its public part that it begins: archived rows share large entries.
func (e *Effort) Entries() int { return int(e.entries.Load()) }

// countRead adds an entry that was read to the effort of a context.
func countRead(ctx context.Context, r *journal.Record) {
	e, _ := ctx.Value(effortKey{}).(*Effort)
	for ; e != nil; e = e.outer {
		e.entries.Add(1 + int64(len(r.Public))>>10)
	}
}
