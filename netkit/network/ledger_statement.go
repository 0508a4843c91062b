package network

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// Balance returns the balance of an account. Balances are public. Only [Session.BalanceAt],
// the same operation with a time, refuses with history_too_long.
//
// Refusals: account_unknown, history_too_long.
func (ses *Session) Balance(ctx context.Context, a netkit.Account) (netkit.AccountBalance, error) {
	now := ses.n.Now()
	out, err := view(ctx, ses.n, func(s *rules.State) (netkit.AccountBalance, error) {
		return s.AccountBalance(a, now)
	})
	if err != nil {
		_, err = ses.n.oldBudget(ctx, a, err)
	}
	return out, err
}

// oldBudget returns the latest posting to the account of a contract that left
// memory, which holds nothing any more, or the error given for any other account.
func (n *Network) oldBudget(ctx context.Context, a netkit.Account, unknown error) (uint64, error) {
	if a.Kind != netkit.ContractAccount || !errors.Is(unknown, netkit.ErrNotFound) {
		return 0, unknown
	}
	ct, err := archived(ctx, n, rules.ContractShelf, a.ID, unknown)
	if err != nil {
		return 0, err
	}
	return ct.LastPosting(), nil
}

// lastPosting is the latest entry that posted to an account.
func (n *Network) lastPosting(ctx context.Context, a netkit.Account) (uint64, error) {
	last, err := view(ctx, n, func(s *rules.State) (uint64, error) { return s.LastPosting(a) })
	if err != nil {
		return n.oldBudget(ctx, a, err)
	}
	return last, nil
}

// Statement lists the postings of an account, newest first, by walking the
// chain that they make. Postings are public, so that anyone may check them.
//
// Refusals: account_unknown.
func (ses *Session) Statement(ctx context.Context, a netkit.Account, page netkit.Page) (netkit.List[netkit.StatementLine], error) {
	out := netkit.List[netkit.StatementLine]{Items: []netkit.StatementLine{}}
	size, err := page.Size()
	if err != nil {
		return out, err
	}
	now := ses.n.Now()
	last, err := ses.n.lastPosting(ctx, a)
	if err == nil {
		out.AsOf, err = view(ctx, ses.n, func(s *rules.State) (netkit.AsOf, error) { return s.AsOf(now), nil })
	}
	if err != nil {
		return out, err
	}
	if page.Cursor != "" {
		from, err := page.Before()
		if err != nil || from > last {
			return out, netkit.Invalid("cursor", code.CursorMalformed, "is not a cursor of this statement", "use next_cursor as it came, or leave it out to begin again")
		}
		last = from
	}
	if out.Items, last, err = ses.n.walk(ctx, a, last, size); err == nil && last != 0 {
		out.NextCursor = netkit.CursorBelow(last)
	}
	return out, err
}

// walk follows an account's chain back from an entry for up to size lines and
// returns where it goes on; 0 at its end. Entry 0 has no postings.
func (n *Network) walk(ctx context.Context, a netkit.Account, seq uint64, size int) ([]netkit.StatementLine, uint64, error) {
	lines := []netkit.StatementLine{}
	for seq != 0 && len(lines) < size {
		e, err := n.Entry(ctx, seq)
		if err != nil {
			return lines, 0, err
		}
		line, ok := e.Line(a)
		if !ok && len(lines) == 0 {
			return lines, 0, netkit.Invalid("cursor", code.CursorMalformed, "is not a cursor of this statement", "use next_cursor as it came, or leave it out to begin again")
		}
		if !ok || len(lines) > 0 && line.After != lines[len(lines)-1].After-lines[len(lines)-1].Amount {
			return lines, 0, fmt.Errorf("%w: the chain of %s breaks at entry %d", netkit.ErrCorrupt, a, seq)
		}
		lines = append(lines, line)
		seq = line.Prev
	}
	return lines, seq, nil
}

// maxEntries is how many entries one call gives.
const maxEntries = 1000

// Entries returns the public parts of up to limit durable entries from a
// sequence number on, for whoever checks the books; 0 means a thousand, which
// is the most. Their bytes are what the journal holds.
func (n *Network) Entries(ctx context.Context, from uint64, limit int) ([]json.RawMessage, error) {
	if limit < 0 || limit > maxEntries {
		return nil, netkit.Invalid("limit", code.LimitOutOfRange, "is not between 1 and 1000", "leave it out for 1000")
	}
	if limit == 0 {
		limit = maxEntries
	}
	out := []json.RawMessage{}
	end := min(from+uint64(limit), n.durable.Size())
	if from >= end {
		return out, nil
	}
	for r, err := range n.read(ctx, from, end) {
		if err != nil {
			return nil, netkit.EntryDamaged(err)
		}
		out = append(out, append(json.RawMessage(nil), r.Public...))
	}
	return out, nil
}

// Conservation adds up all accounts, by kind.
func (ses *Session) Conservation(ctx context.Context) (netkit.Books, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *rules.State) (netkit.Books, error) {
		b := s.Books()
		b.AsOf = s.AsOf(now)
		return b, nil
	})
}

// Totals returns the network totals.
func (n *Network) Totals(ctx context.Context) (netkit.NetworkTotals, error) {
	now := n.Now()
	return view(ctx, n, func(s *rules.State) (netkit.NetworkTotals, error) { return s.Totals(now), nil })
}
