package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/netkit/journal"
)

// maxObject is about how many bytes of entries go into one object.
const maxObject = 4 << 20

// newWriter draws the name of a writer.
func newWriter() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// pendingObject is an object that is being uploaded. It stays the same until its
// outcome is known.
type pendingObject struct {
	Object
	tree       journal.Tree
	sealed     []byte
	content    []byte
	recordings []Entry // entries that publish recordings
	erased     []uint64
}

// upload puts the next object into the archive, and returns whether there is more.
func (w *Writer) upload(ctx context.Context) (more bool, err error) {
	if w.pending == nil {
		if w.pending, err = w.collect(ctx); err != nil || w.pending == nil {
			return false, err
		}
	}
	p := w.pending
	for i := range p.recordings {
		if err := w.uploadRecordings(ctx, &p.recordings[i]); err != nil {
			return false, err
		}
	}
	keys, err := w.putKeys(ctx, p.First, p.Tree.Size, w.id.Epoch)
	if err != nil {
		return false, err
	}
	if err := create(ctx, w.cfg.Store, p.sealedName(), p.sealed); err != nil {
		return false, err
	}
	if err := create(ctx, w.cfg.Store, publicName(p.Number), p.content); errors.Is(err, errTaken) {
		return false, w.lost(ctx, p, keys)
	} else if err != nil {
		return false, err
	}
	w.pending, w.tree, w.next = nil, p.tree, p.Number+1
	select {
	case w.merging <- p.Number:
	default: // a reader takes the objects one by one
	}
	w.mu.Lock()
	w.status.Objects, w.status.Entries, w.waiting = w.next, p.Tree.Size, w.cfg.Now()
	more = w.local > p.Tree.Size
	w.wake()
	w.mu.Unlock()
	return more, w.erase(ctx, p.erased, p.Tree.Size)
}

// lost finds out who wrote the object that was to be ours.
func (w *Writer) lost(ctx context.Context, p *pendingObject, keys keyObject) error {
	o, err := readObject(ctx, w.cfg.Store, p.Number)
	if err != nil {
		return err // it may be damaged on its way
	}
	if o.Writer == w.id.Writer && o.Epoch == w.id.Epoch && o.Tree == p.Tree {
		return nil
	}
	err = w.cfg.Store.Remove(ctx, keys.String())
	return errors.Join(fmt.Errorf("%w: object %d of %s is of %s and not ours. This folder acknowledged entries from %d on that the archive does not hold; netctl doctor lists them", ErrOtherWriter, o.Number, w.cfg.Store, o.At.Format(time.RFC3339), p.First), err)
}

// collect makes an object of the next batches, or returns nil at the end of the journal.
func (w *Writer) collect(ctx context.Context) (*pendingObject, error) {
	head, err := w.cfg.Journal.Head(ctx)
	if err != nil || head.Size <= w.tree.Size() {
		return nil, err
	}
	p := &pendingObject{tree: w.tree}
	p.Header = Header{Version: Version, Number: w.next, Network: w.cfg.Network, Key: w.cfg.Key, Epoch: w.id.Epoch, Writer: w.id.Writer,
		At: w.cfg.Now().UTC().Truncate(time.Millisecond), First: w.tree.Size()}
	var checkpoint []byte
	if w.cfg.Checkpoint != nil {
		if checkpoint, err = w.cfg.Checkpoint(); err != nil {
			return nil, err
		}
	}
	var plain []byte
	size := 0
	for b, err := range w.cfg.Journal.SealedBatches(ctx, p.First, head.Size) {
		if err != nil {
			return nil, err
		}
		for i, part := range b.Public {
			if err := p.take(w.cfg.Entry, b.First+uint64(i), part); err != nil {
				return nil, err
			}
			size += len(part)
			plain = backup.AppendSealed(plain, b.Sealed[i])
		}
		if size+len(plain) >= maxObject {
			break
		}
	}
	if p.sealed, err = encrypt(plain, w.cfg.Recipients...); err != nil {
		return nil, err
	}
	p.Entries = len(p.Public)
	p.Tree = netkit.TreeHead{Size: p.tree.Size(), Root: p.tree.Root()}
	if size, ok := checkpointSize(checkpoint); ok && size <= p.Tree.Size {
		p.Checkpoint = string(checkpoint)
	}
	p.Sealed = &Sealed{len(p.sealed), sha256.Sum256(p.sealed)}
	p.content, err = p.encode()
	return p, err
}

// checkpointSize reads the number of entries that a checkpoint counts.
func checkpointSize(text []byte) (size uint64, ok bool) {
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	size, err := strconv.ParseUint(string(line), 10, 64)
	return size, err == nil
}

