package netkit

import (
	"fmt"
)

// Audited is what somebody who trusts nobody finds out from a journal alone.
type Audited struct {
	Network      string `json:"network"`
	Entries      uint64 `json:"entries"`
	Root         Hash   `json:"root" doc:"of the Merkle tree over their public parts"`
	Books        Books  `json:"books"`
	StateSHA256  Hash   `json:"state_sha256" doc:"of the state's canonical form: two auditors of one journal find the same"`
	Constitution string `json:"constitution" doc:"version in force at the end"`
	NotHeld      uint64 `json:"not_held,omitempty" doc:"private parts that are neither there nor erased, where only the public parts were to be checked"`
}

// Violation is the first thing that an audit finds wrong: an entry that the rules
// do not account for. It is an [ErrCorrupt].
type Violation struct {
	Entry uint64 `json:"entry"`
	Rule  string `json:"rule" doc:"a stable name, such as split 85/15"`
	What  string `json:"what" doc:"what is wrong, for people"`
}

// Error names the entry and the rule.
func (b *Violation) Error() string {
	return fmt.Sprintf("netkit: entry %d breaks the rule %q: %s", b.Entry, b.Rule, b.What)
}

// Is makes a violation an ErrCorrupt.
func (b *Violation) Is(target error) bool { return target == ErrCorrupt }
