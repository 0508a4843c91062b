package netkit

import (
	"context"

	"github.com/agentnet/netctl/netkit/journal"
)

// discard is a store that keeps genesis alone, for networks of which only the
// memory matters.
type discard struct{ journal.Store }

func (d discard) Append(ctx context.Context, h journal.Head, b journal.Batch) (journal.Head, error) {
	if h.Size == 0 {
		return d.Store.Append(ctx, h, b)
	}
	h.Size += uint64(len(b.Records))
	return h, nil
}
