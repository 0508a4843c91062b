package network

import (
	"context"
	"errors"
	"math"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// executionSource yields entries, newest first: those of an index, or those that
// post to an account, by the chain that its postings make.
type executionSource struct {
	account netkit.Account
	index   rules.EntrySpans // without an account: those that hold next or are below it
	next    uint64           // entry to read next; 0 is none, since genesis is no execution
	block   []*rules.Entry   // of the index, read ahead; the last is next
}

// executions is where the entries of a query come from, below an entry.
func (n *Network) executions(ctx context.Context, q *netkit.ExecutionQuery, before uint64) (src executionSource, err error) {
	if q.CampaignID != 0 {
		if _, err = n.lastPosting(ctx, netkit.ContractBudget(q.CampaignID)); errors.Is(err, netkit.ErrNotFound) {
			return src, rules.ContractUnknown("campaign_id")
		}
	}
	if err == nil {
		src, err = view(ctx, n, func(s *rules.State) (src executionSource, err error) {
			src.account, src.index, err = s.ExecutionEntries(q, n.Size())
			if len(src.index) > 0 {
				src.next = src.index[len(src.index)-1].Last
			}
			return src, err
		})
	}
	if err == nil && src.account.Kind != netkit.NoAccount {
		src.next, err = n.lastPosting(ctx, src.account)
	}
	if before <= src.next && before != math.MaxUint64 {
		src.next = max(before, 1) - 1
	}
	src.skipGaps()
	return src, err
}

// entry reads the next entry and steps on; nil for one that was no execution.
func (x *executionSource) entry(ctx context.Context, n *Network) (*rules.Entry, error) {
	if x.account.Kind == netkit.NoAccount {
		return x.indexed(ctx, n)
	}
	e, err := n.Entry(ctx, x.next)
	if err != nil {
		return nil, err
	}
	line, ok := e.Line(x.account)
	if !ok {
		return nil, netkit.Invalid("cursor", code.CursorMalformed, "is not a cursor of this list", "use next_cursor as it came, or leave it out to begin again")
	}
	x.next = line.Prev
	return e, nil
}

// scanBlock is how many entries of a span are read at once.
const scanBlock = 64

// indexed is entry for an index.
func (x *executionSource) indexed(ctx context.Context, n *Network) (*rules.Entry, error) {
	if len(x.block) == 0 {
		from := max(x.index[len(x.index)-1].First, x.next+1-min(x.next, scanBlock))
		for r, err := range n.read(ctx, from, x.next+1) {
			var e *rules.Entry
			if err == nil && peekKind(r.Public) == netkit.KindExecution {
				e, err = rules.ReadEntry(r)
			}
			if err != nil {
				return nil, netkit.EntryDamaged(err)
			}
			x.block = append(x.block, e)
		}
	}
	var e *rules.Entry
	if k := len(x.block) - 1; k >= 0 { // nothing is there yet of what the open batch added
		e, x.block = x.block[k], x.block[:k]
	}
	x.next--
	x.skipGaps()
	return e, nil
}

// skipGaps moves next down to an entry that a span holds.
func (x *executionSource) skipGaps() {
	if x.account.Kind != netkit.NoAccount {
		return
	}
	for len(x.index) > 0 && x.index[len(x.index)-1].First > x.next {
		x.index = x.index[:len(x.index)-1]
	}
	if len(x.index) == 0 {
		x.next = 0
		return
	}
	x.next = min(x.next, x.index[len(x.index)-1].Last)
}
