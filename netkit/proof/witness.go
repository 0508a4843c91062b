package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// What a witness refuses, with the status that c2sp.org/tlog-witness gives it.
var (
	ErrRequest      = errors.New("proof: the request is malformed")                                       // 400
	ErrNotTrusted   = errors.New("proof: no key that this witness trusts signed the checkpoint")          // 403
	ErrUnknownLog   = errors.New("proof: this witness does not know the log")                             // 404
	ErrFork         = errors.New("proof: the log has signed two histories")                               // 409
	ErrInconsistent = errors.New("proof: the checkpoint does not follow from the one cosigned before it") // 422
)

// StaleError says that the old size of a request is not that of the newest
// checkpoint which the witness cosigned: 409 with that size.
type StaleError struct{ Size uint64 }

// Error implements error.
func (e *StaleError) Error() string {
	return fmt.Sprintf("proof: the newest checkpoint that this witness cosigned has %d entries", e.Size)
}

// Memory is what a witness may never forget. Each method returns once what it
// wrote is durable.
type Memory interface {
	// Latest returns the newest checkpoint cosigned of a log as the log signed
	// it, nil if there is none.
	Latest(ctx context.Context, origin string) ([]byte, error)
	// Advance replaces it.
	Advance(ctx context.Context, origin string, signed []byte) error
	// Accuse keeps two checkpoints of one size that the log signed with
	// different roots. Either alone proves nothing.
	Accuse(ctx context.Context, origin string, first, second []byte) error
}

// WitnessConfig holds what a witness needs. All fields are required.
type WitnessConfig struct {
	Signer *torchwood.CosignatureSigner
	Memory Memory
	Logs   []string // public keys of the logs that it knows
}

// Witness cosigns checkpoints that extend what it cosigned before, and nothing
// else. Its methods may be called from any goroutine.
type Witness struct {
	signer *torchwood.CosignatureSigner
	logs   map[string]*Policy // by origin

	mu     sync.Mutex // checking and advancing are one step
	memory Memory
}

// NewWitness makes a witness.
func NewWitness(cfg WitnessConfig) (*Witness, error) {
	if cfg.Signer == nil || cfg.Memory == nil || len(cfg.Logs) == 0 {
		return nil, errors.New("proof: a witness needs a signer, a memory and at least one log")
	}
	w := &Witness{signer: cfg.Signer, memory: cfg.Memory, logs: map[string]*Policy{}}
	for _, key := range cfg.Logs {
		p, err := NewPolicy(key, nil, 0)
		if err != nil {
			return nil, err
		}
		if w.logs[p.Origin()] != nil {
			return nil, fmt.Errorf("proof: log %s is named twice", p.Origin())
		}
		w.logs[p.Origin()] = p
	}
	return w, nil
}

// PublicKey returns the text by which others verify its cosignatures.
func (w *Witness) PublicKey() string { return w.signer.Verifier().String() }

// submission is an add-checkpoint request.
type submission struct {
	old    int64
	proof  tlog.TreeProof
	signed []byte
	origin string
}

// maxProof is how many lines a consistency proof may have.
const maxProof = 63

// parseSubmission reads the body of a request.
func parseSubmission(body []byte) (s submission, err error) {
	head, signed, ok := bytes.Cut(body, []byte("\n\n"))
	first, rest, _ := strings.Cut(string(head), "\n")
	size, is := strings.CutPrefix(first, "old ")
	if !ok || !is {
		return s, fmt.Errorf("%w: it begins with no old size, or holds no checkpoint", ErrRequest)
	}
	if s.old, err = strconv.ParseInt(size, 10, 64); err != nil || s.old < 0 || strconv.FormatInt(s.old, 10) != size {
		return s, fmt.Errorf("%w: the old size is not a number", ErrRequest)
	}
	if rest != "" {
		lines := strings.Split(rest, "\n")
		if len(lines) > maxProof {
			return s, fmt.Errorf("%w: the proof has %d lines, more than %d", ErrRequest, len(lines), maxProof)
		}
		for _, line := range lines {
			h, err := tlog.ParseHash(line)
			if err != nil {
				return s, fmt.Errorf("%w: the proof holds what is not a hash", ErrRequest)
			}
			s.proof = append(s.proof, h)
		}
	}
	s.signed = signed
	s.origin, _, _ = strings.Cut(string(signed), "\n")
	return s, nil
}

// AddCheckpoint answers an add-checkpoint request with signature lines, or one
// of the errors above; any other error is a failure of the memory.
func (w *Witness) AddCheckpoint(ctx context.Context, body []byte) ([]byte, error) {
	s, err := parseSubmission(body)
	if err != nil {
		return nil, err
	}
	p := w.logs[s.origin]
	if p == nil {
		return nil, ErrUnknownLog
	}
	c, err := OpenCheckpoint(p, s.signed)
	switch {
	case errors.Is(err, ErrKey), errors.Is(err, ErrSignature):
		return nil, fmt.Errorf("%w: %w", ErrNotTrusted, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrRequest, err)
	case s.old > c.N:
		return nil, fmt.Errorf("%w: the old size is greater than the checkpoint's", ErrRequest)
	case c.N == 0:
		return nil, fmt.Errorf("%w: an empty log needs no witness", ErrRequest)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	latest, err := w.memory.Latest(ctx, s.origin)
	if err != nil {
		return nil, err
	}
	if err := w.follows(ctx, p, latest, &s, c.Tree); err != nil {
		return nil, err
	}
	if err := w.memory.Advance(ctx, s.origin, s.signed); err != nil {
		return nil, err
	}
	return cosign(c.String(), w.signer)
}

// follows checks a checkpoint against the newest one that was cosigned.
func (w *Witness) follows(ctx context.Context, p *Policy, latest []byte, s *submission, now tlog.Tree) error {
	known := tlog.Tree{}
	if latest != nil {
		c, err := OpenCheckpoint(p, latest)
		if err != nil {
			return fmt.Errorf("proof: the memory of the witness is damaged: %w", err)
		}
		known = c.Tree
	}
	switch {
	case latest != nil && now.N == known.N && now.Hash != known.Hash:
		// Both are signed, whatever old size the request names.
		return errors.Join(ErrFork, w.memory.Accuse(ctx, s.origin, latest, s.signed))
	case s.old != known.N:
		return &StaleError{Size: uint64(known.N)}
	case s.old == 0 || s.old == now.N:
		if len(s.proof) != 0 {
			return fmt.Errorf("%w: nothing is to be proved, yet there is a proof", ErrInconsistent)
		}
		return nil
	}
	if err := tlog.CheckTree(s.proof, now.N, now.Hash, known.N, known.Hash); err != nil {
		return fmt.Errorf("%w: the consistency proof does not hold", ErrInconsistent)
	}
	return nil
}

// cosign returns the signature lines that a signer puts under a text.
func cosign(text string, by note.Signer) ([]byte, error) {
	signed, err := note.Sign(&note.Note{Text: text}, by)
	if err != nil {
		return nil, err
	}
	return signed[len(text)+1:], nil
}
