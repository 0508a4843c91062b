package netkit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/agentnet/netctl/netkit/journal"
)

// Audited is what somebody who trusts nobody finds out from a journal alone.
type Audited struct {
	Network      string `json:"network"`
	Entries      uint64 `json:"entries"`
	Root         Hash   `json:"root" doc:"of the Merkle tree over their public parts"`
	Books        Books  `json:"books"`
	StateSHA256  Hash   `json:"state_sha256" doc:"of the state's canonical form: two auditors of one journal find the same"`
	Constitution string `json:"constitution" doc:"version in force at the end"`
}

// Audit checks a journal from entry 0 on and writes nothing: every entry by an
// [Auditor], every private part by the hash that the public part names, and the
// stored tree. A private part may be missing where an erasure names its entry.
// An error that is [ErrCorrupt] names the first entry that is wrong; one that is
// a [Breach] also the rule.
func Audit(ctx context.Context, store journal.Store) (Audited, error) {
	head, err := store.Head(ctx)
	if err != nil {
		return Audited{}, err
	}
	if head.Size == 0 {
		return Audited{}, fmt.Errorf("netkit: the journal is empty, there is nothing to audit")
	}
	bare, err := journal.Bare(ctx, store, head.Size)
	if err != nil {
		return Audited{}, err
	}
	a, err := NewAuditor(AuditConfig{
		Entry:  func(seq uint64) ([]byte, error) { return publicPart(ctx, store, seq) },
		RootAt: func(size uint64) (Hash, error) { return storedRoot(ctx, store, size) },
	})
	if err != nil {
		return Audited{}, err
	}
	stored := trunk{bare: bare}
	for r, err := range store.Read(ctx, 0, head.Size) {
		if err == nil {
			err = a.Take(r.Public)
		}
		if err == nil {
			err = a.private(r)
		}
		if err == nil {
			stored.nodes = append(stored.nodes, a.nodes...)
			err = stored.agree(ctx, store)
		}
		if err != nil {
			return Audited{}, err
		}
	}
	if n := a.s.root.next; n != head.Size {
		return Audited{}, fmt.Errorf("%w: it ends before entry %d, its head says %d", ErrCorrupt, n, head.Size)
	}
	if err := a.End(); err != nil {
		return Audited{}, err
	}
	return a.Summary(), unexplained(ctx, store, a.missing, head.Size)
}

// storedRoot is the root of the tree of the first size entries.
func storedRoot(ctx context.Context, store journal.Store, size uint64) (Hash, error) {
	t, err := journal.OpenTree(ctx, store, size)
	if err != nil {
		return Hash{}, err
	}
	return t.Root(), nil
}

// private checks the private part of the entry that was taken last, or notes
// that it is missing.
func (a *Auditor) private(r journal.Record) error {
	if f, ok := a.want.Fact.(*privateErased); ok {
		delete(a.missing, f.Entry)
	}
	switch {
	case r.Private == nil && a.want.Private != [32]byte{}:
		a.missing[r.Seq] = struct{}{}
	case r.Private != nil && sha256.Sum256(r.Private) != a.want.Private:
		return a.want.breach(rulePrivate, "it has another hash than the entry names; restore a backup")
	}
	return nil
}

// publicPart reads one entry.
func publicPart(ctx context.Context, store journal.Store, seq uint64) ([]byte, error) {
	for r, err := range store.Read(ctx, seq, seq+1) {
		return bytes.Clone(r.Public), err
	}
	return nil, fmt.Errorf("%w: entry %d is missing", ErrCorrupt, seq)
}

// Summary sums up what was taken.
func (a *Auditor) Summary() Audited {
	s := a.s
	out := Audited{Network: s.root.netID, Entries: s.root.next, Root: a.tree.Root(), Books: s.books(), StateSHA256: sha256.Sum256(s.canonical()), Constitution: s.law.Version}
	out.Books.AsOf = s.asOf(s.root.at)
	return out
}

// follows checks that an entry comes next, and not before its time.
func (s *state) follows(e *Entry) error {
	if e.Seq != s.root.next {
		return (&Entry{Seq: s.root.next}).breach(ruleNumber, "entry %d stands where %d is due", e.Seq, s.root.next)
	}
	if e.At < s.root.at {
		return e.breach(ruleTime, "%s is before %s, when the entry before it was made", e.At, s.root.at)
	}
	return nil
}

// continues checks that an entry carries on where the state stands. It is what
// a start asks of its own journal; an [Auditor] asks for more.
func (s *state) continues(e *Entry) error {
	if err := s.follows(e); err != nil {
		return err
	}
	if e.Seq > 0 && e.Constitution != s.law.Version {
		return e.breach(ruleConstitution, "got %s, want %s", e.Constitution, s.law.Version)
	}
	for i := range e.Postings {
		p := &e.Postings[i]
		var b balance
		if p.at = s.balance(p.Account); p.at != nil {
			b = *p.at
		}
		switch {
		case p.Prev != b.last || p.After != b.held+p.Amount:
			return e.breach(ruleChain, "the posting on %s does not carry on from entry %d with %s", p.Account, b.last, b.held)
		case p.After < 0 && p.Account.Kind != IssuanceAccount:
			return e.breach(ruleChain, "%s falls below zero", p.Account)
		}
	}
	return nil
}
