package archive

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/backup"
	"github.com/agentnet/netctl/netkit/journal"
)

// Reader reads an archive. Without identities it reads the public side only. It is
// used by one goroutine.
type Reader struct {
	Store Store
	IDs   []age.Identity
	// Sealed reads encrypted objects in groups for [Reader.CheckSealed] too.
	Sealed bool

	keys   keyReader
	sealed [][]byte // of the merged object at hand
	from   uint64   // number of the first of them
}

// NewReader returns a reader of an archive.
func NewReader(s Store, ids []age.Identity) *Reader {
	return &Reader{Store: s, IDs: ids, keys: keyReader{store: s, ids: ids}}
}

// Objects yields the objects from a number on, up to the last one at the time. Each
// is compared with its checksum, and with the number and the entry that follow.
func (r *Reader) Objects(ctx context.Context, from uint64) iter.Seq2[*Object, error] {
	return func(yield func(*Object, error) bool) {
		for n := from; ; {
			objects, err := r.group(ctx, n)
			if errors.Is(err, ErrNotFound) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for _, o := range objects {
				if o.Number != n {
					yield(nil, fmt.Errorf("%w: object %d is in the place of %d", ErrDamaged, o.Number, n))
					return
				}
				if !yield(o, nil) {
					return
				}
				n++
			}
		}
	}
}

// group reads the largest merged object that begins with object n, or that one.
func (r *Reader) group(ctx context.Context, n uint64) ([]*Object, error) {
	r.sealed = nil
	for level := mergeLevel; level > 0; level-- {
		if n%mergedSpan(level) != 0 {
			continue
		}
		at := n / mergedSpan(level)
		name := mergedName(publicMerged, level, at)
		content, err := r.Store.Read(ctx, name)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		objects, err := splitMerged(name, content)
		if err == nil && (r.IDs != nil || r.Sealed) {
			err = r.readMerged(ctx, level, at, n)
		}
		return objects, err
	}
	o, err := readObject(ctx, r.Store, n)
	return []*Object{o}, err
}

// readMerged reads the sealed parts of a group.
func (r *Reader) readMerged(ctx context.Context, level int, at, first uint64) error {
	name := mergedName(sealedMerged, level, at)
	content, err := r.Store.Read(ctx, name)
	if err == nil {
		r.sealed, err = splitFramed(name, content)
	}
	r.from = first
	return err
}

// readSealed reads the encrypted object beside h and compares it with its hash.
func readSealed(ctx context.Context, s Store, h *Header) ([]byte, error) {
	content, err := s.Read(ctx, h.sealedName())
	if errors.Is(err, ErrNotFound) {
		return nil, fmt.Errorf("%w: %s is missing", ErrDamaged, h.sealedName())
	}
	if err == nil {
		err = h.checkSealed(content)
	}
	return content, err
}

func (h *Header) checkSealed(content []byte) error {
	if len(content) != h.Sealed.Bytes || netkit.Hash(sha256.Sum256(content)) != h.Sealed.SHA256 {
		return fmt.Errorf("%w: %s was altered", ErrDamaged, h.sealedName())
	}
	return nil
}

// CheckSealed compares the encrypted object beside one that [Reader.Objects] yielded
// last with its hash. It needs no identity.
func (r *Reader) CheckSealed(ctx context.Context, o *Object) error {
	if o.Sealed == nil {
		return nil
	}
	_, err := r.encrypted(ctx, o)
	return err
}

// encrypted returns the encrypted object beside o.
func (r *Reader) encrypted(ctx context.Context, o *Object) ([]byte, error) {
	if i := o.Number - r.from; r.sealed != nil && i < uint64(len(r.sealed)) {
		return r.sealed[i], o.checkSealed(r.sealed[i])
	}
	return readSealed(ctx, r.Store, &o.Header)
}

