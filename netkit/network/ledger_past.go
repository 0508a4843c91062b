package network

import (
	"context"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// maxLookBack bounds the entries that a balance in the past reads behind its time.
const maxLookBack = 10_000

// BalanceAt returns the balance of an account at a time in the past, with AsOf naming
// the last entry until then. It counts the entries that it reads in the effort of
// the context. An account that was opened later held nothing.
//
// Refusals: account_unknown, history_too_long.
func (ses *Session) BalanceAt(ctx context.Context, a netkit.Account, at netkit.Millis) (netkit.AccountBalance, error) {
	out := netkit.AccountBalance{Account: a}
	now, err := ses.Balance(ctx, a)
	if err != nil {
		return out, err
	}
	if at >= now.AsOf.At {
		out.Balance, out.AsOf = now.Balance, now.AsOf
		return out, nil
	}
	end, err := ses.n.entriesUntil(ctx, at)
	if err != nil {
		return out, err
	}
	out.AsOf = netkit.AsOf{Seq: max(end, 1) - 1, Date: at.Day(), At: at}
	opened, err := view(ctx, ses.n, func(s *rules.State) (uint64, error) { return s.Opened(a), nil })
	if err != nil || opened >= end {
		return out, err
	}
	out.Balance, err = ses.n.balanceBefore(ctx, a, end, maxLookBack)
	return out, err
}

// entriesUntil returns the number of durable entries up to a time. The times of
// entries never decrease, so a binary search finds it.
func (n *Network) entriesUntil(ctx context.Context, at netkit.Millis) (uint64, error) {
	low, high := uint64(0), n.durable.Size()
	for low < high {
		mid := low + (high-low)/2
		e, err := n.Entry(ctx, mid)
		if err != nil {
			return 0, err
		}
		if e.At <= at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, nil
}

// balanceBefore returns the balance of an account before entry end. The posting
// that left it is near end if the account is busy, and near the end of the
// account's chain if it is quiet, so the search alternates between both. In a
// journal of m later entries it reads about the square root of m, and at most most.
func (n *Network) balanceBefore(ctx context.Context, a netkit.Account, end uint64, most int) (netkit.Credits, error) {
	next, err := n.lastPosting(ctx, a)
	for below, looked := end, 0; err == nil && looked < most; looked += 2 * scanBlock {
		var found bool
		var held netkit.Credits
		if held, next, err = n.followChain(ctx, a, next, end); err != nil || next < end {
			return held, err
		}
		if held, found, err = n.scanPostings(ctx, a, below); err != nil || found || below <= scanBlock {
			return held, err
		}
		below -= scanBlock
	}
	if err != nil {
		return 0, err
	}
	return 0, netkit.Invalid("at", code.HistoryTooLong, "is further back in the postings of this account than one answer reads", "{getStatement} lists its postings with the balance after each")
}

// followChain follows an account's chain back from entry next to a posting before
// entry end, for scanBlock postings at most. It returns the next entry of the chain
// and, if that is before end, the balance that it left.
func (n *Network) followChain(ctx context.Context, a netkit.Account, next, end uint64) (netkit.Credits, uint64, error) {
	if next != 0 && next < end {
		p, err := n.postingAt(ctx, a, next)
		return p.After, next, err
	}
	held := netkit.Credits(0)
	for k := 0; k < scanBlock && next >= end; k++ {
		p, err := n.postingAt(ctx, a, next)
		if err != nil {
			return 0, 0, err
		}
		held, next = p.After-p.Amount, p.Prev
	}
	return held, next, nil
}

// postingAt returns the posting of an entry on an account whose chain names it.
func (n *Network) postingAt(ctx context.Context, a netkit.Account, seq uint64) (rules.Posting, error) {
	e, err := n.Entry(ctx, seq)
	if err != nil {
		return rules.Posting{}, err
	}
	p := e.Posting(a)
	if p == nil {
		return rules.Posting{}, fmt.Errorf("%w: the chain of %s breaks at entry %d", netkit.ErrCorrupt, a, seq)
	}
	return *p, nil
}

// scanPostings reads the scanBlock entries below a number and returns the balance
// that the last posting among them left.
func (n *Network) scanPostings(ctx context.Context, a netkit.Account, below uint64) (held netkit.Credits, found bool, err error) {
	for r, err := range n.read(ctx, below-min(below, scanBlock), below) {
		var e *rules.Entry
		if err == nil {
			e, err = rules.ReadEntry(r)
		}
		if err != nil {
			return 0, false, netkit.EntryDamaged(err)
		}
		if p := e.Posting(a); p != nil {
			held, found = p.After, true
		}
	}
	return held, found, nil
}
