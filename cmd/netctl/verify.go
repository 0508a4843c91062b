package main

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/agentnet/netctl/cmd/netctl/host"
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// audit is what a check of a journal found.
type audit struct {
	Entries  uint64         `json:"entries"`
	Postings uint64         `json:"postings"`
	Accounts int            `json:"accounts"`
	Private  uint64         `json:"private_parts" doc:"that were there to check"`
	Sum      netkit.Credits `json:"sum" doc:"of all accounts"`
	Tip      netkit.Hash    `json:"tip" doc:"leaf hash of the last entry"`
	Replayed bool           `json:"replayed" doc:"whether the state was rebuilt and agrees"`
}

// auditor checks entries one after the other. It knows no rule of the network:
// what an entry says must fit what the entries before it say.
type auditor struct {
	audit
	at       netkit.Millis
	accounts map[netkit.Account]chain
}

// chain is where an account stands.
type chain struct {
	held netkit.Credits
	last uint64
}

// verify checks a whole journal.
func verify(records iter.Seq2[journal.Record, error]) (audit, error) {
	v := auditor{accounts: map[netkit.Account]chain{}}
	for r, err := range records {
		if err != nil {
			return v.audit, err
		}
		if err := v.take(r); err != nil {
			return v.audit, err
		}
	}
	for _, c := range v.accounts {
		v.Sum += c.held
	}
	v.Accounts = len(v.accounts)
	if v.Sum != 0 {
		return v.audit, fmt.Errorf("%w: all accounts together hold %s, want 0.00", netkit.ErrCorrupt, v.Sum)
	}
	return v.audit, nil
}

// take checks one entry. ReadEntry checks the sum of its postings and the
// hash of its private part.
func (v *auditor) take(r journal.Record) error {
	e, err := netkit.ReadEntry(r)
	if err != nil {
		return err
	}
	switch {
	case e.Seq != v.Entries:
		return fmt.Errorf("%w: entry %d stands where %d is due", netkit.ErrCorrupt, e.Seq, v.Entries)
	case e.At < v.at:
		return fmt.Errorf("%w: entry %d is earlier than the one before it", netkit.ErrCorrupt, e.Seq)
	}
	for i := range e.Postings {
		if err := v.post(e, &e.Postings[i]); err != nil {
			return err
		}
	}
	if r.Private != nil {
		v.Private++
	}
	v.at, v.Tip = e.At, journal.Leaf(r.Public)
	v.Entries++
	return nil
}

// post checks that a posting continues its account.
func (v *auditor) post(e *netkit.Entry, p *netkit.Posting) error {
	c := v.accounts[p.Account]
	switch {
	case p.Prev != c.last:
		return fmt.Errorf("%w: entry %d names entry %d as the last on %s, which is %d", netkit.ErrCorrupt, e.Seq, p.Prev, p.Account, c.last)
	case p.After != c.held+p.Amount:
		return fmt.Errorf("%w: entry %d leaves %s on %s, want %s", netkit.ErrCorrupt, e.Seq, p.After, p.Account, c.held+p.Amount)
	case p.After < 0 && p.Account != netkit.Issuance:
		return fmt.Errorf("%w: entry %d leaves %s on %s, which may not owe", netkit.ErrCorrupt, e.Seq, p.After, p.Account)
	}
	v.accounts[p.Account] = chain{p.After, e.Seq}
	v.Postings++
	return nil
}

// verifyFolder checks the journal of a folder and rebuilds the state from it.
// It opens the journal for reading alone.
func verifyFolder(ctx context.Context, dir string) (_ audit, err error) {
	if !host.Present(dir) {
		return audit{}, missingNetwork(dir)
	}
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
	if err != nil {
		return audit{}, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	head, err := store.Head(ctx)
	if err != nil {
		return audit{}, err
	}
	if head.Size == 0 {
		return audit{}, missingNetwork(dir)
	}
	out, err := verify(store.Read(ctx, 0, head.Size))
	if err != nil {
		return out, err
	}
	if out.Tip != netkit.Hash(head.Tip) {
		return out, fmt.Errorf("%w: the last entry is not the one that the journal's head names", netkit.ErrCorrupt)
	}
	return out, replay(ctx, store, &out)
}

// replay rebuilds the state from entry 0 and compares what it holds.
func replay(ctx context.Context, store journal.Store, out *audit) error {
	n, err := netkit.New(ctx, netkit.Config{Store: store, IgnoreSnapshot: true})
	if err != nil {
		return err
	}
	books, err := n.Conservation(ctx)
	if err != nil {
		return err
	}
	if books.Sum != 0 {
		return fmt.Errorf("%w: the state rebuilt from the journal sums to %s", netkit.ErrCorrupt, books.Sum)
	}
	out.Replayed = true
	return nil
}
