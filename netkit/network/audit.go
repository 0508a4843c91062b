package network

import (
	"bytes"
	"context"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// Audit checks a journal from entry 0 on and writes nothing: every entry by an
// [rules.Auditor], every private part by the hash that the public part names, and the
// stored tree. A private part may be missing where an erasure names its entry.
// An error that is [ErrCorrupt] names the first entry that is wrong; one that is
// a [Violation] also the rule.
func Audit(ctx context.Context, store journal.Store) (netkit.Audited, error) {
	audited, missing, err := auditAll(ctx, store)
	if err != nil {
		return audited, err
	}
	return audited, unexplained(ctx, store, missing, audited.Entries)
}

// AuditPublic is [Audit] for a journal that does not hold all private
// parts: it counts those that are neither there nor erased.
func AuditPublic(ctx context.Context, store journal.Store) (netkit.Audited, error) {
	audited, missing, err := auditAll(ctx, store)
	audited.NotHeld = uint64(len(missing))
	return audited, err
}

func auditAll(ctx context.Context, store journal.Store) (netkit.Audited, rules.MissingParts, error) {
	head, err := store.Head(ctx)
	if err != nil {
		return netkit.Audited{}, nil, err
	}
	if head.Size == 0 {
		return netkit.Audited{}, nil, fmt.Errorf("netkit: the journal is empty, there is nothing to audit")
	}
	bare, err := journal.Bare(ctx, store, head.Size)
	if err != nil {
		return netkit.Audited{}, nil, err
	}
	a, err := rules.NewAuditor(netkit.AuditConfig{
		Entry:  func(seq uint64) ([]byte, error) { return publicPart(ctx, store, seq) },
		RootAt: func(size uint64) (netkit.Hash, error) { return storedRoot(ctx, store, size) },
	})
	if err != nil {
		return netkit.Audited{}, nil, err
	}
	a.State.Use(hooks)
	stored := logTree{bare: bare}
	var decoder rules.EntryDecoder
	decode := func(e *rules.DecodedEntry, r journal.Record) error {
		decoder.Decode(e, r) // what is wrong with an entry is said when those before it were taken
		return nil
	}
	for entries, err := range decodeAhead(ctx, store.Read(ctx, 0, head.Size), decode) {
		for i := range entries {
			if err = a.TakeDecoded(&entries[i]); err == nil {
				stored.nodes = append(stored.nodes, a.Nodes...)
				err = stored.agree(ctx, store)
			}
			if err != nil {
				break
			}
		}
		if err != nil {
			return netkit.Audited{}, nil, err
		}
	}
	if n := a.State.Size(); n != head.Size {
		return netkit.Audited{}, nil, fmt.Errorf("%w: it ends before entry %d, its head says %d", netkit.ErrCorrupt, n, head.Size)
	}
	if err := a.End(); err != nil {
		return netkit.Audited{}, nil, err
	}
	return a.Summary(), a.Missing, nil
}

// storedRoot is the root of the tree of the first size entries.
func storedRoot(ctx context.Context, store journal.Store, size uint64) (netkit.Hash, error) {
	t, err := journal.OpenTree(ctx, store, size)
	if err != nil {
		return netkit.Hash{}, err
	}
	return t.Root(), nil
}

// publicPart reads one entry.
func publicPart(ctx context.Context, store journal.Store, seq uint64) ([]byte, error) {
	for r, err := range store.Read(ctx, seq, seq+1) {
		return bytes.Clone(r.Public), err
	}
	return nil, fmt.Errorf("%w: entry %d is missing", netkit.ErrCorrupt, seq)
}
