package host

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
)

// ErrFork means that a folder and an archive hold different entries, or that a
// follower is ahead of the archive.
var ErrFork = errors.New("host: the folder and the archive differ")

// FollowConfig configures a [Follower]. Fields are required unless their comment gives
// a default.
type FollowConfig struct {
	Dir      string // of the follower; missing, empty, or a folder of the same network
	Store    archive.Store
	IDs      []age.Identity           // that open the private side; nil follows the public side only
	Progress func(done, total uint64) // nil shows nothing
	Sealed   bool                     // compare the encrypted objects with their hashes although there is no identity
	Until    uint64                   // number of the first object that is left; 0 applies all
}

// Follower keeps a folder with the same entries as an archive. It is used by one
// goroutine.
type Follower struct {
	Store *sqlite.Store // the follower's journal

	cfg    FollowConfig
	reader *archive.Reader
	tree   journal.Tree
	head   journal.Head
	last   *archive.Header // of the last object that was applied, nil before the first
	ahead  bool            // the folder has entries that the archive lacks

	leaving map[netkit.Hash]bool // recordings of erased dispatches, and whether everybody may hear them
	served  *Host                // that serves the folder, nil without one
	filesAt time.Time
	shown   string // checkpoint in the folder
}

// OpenFollower opens the folder of a follower and compares it with the archive. The
// error is [ErrFork] where they differ.
func OpenFollower(ctx context.Context, cfg FollowConfig) (_ *Follower, err error) {
	f := &Follower{cfg: cfg, reader: archive.NewReader(cfg.Store, cfg.IDs)}
	f.reader.Sealed = cfg.Sealed
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return nil, err
	}
	if err := private.HideFromGit(cfg.Dir, archiveFile); err != nil {
		return nil, err
	}
	if f.Store, err = sqlite.Open(ctx, sqlite.Config{Dir: cfg.Dir}); err != nil {
		return nil, err
	}
	if err = f.compare(ctx); err != nil {
		return nil, errors.Join(err, f.Store.Close())
	}
	return f, nil
}

// Close closes the journal.
func (f *Follower) Close() error { return f.Store.Close() }

// Serve opens the network of the folder for reading: each command is refused. Follow
// applies new entries to it too. The caller serves its handler, without the upkeep, and
// closes it before the follower.
func (f *Follower) Serve(ctx context.Context, cfg Config) (*Host, error) {
	if f.head.Size == 0 {
		return nil, fmt.Errorf("%w in %s: nothing was followed yet", ErrNoNetwork, f.cfg.Dir)
	}
	cfg.Dir, cfg.Genesis, cfg.follower = f.cfg.Dir, nil, f
	h, err := New(ctx, cfg)
	f.served = h
	return h, err
}

// followedStore is the journal of a follower, which only the follower writes.
type followedStore struct{ *spacedStore }

// Append implements journal.Store.
func (s *followedStore) Append(context.Context, journal.Head, journal.Batch) (journal.Head, error) {
	return journal.Head{}, fmt.Errorf("%w: this folder follows an archive", journal.ErrNotWritable)
}

// Tree returns the tree of the folder.
func (f *Follower) Tree() netkit.TreeHead {
	return netkit.TreeHead{Size: f.tree.Size(), Root: f.tree.Root()}
}

// Last returns the header of the last object that the folder has, nil before the first.
func (f *Follower) Last() *archive.Header { return f.last }

// compare finds the object at which the folder's journal ends.
func (f *Follower) compare(ctx context.Context) error {
	head, err := f.Store.Head(ctx)
	if err != nil {
		return err
	}
	if f.head = head; head.Size == 0 {
		return nil
	}
	tree, err := journal.OpenTree(ctx, f.Store, head.Size)
	if err != nil {
		return err
	}
	f.tree = *tree
	o, last, err := archive.Find(ctx, f.cfg.Store, head.Size)
	if errors.Is(err, archive.ErrNotFound) {
		return fmt.Errorf("%w: %s holds %d entries, and %s none of them", ErrFork, f.cfg.Dir, head.Size, f.cfg.Store)
	}
	if err != nil {
		return err
	}
	shared, err := journal.OpenTree(ctx, f.Store, o.Tree.Size)
	if err != nil {
		return err
	}
	if root := netkit.Hash(shared.Root()); root != o.Tree.Root {
		return fmt.Errorf("%w: the first %d entries have the root %s in %s and %s in %s", ErrFork, o.Tree.Size, root, f.cfg.Dir, o.Tree.Root, f.cfg.Store)
	}
	f.last, f.ahead = o, o.Tree.Size < head.Size
	if f.ahead && !last {
		return f.forked(o.Tree)
	}
	return nil
}

