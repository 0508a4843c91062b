package network

import (
	"context"
	"errors"
	"math"
	"slices"

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
		src, err = view(ctx, n, func(s *rules.State) (executionSource, error) { return sourceExecutionQuery(q, s, n.Size()) })
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

// sourceExecutionQuery chooses the narrowest source of a query. It refuses an agent and a
// sponsor that the network does not know.
func sourceExecutionQuery(q *netkit.ExecutionQuery, s *rules.State, size uint64) (src executionSource, err error) {
	var sponsor *rules.Party
	if q.Agent != "" {
		_, _, err = s.Agent("agent", q.Agent)
	}
	if err == nil && q.Sponsor != "" {
		_, sponsor, err = s.Sponsor("sponsor", q.Sponsor)
	}
	if err != nil {
		return src, err
	}
	listed, ok := rules.ListedExecutionQuery(q, s)
	switch {
	case ok:
		src.index = listed
	case q.Agent != "":
		src.account = netkit.Wallet(q.Agent)
	case q.CampaignID != 0:
		src.account = netkit.ContractBudget(q.CampaignID)
	case sponsor != nil:
		src.index = slices.Clone(s.Extra(sponsor).Bought.In)
	case size > 1:
		src.index = rules.EntrySpans{{First: 1, Last: size - 1}}
	}
	if len(src.index) > 0 {
		src.next = src.index[len(src.index)-1].Last
	}
	return src, nil
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
	line := e.Posting(x.account)
	if line == nil {
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
