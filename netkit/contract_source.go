package netkit

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
)

// executionSource yields entries, newest first: those of an index, or those that
// post to an account, by the chain that its postings make.
type executionSource struct {
	account Account
	index   entrySpans // without an account: those that hold next or are below it
	next    uint64     // entry to read next; 0 is none, since genesis is no execution
	block   []*Entry   // of the index, read ahead; the last is next
}

// executions is where the entries of a query come from, below an entry.
func (n *Network) executions(ctx context.Context, q *ExecutionQuery, before uint64) (src executionSource, err error) {
	if q.CampaignID != 0 {
		if _, err = n.lastPosting(ctx, ContractBudget(q.CampaignID)); errors.Is(err, ErrNotFound) {
			return src, contractUnknown("campaign_id")
		}
	}
	if err == nil {
		src, err = view(ctx, n, func(s *state) (executionSource, error) { return q.source(s, n.Size()) })
	}
	if err == nil && src.account.Kind != noAccount {
		src.next, err = n.lastPosting(ctx, src.account)
	}
	if before <= src.next && before != math.MaxUint64 {
		src.next = max(before, 1) - 1
	}
	src.skipGaps()
	return src, err
}

// source chooses the narrowest source of a query. It refuses an agent and a
// sponsor that the network does not know.
func (q *ExecutionQuery) source(s *state, size uint64) (src executionSource, err error) {
	var sponsor *party
	if q.Agent != "" {
		_, _, err = s.agent("agent", q.Agent)
	}
	if err == nil && q.Sponsor != "" {
		_, sponsor, err = s.sponsor("sponsor", q.Sponsor)
	}
	if err != nil {
		return src, err
	}
	listed, ok := q.listed(s)
	switch {
	case ok:
		src.index = listed
	case q.Agent != "":
		src.account = Wallet(q.Agent)
	case q.CampaignID != 0:
		src.account = ContractBudget(q.CampaignID)
	case sponsor != nil:
		src.index = slices.Clone(s.extra(sponsor).bought.in)
	case size > 1:
		src.index = entrySpans{{1, size - 1}}
	}
	if len(src.index) > 0 {
		src.next = src.index[len(src.index)-1].last
	}
	return src, nil
}

// maxListed bounds the executions of a state that are sorted for one page. Of
// more, an execution of that state is found soon among all.
const maxListed = 4096

// listed returns the executions of the wanted state where the rules keep a list
// of them, and whether they do.
func (q *ExecutionQuery) listed(s *state) (entrySpans, bool) {
	var ids []uint64
	switch {
	case q.State == nil:
		return nil, false
	case *q.State == ExecutionReturned && len(s.returned.M) <= maxListed:
		ids = slices.Collect(maps.Keys(s.returned.M))
	case *q.State == ExecutionOverturned && len(s.overturned.M) <= maxListed:
		ids = slices.Collect(maps.Keys(s.overturned.M))
	case *q.State == ExecutionAccepted && s.accepted.len() <= maxListed:
		for _, of := range s.accepted.m {
			ids = slices.AppendSeq(ids, maps.Keys(of))
		}
	default:
		return nil, false
	}
	slices.Sort(ids)
	all := make(entrySpans, len(ids))
	for k, id := range ids {
		all[k] = entrySpan{id, id}
	}
	return all, true
}

// entry reads the next entry and steps on; nil for one that was no execution.
func (x *executionSource) entry(ctx context.Context, n *Network) (*Entry, error) {
	if x.account.Kind == noAccount {
		return x.indexed(ctx, n)
	}
	e, err := n.Entry(ctx, x.next)
	if err != nil {
		return nil, err
	}
	line := e.posting(x.account)
	if line == nil {
		return nil, invalid("cursor", code.CursorMalformed, "is not a cursor of this list", "use next_cursor as it came, or leave it out to begin again")
	}
	x.next = line.Prev
	return e, nil
}

// scanBlock is how many entries of a span are read at once.
const scanBlock = 64

// indexed is entry for an index.
func (x *executionSource) indexed(ctx context.Context, n *Network) (*Entry, error) {
	if len(x.block) == 0 {
		from := max(x.index[len(x.index)-1].first, x.next+1-min(x.next, scanBlock))
		for r, err := range n.read(ctx, from, x.next+1) {
			var e *Entry
			if err == nil && peekKind(r.Public) == KindExecution {
				e, err = ReadEntry(r)
			}
			if err != nil {
				return nil, entryDamaged(err)
			}
			x.block = append(x.block, e)
		}
	}
	var e *Entry
	if k := len(x.block) - 1; k >= 0 { // nothing is there yet of what the open batch added
		e, x.block = x.block[k], x.block[:k]
	}
	x.next--
	x.skipGaps()
	return e, nil
}

// skipGaps moves next down to an entry that a span holds.
func (x *executionSource) skipGaps() {
	if x.account.Kind != noAccount {
		return
	}
	for len(x.index) > 0 && x.index[len(x.index)-1].first > x.next {
		x.index = x.index[:len(x.index)-1]
	}
	if len(x.index) == 0 {
		x.next = 0
		return
	}
	x.next = min(x.next, x.index[len(x.index)-1].last)
}
