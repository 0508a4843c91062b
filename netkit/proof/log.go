package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/journal"
)

// What a log cannot give.
var (
	ErrNotFound = errors.New("proof: there is no such thing in the log")
	// ErrNotWitnessed: the entry is there, and no checkpoint that enough
	// witnesses have cosigned holds it yet.
	ErrNotWitnessed = errors.New("proof: not witnessed yet")
	// ErrRolledBack: the journal does not hold what the log has signed.
	ErrRolledBack = errors.New("proof: the journal is behind what was signed, or is another one")
	// ErrNotKept: a new checkpoint could not be kept, so nobody gets it.
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
	// KeepSigned keeps a checkpoint that the log has just signed, before anybody
	// gets it, so that it can be given as Signed. Nil keeps none.
	KeepSigned func(ctx context.Context, checkpoint []byte) error
}

// Log is a journal as those see it who trust nobody. It signs durable heads
// alone. Its methods may be called from any goroutine.
type Log struct {
	store  journal.Store
	signer note.Signer
	public string
	policy *Policy                             // what a checkpoint needs to be shown
	keep   func(context.Context, []byte) error // what is shown; nil keeps nothing
	record func(context.Context, []byte) error // what is signed; nil keeps nothing

	mu    sync.Mutex
	head  head   // newest that was signed
	shown head   // newest that was shown, cosignatures included
	kept  []byte // newest that was recorded

	latest atomic.Pointer[tlog.Tree] // of shown, for those who may not wait
}

// head is a signed tree with the hashes of its right edge, which no proof in
// it then has to compute again.
type head struct {
	tlog.Tree
	text []byte // the signed checkpoint
	edge map[int64]tlog.Hash
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
	if cfg.Last == nil {
		return l, nil
	}
	// A checkpoint from before the witnesses were required is not shown again.
	c, err := OpenCheckpoint(l.policy, cfg.Last)
	if errors.Is(err, ErrQuorum) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	h, err := l.at(ctx, c.N)
	h.text = cfg.Last
	l.set(h)
	return l, err
}

// CheckStart checks that a journal continues a checkpoint that was signed of
// it. If not, the error is [ErrRolledBack]: entries are gone or changed.
func CheckStart(ctx context.Context, s journal.Store, public string, last []byte) error {
	p, err := NewPolicy(public, nil, 0)
	if err != nil {
		return err
	}
	c, err := OpenCheckpoint(p, last)
	if err != nil {
		return err
	}
	have, err := s.Head(ctx)
	if err != nil {
		return err
	}
	if have.Size < uint64(c.N) {
		return fmt.Errorf("%w: it has %d entries, and %d were signed: at least %d are missing", ErrRolledBack, have.Size, c.N, uint64(c.N)-have.Size)
	}
	root, err := tlog.TreeHash(c.N, journal.HashReader(ctx, s, uint64(c.N)))
	if err != nil {
		return err
	}
	if root != c.Hash {
		return fmt.Errorf("%w: its first %d entries are not those that were signed", ErrRolledBack, c.N)
	}
	return nil
}

// Public returns the text by which others verify what the log signs.
func (l *Log) Public() string { return l.public }

// Policy says what a checkpoint needs before it is shown.
func (l *Log) Policy() *Policy { return l.policy }

// at computes the tree of a size that the journal has.
func (l *Log) at(ctx context.Context, size int64) (head, error) {
	indexes := torchwood.RightEdge(size)
	hashes, err := journal.HashReader(ctx, l.store, uint64(size)).ReadHashes(indexes)
	if err != nil {
		return head{}, err
	}
	h := head{edge: make(map[int64]tlog.Hash, len(indexes))}
	for i, index := range indexes {
		h.edge[index] = hashes[i]
	}
	h.N = size
	h.Hash, err = tlog.TreeHash(size, h.reader(nil))
	return h, err
}

// reader reads stored hashes of the tree, those off its right edge from next.
func (h *head) reader(next tlog.HashReader) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		var missing []int64
		var at []int
		for i, index := range indexes {
			if known, ok := h.edge[index]; ok {
				out[i] = known
				continue
			}
			missing, at = append(missing, index), append(at, i)
		}
		if len(missing) == 0 {
			return out, nil
		}
		found, err := next.ReadHashes(missing)
		for i := range found {
			out[at[i]] = found[i]
		}
		return out, err
	})
}

// Sign returns the newest durable head, signed by the log alone and kept. It
// signs each size once. An empty journal has nothing to sign.
func (l *Log) Sign(ctx context.Context) (tlog.Tree, []byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.sign(ctx)
	return l.head.Tree, l.head.text, err
}