// Batches returns the batches of an object that [Reader.Objects] yielded last, with
// their keys; of the public parts only, in one batch, where the reader has no
// identity. It is empty for an object without entries.
func (r *Reader) Batches(ctx context.Context, o *Object) (batches []journal.SealedBatch, keys []journal.BatchKeys, err error) {
	if o.Entries == 0 {
		return nil, nil, nil
	}
	if r.IDs == nil {
		return []journal.SealedBatch{{First: o.First, Public: o.Public, Sealed: make([][]byte, o.Entries)}}, []journal.BatchKeys{{First: o.First, Records: uint64(o.Entries)}}, nil
	}
	parts, err := r.sealedParts(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	if keys, err = r.keys.find(ctx, &o.Header); err != nil {
		return nil, nil, err
	}
	at := uint64(0)
	for _, k := range keys {
		batches = append(batches, journal.SealedBatch{First: k.First, Public: o.Public[at : at+k.Records], Sealed: parts[at : at+k.Records]})
		at += k.Records
	}
	return batches, keys, nil
}

func (r *Reader) sealedParts(ctx context.Context, o *Object) (parts [][]byte, err error) {
	content, err := r.encrypted(ctx, o)
	if err == nil {
		content, err = decrypt(o.sealedName(), content, r.IDs)
	}
	if err != nil {
		return nil, err
	}
	parts, ok := backup.SplitSealed(content, o.Entries)
	if !ok {
		return nil, fmt.Errorf("%w: %s does not hold a part for each entry", ErrDamaged, o.sealedName())
	}
	return parts, nil
}

// Recording returns a recording that a dispatch names, or [ErrNotFound] if it is not
// there or was erased.
func (r *Reader) Recording(ctx context.Context, file netkit.Hash, open bool) ([]byte, error) {
	var content []byte
	var err error
	if open {
		content, err = r.Store.Read(ctx, publicRecordings+file.String())
	} else {
		content, err = r.sealedRecording(ctx, file)
	}
	if err == nil && netkit.Hash(sha256.Sum256(content)) != file {
		err = fmt.Errorf("%w: the recording %s holds other bytes", ErrDamaged, file)
	}
	return content, err
}

// HasRecording reports whether the archive holds a recording that was not erased.
func (r *Reader) HasRecording(ctx context.Context, file netkit.Hash, open bool) (bool, error) {
	if open {
		return exists(ctx, r.Store, publicRecordings+file.String())
	}
	return exists(ctx, r.Store, recordingKeys+file.String()+".age")
}

func (r *Reader) sealedRecording(ctx context.Context, file netkit.Hash) ([]byte, error) {
	name := recordingKeys + file.String() + ".age"
	key, err := r.Store.Read(ctx, name)
	if err == nil {
		key, err = decrypt(name, key, r.IDs)
	}
	if err != nil {
		return nil, err
	}
	id, err := age.ParseX25519Identity(string(key))
	if err != nil {
		return nil, fmt.Errorf("%w: %s holds no identity", ErrDamaged, name)
	}
	name = recordingsFolder + file.String() + ".age"
	content, err := r.Store.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	return decrypt(name, content, []age.Identity{id})
}

// Files returns the newest small files of the folder, as a tar file, and nil where the
// archive holds no files.
func (r *Reader) Files(ctx context.Context) ([]byte, error) {
	last := ""
	for name, err := range r.Store.List(ctx, filesFolder, "") {
		if err != nil {
			return nil, err
		}
		last = max(last, name)
	}
	if last == "" {
		return nil, nil
	}
	content, err := r.Store.Read(ctx, last)
	if err != nil {
		return nil, err
	}
	return decrypt(last, content, r.IDs)
}

// TakeOver ends the writer of an archive: it puts an object without entries behind
// tail, so that the next upload of the other one fails. It returns the identity that
// writes from then on. The error is [ErrMoved] if there are newer objects by now.
func TakeOver(ctx context.Context, s Store, tail *Header, now time.Time) (Identity, error) {
	o := &Object{Header: *tail}
	o.Number, o.Epoch, o.Writer, o.TakeOver = tail.Number+1, tail.Epoch+1, newWriter(), true
	o.At, o.First, o.Entries, o.Sealed = now.UTC().Truncate(time.Millisecond), tail.Tree.Size, 0, nil
	content, err := o.encode()
	if err == nil {
		err = create(ctx, s, publicName(o.Number), content)
	}
	if errors.Is(err, errTaken) {
		err = fmt.Errorf("%w: object %d was written meanwhile", ErrMoved, o.Number)
	}
	return Identity{Writer: o.Writer, Epoch: o.Epoch}, err
}

// ErrMoved means that an archive has newer objects by now.
var ErrMoved = errors.New("archive: it has newer objects")
