// Package audit checks a whole network as a stranger who trusts nobody: it
// downloads the public journal, checks every leaf, the root and the signature,
// that the history continues the one seen last time, and that every entry
// follows from the rules; then it compares what the network shows with what the
// entries add up to.
package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/netkit/rules"
)

// Config says what to check. From, Log and Seen are required.
type Config struct {
	From string               // address or folder of the log, for people and to remember it by
	Log  torchwood.TileReader // its tiles, entries and checkpoint
	Seen Seen                 // what this auditor saw before

	Key       string   // public key of the log; "" means the one seen before, or else the one that genesis names
	Witnesses []string // public keys of witnesses, of whom Quorum must have cosigned
	Quorum    int
	Against   []byte // a signed checkpoint that somebody else was shown; nil is none

	// Public accepts a data folder that does not hold all private parts, and counts
	// those that are neither there nor erased.
	Public bool

	Shown    Shown                    // what the network shows; nil compares nothing
	Now      func() time.Time         // required
	Progress func(done, total uint64) // told now and then; nil means nobody
}

// Report is what an audit found where it found nothing wrong.
type Report struct {
	From       string         `json:"from"`
	Origin     string         `json:"origin"`
	Key        string         `json:"key"`
	KeyFrom    string         `json:"key_from" doc:"given, seen before, or genesis: the first time it is taken on trust"`
	Cosigned   []string       `json:"cosigned" doc:"witnesses that signed the checkpoint, of those given"`
	Checkpoint uint64         `json:"checkpoint" doc:"entries that the signed checkpoint counts"`
	Continues  *netkit.Millis `json:"continues,omitempty" doc:"when the checkpoint was kept that this history continues"`
	netkit.Audited
	Snapshot uint64   `json:"snapshot,omitempty" doc:"entries of the data folder's snapshot, which is what they add up to; not there if there was none to check"`
	Compared Compared `json:"compared" doc:"answers of the network that agree with its entries"`
}

// What an audit can find besides an entry that breaks a rule.
var (
	ErrRewritten = errors.New("audit: the history was rewritten")
	ErrShortened = errors.New("audit: the history was shortened")
	ErrShown     = errors.New("audit: what the network shows is not what its entries add up to")
	ErrUnsigned  = errors.New("audit: the log is not signed as it should be")
	// ErrAhead: one of the two clocks is wrong, which says nothing about the entries.
	ErrAhead = errors.New("audit: the journal is ahead of this clock")
)

// run is an audit under way.
type run struct {
	cfg     Config
	policy  *proof.Policy
	client  *torchwood.Client
	auditor *rules.Auditor
	head    proof.Checkpoint // the newest that was opened
	text    []byte           // of it, signed
	known   []known          // that the tree must pass through, by size
	ahead   [][]byte         // entries below head that were fetched, and not taken yet
	room    int              // for them, in bytes
	shownAt netkit.Millis    // of the latest answer that was compared
	report  Report
}

// known is a checkpoint that was seen before.
type known struct {
	tlog.Tree
	who string // for people
}

// Run audits a log. What it saw is kept in the end, and only if nothing was
// wrong with it.
func Run(ctx context.Context, cfg Config) (Report, error) {
	r := &run{cfg: cfg, room: maxAhead, report: Report{From: cfg.From}}
	for _, step := range []func(context.Context) error{r.open, r.remember, r.replay, r.compare, r.keep} {
		if err := step(ctx); err != nil {
			return r.report, r.accuse(err)
		}
	}
	return r.report, nil
}

// open settles whose signature counts and opens the checkpoint.
func (r *run) open(ctx context.Context) error {
	text, err := r.cfg.Log.ReadEndpoint(ctx, "checkpoint")
	if err != nil {
		return fmt.Errorf("audit: reading the checkpoint of %s: %w", r.cfg.From, err)
	}
	key, err := r.key(ctx, text)
	if err != nil {
		return err
	}
	if r.policy, err = proof.NewPolicy(key, r.cfg.Witnesses, r.cfg.Quorum); err != nil {
		return err
	}
	r.report.Key, r.report.Origin = key, r.policy.Origin()
	if r.client, err = torchwood.NewClient(r.cfg.Log); err != nil {
		return err
	}
	r.auditor, err = rules.NewAuditor(netkit.AuditConfig{
		Entry: func(seq uint64) ([]byte, error) {
			entry, _, err := r.client.Entry(ctx, r.head.Tree, int64(seq))
			return entry, err
		},
		RootAt: func(size uint64) (netkit.Hash, error) {
			root, err := tlog.TreeHash(int64(size), torchwood.TileHashReaderWithContext(ctx, r.head.Tree, r.cfg.Log))
			return netkit.Hash(root), err
		},
	})
	if err != nil {
		return err
	}
	return r.checkpoint(text)
}

