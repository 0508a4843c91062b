package proof

import (
	"errors"
	"fmt"
	"slices"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
)

// What can be wrong with something signed, to branch on with errors.Is.
var (
	ErrFormat    = errors.New("proof: not in the form that it should have")
	ErrKey       = errors.New("proof: not signed by the key")
	ErrSignature = errors.New("proof: the signature is false")
	ErrOrigin    = errors.New("proof: of another log")
	ErrQuorum    = errors.New("proof: too few witnesses")
	ErrInclusion = errors.New("proof: the entry is not in the log")
)

// Policy says whose signatures a checkpoint must carry: the log's own, and
// those of at least a quorum of witnesses. It is a [torchwood.Policy].
type Policy struct {
	log       note.Verifier
	witnesses []note.Verifier
	keys      []string // public keys of the witnesses; never nil
	quorum    int
}

// NewPolicy makes a policy of public keys: the log's, as in c2sp.org/signed-note,
// and the witnesses', as in c2sp.org/tlog-cosignature.
func NewPolicy(log string, witnesses []string, quorum int) (*Policy, error) {
	v, err := note.NewVerifier(log)
	if err != nil {
		return nil, fmt.Errorf("proof: this is not a public key of a log: %w", err)
	}
	p := &Policy{log: v, quorum: quorum, keys: append([]string{}, witnesses...)}
	for _, key := range witnesses {
		w, err := torchwood.NewCosignatureVerifier(key)
		if err != nil {
			return nil, fmt.Errorf("proof: this is not a public key of a witness: %w", err)
		}
		if _, err := p.Verifier(w.Name(), w.KeyHash()); err == nil {
			return nil, fmt.Errorf("proof: witness %s is named twice", w.Name())
		}
		p.witnesses = append(p.witnesses, w)
	}
	if quorum < 0 || quorum > len(witnesses) {
		return nil, fmt.Errorf("proof: a quorum of %d cannot come from %d witnesses", quorum, len(witnesses))
	}
	return p, nil
}

// Origin names the log.
func (p *Policy) Origin() string { return p.log.Name() }

// Quorum is how many witnesses must have signed.
func (p *Policy) Quorum() int { return p.quorum }

// Verifier implements note.Verifiers.
func (p *Policy) Verifier(name string, hash uint32) (note.Verifier, error) {
	for _, v := range append([]note.Verifier{p.log}, p.witnesses...) {
		if v.Name() == name && v.KeyHash() == hash {
			return v, nil
		}
	}
	return nil, &note.UnknownVerifierError{Name: name, KeyHash: hash}
}

// Check implements torchwood.Policy. The signatures were verified before.
func (p *Policy) Check(origin string, sigs []note.Signature) error {
	if origin != p.log.Name() {
		return fmt.Errorf("%w: it is of %q, not of %q", ErrOrigin, origin, p.log.Name())
	}
	if !signed(sigs, p.log) {
		return fmt.Errorf("%w of %s", ErrKey, p.log.Name())
	}
	n := 0
	for _, w := range p.witnesses {
		if signed(sigs, w) {
			n++
		}
	}
	if n < p.quorum {
		return fmt.Errorf("%w: %d of the %d that are required have cosigned", ErrQuorum, n, p.quorum)
	}
	return nil
}

func signed(sigs []note.Signature, by note.Verifier) bool {
	for _, s := range sigs {
		if s.Name == by.Name() && s.Hash == by.KeyHash() {
			return true
		}
	}
	return false
}

// Checkpoint is a checkpoint whose signatures satisfied a policy.
type Checkpoint struct {
	torchwood.Checkpoint
	Cosigned []string // names of the witnesses of the policy that signed it
}

// OpenCheckpoint verifies a signed checkpoint.
func OpenCheckpoint(p *Policy, text []byte) (Checkpoint, error) {
	c, n, err := torchwood.VerifyCheckpoint(text, p)
	if err != nil {
		return Checkpoint{}, p.explain(text, err)
	}
	out := Checkpoint{Checkpoint: c}
	for _, w := range p.witnesses {
		if signed(n.Sigs, w) {
			out.Cosigned = append(out.Cosigned, w.Name())
		}
	}
	return out, nil
}

// explain makes one of the errors above of what a library says.
func (p *Policy) explain(text []byte, err error) error {
	for _, known := range []error{ErrOrigin, ErrKey, ErrQuorum} {
		if errors.Is(err, known) {
			return err
		}
	}
	var stranger *note.UnverifiedNoteError
	var wrong *note.InvalidSignatureError
	switch {
	case errors.As(err, &stranger):
		who := "nobody"
		if len(stranger.Note.UnverifiedSigs) > 0 {
			who = stranger.Note.UnverifiedSigs[0].Name
			if who == p.log.Name() {
				who = "another key of that name"
			}
		}
		return fmt.Errorf("%w of %s but by %s", ErrKey, p.log.Name(), who)
	case errors.As(err, &wrong):
		return fmt.Errorf("%w: %s did not sign this text", ErrSignature, wrong.Name)
	}
	return fmt.Errorf("%w: %w", ErrFormat, err)
}

// Cosignature finds, in a witness's answer to a signed checkpoint, the line
// that the key of that witness signed. Other lines are left out.
func Cosignature(witness string, checkpoint, answer []byte) ([]byte, error) {
	v, err := torchwood.NewCosignatureVerifier(witness)
	if err != nil {
		return nil, fmt.Errorf("proof: this is not a public key of a witness: %w", err)
	}
	n, err := note.Open(append(slices.Clone(checkpoint), answer...), note.VerifierList(v))
	if err != nil {
		return nil, fmt.Errorf("%w: the answer holds no cosignature of %s: %w", ErrSignature, v.Name(), err)
	}
	return fmt.Appendf(nil, "— %s %s\n", v.Name(), n.Sigs[0].Base64), nil
}
