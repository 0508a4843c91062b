package host

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/rules"
)

// UnarchivedEntry is an entry that a folder has and its archive lacks.
type UnarchivedEntry struct {
	Seq     uint64        `json:"seq"`
	Kind    netkit.Kind   `json:"kind"`
	At      netkit.Millis `json:"at"`
	Actor   string        `json:"actor" doc:"to whom it was acknowledged"`
	Parties []string      `json:"parties" doc:"whose accounts it moved credits of, besides"`
}

// Unarchived compares a folder with its archive.
type Unarchived struct {
	Shared   netkit.TreeHead   `json:"shared"`   // entries that both have
	Replaced bool              `json:"replaced"` // another folder writes the archive
	Since    time.Time         `json:"since"`    // when that began
	Entries  []UnarchivedEntry `json:"entries"`  // that only the folder has
}

// FindUnarchived lists the entries that the journal of a folder has and its archive
// lacks. It only reads.
func FindUnarchived(ctx context.Context, dir string, store archive.Store) (out Unarchived, err error) {
	j, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	id, err := readIdentity(dir)
	if err != nil {
		return out, err
	}
	if err := out.compare(ctx, j, store, id); err != nil {
		return out, err
	}
	head, err := j.Head(ctx)
	if err != nil {
		return out, err
	}
	for r, err := range j.Read(ctx, out.Shared.Size, head.Size) {
		if err != nil {
			return out, err
		}
		e, err := rules.ReadEntry(r)
		if err != nil {
			return out, err
		}
		out.Entries = append(out.Entries, UnarchivedEntry{Seq: e.Seq, Kind: e.Kind, At: e.At, Actor: e.Actor, Parties: partiesOf(e)})
	}
	return out, nil
}

// partiesOf returns whose accounts an entry moves credits of, its actor aside.
func partiesOf(e *rules.Entry) []string {
	parties := []string{}
	for _, p := range e.Postings {
		if slug := p.Account.Slug; slug != "" && slug != e.Actor && !slices.Contains(parties, slug) {
			parties = append(parties, slug)
		}
	}
	slices.Sort(parties)
	return parties
}

// compare finds the last object whose entries the folder has.
func (out *Unarchived) compare(ctx context.Context, j journal.Store, store archive.Store, id archive.Identity) error {
	tail, err := archive.Tail(ctx, store)
	if errors.Is(err, archive.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if out.Replaced = tail.Writer != id.Writer || tail.Epoch != id.Epoch; out.Replaced {
		began, err := archive.FindEpoch(ctx, store, tail, id.Epoch+1)
		if err != nil {
			return err
		}
		out.Since = began.At
	}
	shared, err := archive.Last(ctx, store, tail, func(h *archive.Header) (bool, error) { return holdsTree(ctx, j, h.Tree) })
	if shared != nil {
		out.Shared = shared.Tree
	}
	return err
}

// holdsTree reports whether a journal begins with the entries of a tree.
func holdsTree(ctx context.Context, j journal.Store, want netkit.TreeHead) (bool, error) {
	tree, err := journal.OpenTree(ctx, j, want.Size)
	if errors.Is(err, journal.ErrNotFound) {
		return false, nil
	}
	return err == nil && netkit.Hash(tree.Root()) == want.Root, err
}