// take adds an entry.
func (p *pendingObject) take(read func(uint64, []byte) (Entry, error), seq uint64, public []byte) error {
	e, err := read(seq, public)
	if err != nil {
		return fmt.Errorf("archive: entry %d: %w", seq, err)
	}
	leaf := journal.Leaf(public)
	p.tree.Append(leaf, nil)
	p.Tip, p.Last = leaf, e.At
	p.Public = append(p.Public, bytes.Clone(public))
	if len(e.Recordings) > 0 {
		p.recordings = append(p.recordings, e)
	}
	if e.Erases != nil {
		p.erased = append(p.erased, *e.Erases)
	}
	return nil
}

// erase removes the keys and recordings of erased entries.
func (w *Writer) erase(ctx context.Context, entries []uint64, until uint64) error {
	if len(entries) == 0 {
		return nil
	}
	for _, entry := range entries {
		if err := w.dropKeys(ctx, entry); err != nil {
			return err
		}
		files, err := w.cfg.Erased(ctx, entry)
		for _, file := range files {
			err = errors.Join(err, w.cfg.Store.Remove(ctx, publicRecordings+file.String()), w.cfg.Store.Remove(ctx, recordingKeys+file.String()+".age"))
		}
		if err != nil {
			return err
		}
	}
	w.id.Swept = until
	return w.cfg.Keep(w.id)
}

// sweep carries out the erasures that an earlier run may have left.
func (w *Writer) sweep(ctx context.Context) error {
	var erased []uint64
	end := w.tree.Size()
	for r, err := range w.cfg.Journal.Read(ctx, w.id.Swept, end) {
		if err != nil {
			return err
		}
		e, err := w.cfg.Entry(r.Seq, r.Public)
		if err != nil {
			return err
		}
		if e.Erases != nil {
			erased = append(erased, *e.Erases)
		}
	}
	return w.erase(ctx, erased, end)
}

// uploadRecordings puts the recordings of a dispatch into the archive. A recording
// for some listeners only is encrypted to a key of its own, which lies beside the
// keys of entries, so that an erasure reaches it.
func (w *Writer) uploadRecordings(ctx context.Context, e *Entry) error {
	for _, file := range e.Recordings {
		name := recordingsFolder + file.String() + ".age"
		if e.Open {
			name = publicRecordings + file.String()
		}
		if there, err := exists(ctx, w.cfg.Store, name); err != nil || there {
			if err != nil {
				return err
			}
			continue
		}
		content, err := w.cfg.Recording(file)
		if errors.Is(err, ErrNotFound) {
			continue // erased since
		}
		if err == nil && !e.Open {
			content, err = w.sealRecording(ctx, file, content)
		}
		if err == nil {
			err = create(ctx, w.cfg.Store, name, content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) sealRecording(ctx context.Context, file netkit.Hash, content []byte) ([]byte, error) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, err
	}
	key, err := encrypt([]byte(id.String()), w.cfg.Recipients...)
	if err != nil {
		return nil, err
	}
	name := recordingKeys + file.String() + ".age"
	// A key that is there belongs to a recording that was not uploaded.
	if err := errors.Join(w.cfg.Store.Remove(ctx, name), create(ctx, w.cfg.Store, name, key)); err != nil {
		return nil, err
	}
	return encrypt(content, id.Recipient())
}

func exists(ctx context.Context, s Store, name string) (bool, error) {
	for found, err := range s.List(ctx, name, "") {
		return found == name, err
	}
	return false, nil
}

// filesEvery is how often the small files are compared with those in the archive.
const filesEvery = time.Hour

// uploadFiles puts the small files into the archive if they changed.
func (w *Writer) uploadFiles(ctx context.Context) error {
	now := w.cfg.Now()
	if w.cfg.Files == nil || now.Sub(w.filesAt) < filesEvery {
		return nil
	}
	files, err := w.cfg.Files()
	if err != nil {
		return err
	}
	var all bytes.Buffer
	to := tar.NewWriter(&all)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err = errors.Join(err, to.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: int64(len(files[name])), Format: tar.FormatUSTAR}))
		_, werr := to.Write(files[name])
		err = errors.Join(err, werr)
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return err
	}
	if sum := sha256.Sum256(all.Bytes()); sum != w.files {
		sealed, err := encrypt(all.Bytes(), w.cfg.Recipients...)
		if err == nil {
			err = create(ctx, w.cfg.Store, fmt.Sprintf("%s%020d.age", filesFolder, now.UnixMilli()), sealed)
		}
		if err != nil {
			return err
		}
		w.files = sum
	}
	w.filesAt = now
	return nil
}
