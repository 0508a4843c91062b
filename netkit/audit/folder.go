package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"

	"filippo.io/torchwood"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/proof"
)

// Folder audits the journal of a data folder, private parts and the stored tree
// included. It checks that the journal continues the last checkpoint that was
// shown from this folder, which stands beside it, and the one seen before.
func Folder(ctx context.Context, store journal.Store, cfg Config) (Report, error) {
	r := &run{cfg: cfg, report: Report{From: cfg.From, Cosigned: []string{}}}
	var err error
	check := network.Audit
	if cfg.Public {
		check = network.AuditPublic
	}
	if r.report.Audited, err = check(ctx, &counted{store, cfg.Progress}); err != nil {
		return r.report, err
	}
	if s, ok := store.(checked); ok {
		if err := s.Check(ctx); err != nil {
			return r.report, err
		}
	}
	if r.report.NotHeld == 0 { // a snapshot is made of private parts too
		if r.report.Snapshot, err = network.CheckSnapshot(ctx, store); err != nil {
			return r.report, err
		}
	}
	last, err := fs.ReadFile(regular{os.DirFS(cfg.From)}, "checkpoint")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r.report, err
	}
	r.text = last
	err = r.folderKey(ctx, store)
	if err == nil {
		err = r.witnessed()
	}
	if err != nil || r.report.Key == "" {
		return r.report, err
	}
	err = r.continues(ctx, store)
	if err == nil {
		err = r.followsSigned(ctx, store)
	}
	if err != nil || last == nil {
		return r.report, r.accuse(err)
	}
	return r.report, r.keep(ctx)
}

// followsSigned checks the journal against the newest checkpoint that a network
// with witnesses signed by itself, which no witness has seen yet.
func (r *run) followsSigned(ctx context.Context, store journal.Store) error {
	signed, err := fs.ReadFile(regular{os.DirFS(r.cfg.From)}, "checkpoint.signed")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return r.holds(ctx, store, signed, "the last checkpoint that the network signed, kept beside the journal")
}

// checked is a store that can compare what surrounds its entries with what it
// writes, such as the guards of a database.
type checked interface {
	Check(ctx context.Context) error
}

// folderKey settles the key as key does; a journal from before logs were
// signed has none.
func (r *run) folderKey(ctx context.Context, store journal.Store) error {
	for e, err := range store.Read(ctx, 0, 1) {
		if err != nil {
			return err
		}
		r.report.Key, r.report.KeyFrom = logKey(e.Public), "genesis, taken on trust this first time"
	}
	if r.cfg.Key != "" {
		if named := r.report.Key; named != "" && named != r.cfg.Key {
			return fmt.Errorf("%w: genesis names the key %s, and the one given is %s", ErrUnsigned, named, r.cfg.Key)
		}
		r.report.Key, r.report.KeyFrom = r.cfg.Key, "given"
	}
	if r.report.Key != "" {
		p, err := proof.NewPolicy(r.report.Key, r.cfg.Witnesses, r.cfg.Quorum)
		if err != nil {
			return err
		}
		r.policy, r.report.Origin = p, p.Origin()
	}
	was, err := r.cfg.Seen.at(r.cfg.From)
	if err == nil && was != "" && was != r.report.Origin && r.cfg.Key == "" {
		err = fmt.Errorf("%w: %s held the log %q before and holds %q now; give --key if that is right", ErrRewritten, r.cfg.From, was, r.report.Origin)
	}
	return err
}

// witnessed checks that the checkpoint beside the journal has the cosignatures
// that were asked for.
func (r *run) witnessed() error {
	if r.text == nil || r.policy == nil {
		if r.cfg.Quorum > 0 {
			return fmt.Errorf("%w: there is no checkpoint beside the journal that witnesses could have cosigned", ErrUnsigned)
		}
		return nil
	}
	c, err := proof.OpenCheckpoint(r.policy, r.text)
	if err != nil {
		return fmt.Errorf("%w: the last checkpoint shown: %w", ErrUnsigned, err)
	}
	r.report.Cosigned = append(r.report.Cosigned, c.Cosigned...)
	return nil
}

// logKey reads from genesis which key it names.
func logKey(public []byte) string {
	var genesis struct {
		Fact struct {
			Key string `json:"log_key"`
		} `json:"fact"`
	}
	if json.Unmarshal(public, &genesis) != nil {
		return ""
	}
	return genesis.Fact.Key
}

// continues checks the journal against every checkpoint that somebody has seen.
func (r *run) continues(ctx context.Context, store journal.Store) error {
	was, err := r.cfg.Seen.read(r.report.Origin)
	if err != nil {
		return err
	}
	if was != nil {
		if was.Key != r.report.Key {
			return fmt.Errorf("%w: %s had the key %s when it was seen last", ErrUnsigned, was.Origin, was.Key)
		}
		if r.cfg.Key == "" {
			r.report.KeyFrom = "seen before"
		}
		r.report.Continues = &was.At
		if err := r.holds(ctx, store, []byte(was.Checkpoint), "the checkpoint kept on "+was.At.String()); err != nil {
			return err
		}
	}
	if err := r.holds(ctx, store, r.cfg.Against, "the checkpoint that somebody else was shown"); err != nil {
		return err
	}
	return r.holds(ctx, store, r.text, "the last checkpoint shown, kept beside the journal")
}

// holds checks that a journal begins with the tree of a signed checkpoint.
func (r *run) holds(ctx context.Context, store journal.Store, text []byte, who string) error {
	if text == nil {
		return nil
	}
	err := proof.CheckStart(ctx, store, r.report.Key, text)
	switch {
	case errors.Is(err, proof.ErrRolledBack):
		return fmt.Errorf("%w: %s: %w", ErrRewritten, who, err)
	case err != nil:
		return unsuited(who, err)
	}
	if c, err := torchwood.ParseCheckpoint(unsigned(text)); err == nil {
		r.report.Checkpoint = max(r.report.Checkpoint, uint64(c.N))
	}
	return nil
}

// counted is a store that tells how far it was read.
type counted struct {
	journal.Store
	progress func(done, total uint64)
}

// ErasedLater implements journal.LaterErasures.
func (c *counted) ErasedLater(seq uint64) bool {
	l, ok := c.Store.(journal.LaterErasures)
	return ok && l.ErasedLater(seq)
}

// Read tells now and then, and in the end.
func (c *counted) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	records := c.Store.Read(ctx, from, to)
	if c.progress == nil || to-from < step {
		return records
	}
	return func(yield func(journal.Record, error) bool) {
		for r, err := range records {
			if (r.Seq+1)%step == 0 || r.Seq+1 == to {
				c.progress(r.Seq+1, to)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
