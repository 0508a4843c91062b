package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
)

// Proved is what a proof file shows to be true.
type Proved struct {
	Seq        uint64     // sequence number of the entry
	Entry      []byte     // its public part
	Checkpoint Checkpoint // the tree that it is in
}

// Verify checks a proof file that [Log.Prove] made: that its checkpoint
// satisfies the policy, that the entry which it holds is in the tree of that
// checkpoint, and that the entry stands where it says that it stands. It needs
// no network. Errors unwrap to one of those of this package.
func Verify(p *Policy, file []byte) (Proved, error) {
	entry, err := torchwood.ProofExtraData(file)
	if err != nil {
		return Proved{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	err = torchwood.VerifyProof(p, tlog.RecordHash(entry), file)
	var not *torchwood.VerifyRecordError
	switch {
	case errors.As(err, &not):
		return Proved{}, fmt.Errorf("%w: the tree that was signed does not hold this entry %d", ErrInclusion, not.Index)
	case err != nil:
		return Proved{}, p.explain(file, err)
	}
	head, text, _ := bytes.Cut(file, []byte("\n\n"))
	out := Proved{Entry: entry, Seq: index(head)}
	if out.Checkpoint, err = OpenCheckpoint(p, text); err != nil {
		return Proved{}, err
	}
	return out, out.inPlace()
}

// index reads the index line of a proof that was found to be well formed.
func index(head []byte) uint64 {
	for line := range strings.Lines(string(head)) {
		if text, ok := strings.CutPrefix(line, "index "); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64) // as VerifyProof reads it
			return uint64(n)
		}
	}
	return 0
}

// inPlace compares where the entry is with where it says that it is: the same
// entry twice in a log must not prove twice what happened once.
func (p *Proved) inPlace() error {
	var says struct {
		Seq *uint64 `json:"seq"`
	}
	if err := json.Unmarshal(p.Entry, &says); err != nil || says.Seq == nil {
		return fmt.Errorf("%w: what stands at %d is not a journal entry", ErrFormat, p.Seq)
	}
	if *says.Seq != p.Seq {
		return fmt.Errorf("%w: entry %d stands at %d", ErrInclusion, *says.Seq, p.Seq)
	}
	return nil
}