// Draw signs what a network draws reviewers and witnesses by, and nothing else:
// the first line of the message says what it is. See network.Config.Draw.
func (l *Log) Draw(message []byte) ([]byte, error) {
	if !bytes.HasPrefix(message, []byte("draw of "+l.signer.Name()+"\n")) {
		return nil, errors.New("proof: this is no draw of the log's network")
	}
	return l.signer.Sign(message)
}

func (l *Log) sign(ctx context.Context) error {
	have, err := l.store.Head(ctx)
	if err != nil {
		return err
	}
	size := int64(have.Size)
	switch {
	case size == 0:
		return fmt.Errorf("%w: the journal is empty", ErrNotFound)
	case size < max(l.head.N, l.shown.N):
		return fmt.Errorf("%w: it has %d entries, and %d were signed", ErrRolledBack, size, max(l.head.N, l.shown.N))
	case size == l.head.N:
		return nil
	}
	h, err := l.at(ctx, size)
	if err != nil {
		return err
	}
	c := torchwood.Checkpoint{Origin: l.signer.Name(), Tree: h.Tree}
	if h.text, err = note.Sign(&note.Note{Text: c.String()}, l.signer); err != nil {
		return err
	}
	if l.record != nil && !bytes.Equal(h.text, l.kept) {
		if err := l.record(ctx, h.text); err != nil {
			return fmt.Errorf("%w: %w", ErrNotKept, err)
		}
		l.kept = h.text
	}
	l.head = h
	return nil
}

// Checkpoint returns the checkpoint that is shown: of the newest head, or of
// the newest one that enough witnesses have cosigned.
func (l *Log) Checkpoint(ctx context.Context) ([]byte, error) {
	h, err := l.show(ctx)
	return h.text, err
}

// show returns what is shown, and keeps it first if it is new.
func (l *Log) show(ctx context.Context) (head, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.policy.quorum > 0 {
		if l.shown.N == 0 {
			return head{}, fmt.Errorf("%w: no checkpoint has the cosignatures of %d witnesses", ErrNotWitnessed, l.policy.quorum)
		}
		return l.shown, nil
	}
	if err := l.sign(ctx); err != nil {
		return head{}, err
	}
	if l.shown.N != l.head.N {
		if err := l.showing(ctx, l.head); err != nil {
			return head{}, err
		}
	}
	return l.shown, nil
}

// showing makes h what is shown.
func (l *Log) showing(ctx context.Context, h head) error {
	if l.keep != nil {
		if err := l.keep(ctx, h.text); err != nil {
			return fmt.Errorf("%w: %w", ErrNotKept, err)
		}
	}
	l.set(h)
	return nil
}

func (l *Log) set(h head) {
	l.shown = h
	l.latest.Store(&h.Tree)
}

// Witnessed takes a checkpoint that [Log.Sign] made and enough witnesses have
// cosigned, and shows it from now on. What is shown never goes back: one of a
// smaller tree, or with fewer cosignatures, changes nothing.
func (l *Log) Witnessed(ctx context.Context, text []byte) error {
	c, err := OpenCheckpoint(l.policy, text)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.head
	if c.N != h.N {
		if h, err = l.at(ctx, c.N); err != nil {
			return err
		}
	}
	if h.Hash != c.Hash {
		return fmt.Errorf("%w: the root at %d is another one", ErrRolledBack, c.N)
	}
	if c.N < l.shown.N || c.N == l.shown.N && len(text) <= len(l.shown.text) {
		return nil
	}
	h.text = text
	return l.showing(ctx, h)
}

// Latest returns the tree of the newest checkpoint that enough witnesses have
// cosigned, and false while there is none or none are required. It never waits.
func (l *Log) Latest() (tlog.Tree, bool) {
	t := l.latest.Load()
	if t == nil || l.policy.quorum == 0 {
		return tlog.Tree{}, false
	}
	return *t, true
}

// Info is what somebody needs to verify what a log signs.
type Info struct {
	Origin    string   `json:"origin" doc:"name of the log, first line of its checkpoints"`
	Key       string   `json:"key" doc:"public key of the log, as in c2sp.org/signed-note"`
	Witnesses []string `json:"witnesses" doc:"public keys of those that may cosign, as in c2sp.org/tlog-cosignature"`
	Quorum    int      `json:"quorum" doc:"how many of them must have cosigned before a checkpoint is shown"`
	Entries   uint64   `json:"entries" doc:"size of the checkpoint that is shown, 0 while there is none"`
}

// Info tells how to verify the log, and how far what it shows has come.
func (l *Log) Info(ctx context.Context) (Info, error) {
	h, err := l.show(ctx)
	if err != nil && !errors.Is(err, ErrNotWitnessed) {
		return Info{}, err
	}
	return Info{Origin: l.policy.Origin(), Key: l.public, Witnesses: l.policy.keys, Quorum: l.policy.quorum, Entries: uint64(h.N)}, nil
}
