package proof

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/journal"
)

// The errors of a log.
var (
	ErrNotFound = errors.New("proof: there is no such thing in the log")
	// ErrNotWitnessed: the entry is there, and no checkpoint that enough
	// witnesses have cosigned holds it yet.
	ErrNotWitnessed = errors.New("proof: not witnessed yet")
	// ErrRolledBack: the journal does not hold what the log has signed.
	ErrRolledBack = errors.New("proof: the journal is behind what was signed, or is another one")
	// ErrNotKept: a new checkpoint could not be kept, so none is given out.
	ErrNotKept = errors.New("proof: the checkpoint cannot be kept")
)

// Config holds what a log needs. Store and Key are required.
type Config struct {
	Store journal.Store
	Key   string // private key of the log; its name is the origin
	// Witnesses are the public keys of those that may cosign, Quorum how many
	// of them must have done so before a checkpoint is shown. With a quorum of
	// 0 the newest head is shown at once.
	Witnesses []string
	Quorum    int
	// Last is the newest checkpoint that was shown, by this or an earlier
	// process; nil if there was none.
	Last []byte
	// Keep keeps a checkpoint before it is shown for the first time, so that
	// it can be given as Last. Nil keeps none.
	Keep func(ctx context.Context, checkpoint []byte) error
	// Signed is the newest checkpoint that the log signed, cosigned or not; nil
	// if there was none.
	Signed []byte
	// KeepSigned keeps a checkpoint that the log has just signed, before it is
	// given out, so that it can be given as Signed. Nil keeps none.
	KeepSigned func(ctx context.Context, checkpoint []byte) error
}

// Log signs the durable heads of a journal, and proves entries to those who do not
// trust its network. Its methods may be called from any goroutine.
type Log struct {
	store  journal.Store
	signer note.Signer
	public string
	policy *Policy                             // that a checkpoint meets before it is shown
	keep   func(context.Context, []byte) error // keeps checkpoints that are shown; nil keeps none
	record func(context.Context, []byte) error // keeps checkpoints that are signed; nil keeps none

	mu    sync.Mutex
	head  head   // newest that was signed
	shown head   // newest that was shown, cosignatures included
	kept  []byte // newest that was recorded

	latest atomic.Pointer[tlog.Tree] // of shown, for callers that may not wait
}

// New makes the log of a journal. A journal that does not continue the newest
// checkpoints is refused with an error that is [ErrRolledBack].
func New(ctx context.Context, cfg Config) (*Log, error) {
	if cfg.Store == nil {
		return nil, errors.New("proof: Config.Store is required")
	}
	signer, err := note.NewSigner(cfg.Key)
	if err != nil {
		return nil, fmt.Errorf("proof: Config.Key: %w", err)
	}
	l := &Log{store: &remembering{Store: cfg.Store, tiles: map[span][][journal.HashSize]byte{}}, signer: signer, keep: cfg.Keep, record: cfg.KeepSigned, kept: cfg.Signed}
	if l.public, err = PublicKey(cfg.Key); err != nil {
		return nil, err
	}
	if l.policy, err = NewPolicy(l.public, cfg.Witnesses, cfg.Quorum); err != nil {
		return nil, err
	}
	for _, seen := range [][]byte{cfg.Signed, cfg.Last} {
		if seen == nil {
			continue
		}
		if err := CheckStart(ctx, cfg.Store, l.public, seen); err != nil {
			return nil, err
		}
	}
	if cfg.Last != nil {
		if err := l.setLast(ctx, cfg.Last); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Public returns the public key of the log, as text.
func (l *Log) Public() string { return l.public }

// Policy returns the cosignatures that a checkpoint needs before it is shown.
func (l *Log) Policy() *Policy { return l.policy }

// Info describes a log to those who verify its checkpoints.
type Info struct {
	Origin    string   `json:"origin" doc:"name of the log, first line of its checkpoints"`
	Key       string   `json:"key" doc:"public key of the log, as in c2sp.org/signed-note"`
	Witnesses []string `json:"witnesses" doc:"public keys of those that may cosign, as in c2sp.org/tlog-cosignature"`
	Quorum    int      `json:"quorum" doc:"how many of them must have cosigned before a checkpoint is shown"`
	Entries   uint64   `json:"entries" doc:"size of the checkpoint that is shown, 0 while there is none"`
}

// Info returns the keys of the log, and the size of the checkpoint that it shows.
func (l *Log) Info(ctx context.Context) (Info, error) {
	h, err := l.show(ctx)
	if err != nil && !errors.Is(err, ErrNotWitnessed) {
		return Info{}, err
	}
	return Info{Origin: l.policy.Origin(), Key: l.public, Witnesses: l.policy.keys, Quorum: l.policy.quorum, Entries: uint64(h.N)}, nil
}
