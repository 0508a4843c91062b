package netkit

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/agentnet/netctl/netkit/journal"
)

// A private part may be missing only where an erasure says so. Without that
// rule a text that somebody cleared in the file would take tokens and
// idempotency keys with it, and a retry would pay twice.

// unexplained returns a breach for the first entry of missing that no erasure
// names. The entries below from were searched by the caller. A network that runs
// may have erased a part before the caller read it, so the entries from there on
// are searched as well.
func unexplained[V any](ctx context.Context, store journal.Store, missing map[uint64]V, from uint64) error {
	if len(missing) == 0 {
		return nil
	}
	left := maps.Clone(missing)
	for r, err := range store.Read(ctx, from, math.MaxUint64) {
		if err != nil {
			return err
		}
		e, err := ReadEntry(r)
		if err != nil {
			return err
		}
		if f, ok := e.Fact.(*privateErased); ok {
			delete(left, f.Entry)
		}
	}
	if len(left) == 0 {
		return nil
	}
	first := &Entry{Seq: slices.Min(slices.Collect(maps.Keys(left)))}
	return first.breach(rulePrivate, "it is missing, and no erasure names this entry; restore a backup")
}