func (f *Follower) forked(there netkit.TreeHead) error {
	return fmt.Errorf("%w: %s has %d entries with the root %s, and %s continues after entry %d with others. Nothing was changed", ErrFork, f.cfg.Dir, f.tree.Size(), netkit.Hash(f.tree.Root()), f.cfg.Store, there.Size)
}

// Follow applies the objects that the archive has by now.
func (f *Follower) Follow(ctx context.Context) error {
	if err := f.copyFiles(ctx); err != nil {
		return err
	}
	next := uint64(0)
	if f.last != nil {
		next = f.last.Number + 1
	}
	checkpoint := ""
	for o, err := range f.reader.Objects(ctx, next) {
		if err == nil && f.cfg.Until > 0 && o.Number >= f.cfg.Until {
			break
		}
		if err == nil && f.ahead {
			err = f.forked(f.last.Tree)
		}
		if err == nil {
			err = f.apply(ctx, o)
		}
		if err != nil {
			return err
		}
		if o.Checkpoint != "" {
			checkpoint = o.Checkpoint
		}
		f.last = &o.Header
	}
	if err := f.removeRecordings(ctx); err != nil {
		return err
	}
	switch {
	case f.ahead, f.last == nil || f.last.Number < next:
		return nil
	case f.served != nil:
		return f.served.Network.Follow(ctx) // its keeper signs new checkpoints
	}
	return f.keepCheckpoint(ctx, checkpoint)
}

// Ahead returns an [ErrFork] if the folder has entries that the archive lacks.
func (f *Follower) Ahead() error {
	if !f.ahead {
		return nil
	}
	return fmt.Errorf("%w: %s is ahead: it has %d entries, and %s has %d. If this folder is the one to serve the network, take over with it", ErrFork, f.cfg.Dir, f.tree.Size(), f.cfg.Store, f.last.Tree.Size)
}

// apply appends the entries of an object, its recordings first.
func (f *Follower) apply(ctx context.Context, o *archive.Object) error {
	batches, keys, err := f.reader.Batches(ctx, o)
	if err == nil && f.cfg.Sealed {
		err = f.reader.CheckSealed(ctx, o)
	}
	if err != nil {
		return err
	}
	var erase []uint64
	for i, public := range o.Public {
		e, err := archivedEntry(o.First+uint64(i), public)
		if err == nil {
			err = f.copyRecordings(ctx, &e)
		}
		if err != nil {
			return err
		}
		if e.Erases == nil {
			continue
		}
		erase = append(erase, *e.Erases)
		if err := f.noteLeaving(ctx, *e.Erases); err != nil {
			return err
		}
	}
	if len(batches) > 0 {
		grown := f.tree
		head, err := f.Store.AppendCopies(ctx, f.head, &grown, batches, keys, erase)
		if err != nil {
			return err
		}
		f.head, f.tree = head, grown
	}
	if got := f.Tree(); got != o.Tree {
		return fmt.Errorf("%w: after object %d the folder has %d entries with the root %s, and its header has %d with %s", archive.ErrDamaged, o.Number, got.Size, got.Root, o.Tree.Size, o.Tree.Root)
	}
	if f.cfg.Progress != nil {
		f.cfg.Progress(o.Tree.Size, o.Tree.Size)
	}
	return nil
}