// checkpoint opens a signed checkpoint and makes it the head.
func (r *run) checkpoint(text []byte) error {
	c, err := proof.OpenCheckpoint(r.policy, text)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnsigned, err)
	}
	if c.N < r.head.N || c.N == 0 {
		return fmt.Errorf("%w: a checkpoint of %d entries came after one of %d", ErrShortened, c.N, r.head.N)
	}
	r.head, r.text = c, text
	r.report.Checkpoint, r.report.Cosigned = uint64(c.N), append([]string{}, c.Cosigned...)
	r.known = append(r.known, known{c.Tree, "the checkpoint that it signed"})
	return nil
}

// replay takes every entry up to the checkpoint.
func (r *run) replay(ctx context.Context) error {
	for _, entry := range r.client.AllEntries(ctx, r.head.Tree, 0) {
		if err := r.take(entry); err != nil {
			return err
		}
	}
	if err := r.client.Err(); err != nil {
		return r.broken(err)
	}
	r.progress(true)
	return r.ends()
}

// take checks the next entry, and the tree where a checkpoint stands.
func (r *run) take(entry []byte) error {
	if err := r.auditor.Take(entry); err != nil {
		return err
	}
	r.progress(false)
	size := r.auditor.Size()
	for _, k := range r.known {
		if uint64(k.N) == size && netkit.Hash(k.Hash) != r.auditor.Tree().Root {
			return fmt.Errorf("%w: the first %d entries have the root %s, and in %s it is %s", ErrRewritten, size, r.auditor.Tree().Root, k.who, netkit.Hash(k.Hash))
		}
	}
	return nil
}

// ends checks the end of what was taken.
func (r *run) ends() error {
	if err := r.auditor.End(); err != nil {
		return err
	}
	if key := r.auditor.LogKey(); key != "" && key != r.report.Key {
		return fmt.Errorf("%w: genesis names the key %s, and the checkpoint is signed by %s", ErrUnsigned, key, r.report.Key)
	}
	if err := r.checkClock(); err != nil {
		return err
	}
	r.report.Audited = r.auditor.Summary()
	return nil
}

// checkClock compares the last entry with this clock, that of a sandbox with the
// time of its own answers.
func (r *run) checkClock() error {
	last, now := r.auditor.Summary().Books.AsOf.At, netkit.At(r.cfg.Now())
	if proof.IsSandbox(r.report.Origin) {
		if r.shownAt != 0 && last.Day() > r.shownAt.Day() {
			return fmt.Errorf("%w: its last entry is of %s, and its answers are as of %s", ErrShown, last, r.shownAt)
		}
		return nil
	}
	if last.Day() > now.Day()+1 {
		return fmt.Errorf("%w by %s: its last entry is of %s; set this clock right, or ask the operator about the network's", ErrAhead, last.Time().Sub(now.Time()).Round(time.Minute), last)
	}
	return nil
}

// broken names the entry at which a download does not fit the signed tree. A
// download that failed is not a fault of the log.
func (r *run) broken(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errFetch) {
		return fmt.Errorf("audit: %d of %d entries were checked and found sound: %w", r.auditor.Size(), r.head.N, err)
	}
	return fmt.Errorf("%w: entry %d on: what was downloaded is not what the checkpoint signs: %w", netkit.ErrCorrupt, r.auditor.Size(), err)
}

// step is how many entries go between two reports of progress.
const step = 4096

func (r *run) progress(end bool) {
	if n := r.auditor.Size(); r.cfg.Progress != nil && (end || n%step == 0) {
		r.cfg.Progress(n, uint64(r.head.N))
	}
}
