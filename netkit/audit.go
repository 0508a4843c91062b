package netkit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// Audited is what somebody who trusts nobody finds out from a journal alone.
type Audited struct {
	Network      string `json:"network"`
	Entries      uint64 `json:"entries"`
	Books        Books  `json:"books"`
	StateSHA256  Hash   `json:"state_sha256" doc:"of the state's canonical form: two auditors of one journal find the same"`
	Constitution string `json:"constitution" doc:"version in force at the end"`
}

// Audit replays a journal from entry 0 and writes nothing. It checks that
// entries follow each other in number and time, that each entry's postings
// sum to zero, carry on their accounts' chains and leave the balances they
// say, that no account but issuance is below zero, and that private parts
// have the hashes that the public parts name. An error that is [ErrCorrupt]
// names the first entry that is wrong.
func Audit(ctx context.Context, store journal.Store) (Audited, error) {
	n := &Network{store: store, clock: clock{now: func() time.Time { return time.Time{} }}, state: newState(), secrets: newSecrets()}
	head, err := store.Head(ctx)
	if err != nil {
		return Audited{}, err
	}
	if head.Size == 0 {
		return Audited{}, fmt.Errorf("netkit: the journal is empty, there is nothing to audit")
	}
	if err := n.replay(ctx, head); err != nil {
		return Audited{}, err
	}
	s := n.state
	a := Audited{Network: s.root.netID, Entries: head.Size, Books: s.books(), StateSHA256: sha256.Sum256(s.canonical()), Constitution: s.law.Version}
	a.Books.AsOf = s.asOf(s.root.at)
	if a.Books.Sum != 0 {
		return a, fmt.Errorf("%w: all accounts sum to %s, not to 0", ErrCorrupt, a.Books.Sum)
	}
	return a, nil
}

// continues checks that an entry carries on where the state stands.
func (s *state) continues(e *Entry) error {
	if e.Seq != s.root.next {
		return fmt.Errorf("%w: entry %d stands where %d is due", ErrCorrupt, e.Seq, s.root.next)
	}
	if e.At < s.root.at {
		return fmt.Errorf("%w: entry %d is older than the one before", ErrCorrupt, e.Seq)
	}
	if e.Seq > 0 && e.Constitution != s.law.Version {
		return fmt.Errorf("%w: entry %d was decided under constitution %s while %s was in force", ErrCorrupt, e.Seq, e.Constitution, s.law.Version)
	}
	for i := range e.Postings {
		p := &e.Postings[i]
		var b balance
		if p.at = s.balance(p.Account); p.at != nil {
			b = *p.at
		}
		switch {
		case p.Prev != b.last || p.After != b.held+p.Amount:
			return fmt.Errorf("%w: entry %d: the posting on %s does not carry on from entry %d with %s", ErrCorrupt, e.Seq, p.Account, b.last, b.held)
		case p.After < 0 && p.Account.Kind != IssuanceAccount:
			return fmt.Errorf("%w: entry %d: %s falls below zero", ErrCorrupt, e.Seq, p.Account)
		}
	}
	return nil
}