// copyRecordings copies the recordings that an entry publishes and that the archive
// still has.
func (f *Follower) copyRecordings(ctx context.Context, e *archive.Entry) error {
	for _, file := range e.Recordings {
		if !e.Open && f.cfg.IDs == nil {
			continue
		}
		path := recordingPath(f.cfg.Dir, file)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		content, err := f.reader.Recording(ctx, file, e.Open)
		if errors.Is(err, archive.ErrNotFound) {
			continue // erased since
		}
		if err == nil {
			err = private.WriteFile(path, content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noteLeaving notes the recordings of an entry that is erased.
func (f *Follower) noteLeaving(ctx context.Context, entry uint64) error {
	for r, err := range f.Store.Read(ctx, entry, entry+1) {
		if err != nil {
			return err
		}
		e, err := archivedEntry(r.Seq, r.Public)
		if err != nil {
			return err
		}
		for _, file := range e.Recordings {
			if f.leaving == nil {
				f.leaving = map[netkit.Hash]bool{}
			}
			f.leaving[file] = e.Open
		}
	}
	return nil
}

// removeRecordings removes those recordings of erased dispatches that the archive has
// removed by now. One that another dispatch names stays there and here.
func (f *Follower) removeRecordings(ctx context.Context) error {
	for file, open := range f.leaving {
		there, err := f.reader.HasRecording(ctx, file, open)
		if err == nil && !there {
			delete(f.leaving, file)
			if err = private.Remove(recordingPath(f.cfg.Dir, file)); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keepCheckpoint keeps a checkpoint that the journal bears out.
func (f *Follower) keepCheckpoint(ctx context.Context, text string) error {
	if text == "" || text == f.shown {
		return nil
	}
	if f.last.Key != "" {
		if err := proof.CheckStart(ctx, f.Store, f.last.Key, []byte(text)); err != nil {
			return err
		}
	}
	f.shown = text
	return private.WriteFile(filepath.Join(f.cfg.Dir, shownFile), []byte(text))
}

// copyFiles copies the small files of the folder, once an hour.
func (f *Follower) copyFiles(ctx context.Context) error {
	if f.cfg.IDs == nil || time.Since(f.filesAt) < time.Hour || f.ahead {
		return nil
	}
	content, err := f.reader.Files(ctx)
	if err != nil {
		return err
	}
	if err := unpackFiles(f.cfg.Dir, content, f.served == nil); err != nil {
		return err
	}
	if content != nil {
		f.filesAt = time.Now()
	}
	return nil
}

// unpackFiles writes the small files in a tar file into a folder, those of webhooks if
// no server has them open.
func unpackFiles(dir string, content []byte, webhooks bool) error {
	for r := tar.NewReader(bytes.NewReader(content)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && !fs.ValidPath(h.Name) {
			err = fmt.Errorf("%w: the small files name %q", archive.ErrDamaged, h.Name)
		}
		if err == nil && !webhooks && strings.HasPrefix(h.Name, "webhooks.db") {
			continue
		}
		var text []byte
		if err == nil {
			text, err = io.ReadAll(r)
		}
		if err == nil {
			err = private.WriteFile(filepath.Join(dir, filepath.FromSlash(h.Name)), text)
		}
		if err != nil {
			return err
		}
	}
}

// TakenOver is the result of a take-over.
type TakenOver struct {
	Epoch    uint64                `json:"epoch" doc:"how often the writer of the archive has changed"`
	Tree     netkit.TreeHead       `json:"tree" doc:"of the entries that the folder continues"`
	Recorded netkit.RestoreReceipt `json:"recorded"`
}

// TakeOver makes the folder the one that writes the archive: it applies the objects
// that are there, ends the other writer at its next upload, and records that the
// journal continues from here. It closes the follower. A TakeOver that was stopped is
// repeated.
func (f *Follower) TakeOver(ctx context.Context, recipients []string, alarm func(error)) (out TakenOver, err error) {
	out, err = f.takeOver(ctx)
	if err = errors.Join(err, f.Close()); err != nil {
		return out, err
	}
	h, err := New(ctx, Config{Dir: f.cfg.Dir, Alarm: alarm, Archive: &ArchiveConfig{Store: f.cfg.Store, Recipients: recipients}})
	if err != nil {
		return out, err
	}
	first, err := h.Network.Entry(ctx, 0)
	if err == nil {
		keyed := netkit.WithKey(ctx, fmt.Sprintf("take-over %d of the archive at %s", out.Epoch, out.Tree.Root))
		out.Recorded, err = h.Network.As(first.Actor).RecordRestore(keyed, netkit.RecordRestore{Lost: out.Tree})
	}
	return out, errors.Join(err, h.Close(ctx))
}

func (f *Follower) takeOver(ctx context.Context) (out TakenOver, err error) {
	if f.cfg.IDs == nil && !f.ahead {
		return out, errors.New("host: a folder without the private side cannot take over; follow with an identity")
	}
	for {
		f.filesAt = time.Time{}
		if err := f.Follow(ctx); err != nil {
			return out, err
		}
		if f.last == nil {
			return out, fmt.Errorf("host: %s is empty, there is nothing to take over", f.cfg.Store)
		}
		id, err := archive.TakeOver(ctx, f.cfg.Store, f.last, time.Now())
		if errors.Is(err, archive.ErrMoved) {
			continue
		}
		if err == nil {
			err = keepIdentity(f.cfg.Dir, "", id)
		}
		out.Epoch, out.Tree = id.Epoch, f.Tree()
		return out, err
	}
}

// Transient reports whether following may succeed later: the archive is out of reach,
// or an object was damaged on its way.
func Transient(err error) bool {
	return !errors.Is(err, ErrFork) && !errors.Is(err, archive.ErrVersion) && !errors.Is(err, proof.ErrRolledBack) && !errors.Is(err, journal.ErrHeadMoved)
}
