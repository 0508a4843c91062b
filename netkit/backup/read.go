package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit/journal"
)

// Backup is a backup that is read. Its bytes were compared with its checksum.
type Backup struct {
	Manifest Manifest
	file     *os.File
}

// maxManifest is the greatest length of a manifest, some 500 million entries.
const maxManifest = 256 << 20

// Open opens a backup and compares every byte with its checksum and its manifest. It
// needs no identity. A damaged member is named by the error, which is an [ErrDamaged].
// The caller closes the backup.
func Open(ctx context.Context, name string) (_ *Backup, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	b := &Backup{file: f}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	sound, err := b.checkSum(ctx)
	if err != nil {
		return nil, err
	}
	err = b.readMembers(ctx)
	if err == nil && !sound {
		err = damaged(name, "its checksum is not that of its bytes, though each member is whole: a header of the tar file was changed")
	}
	if err != nil {
		return nil, fmt.Errorf("%w; use another backup", err)
	}
	return b, nil
}

// Close closes the file.
func (b *Backup) Close() error { return b.file.Close() }

func damaged(what, how string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrDamaged, what, fmt.Sprintf(how, args...))
}

// checkSum reports whether the file ends in the checksum of its bytes.
func (b *Backup) checkSum(ctx context.Context) (bool, error) {
	info, err := b.file.Stat()
	if err != nil {
		return false, err
	}
	size := info.Size() - int64(len(seal([sha256.Size]byte{})))
	if size < 0 || !info.Mode().IsRegular() {
		return false, damaged(b.file.Name(), "it is no backup, or it was cut short")
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, &stoppable{ctx, io.NewSectionReader(b.file, 0, size)}); err != nil {
		return false, err
	}
	want := seal([sha256.Size]byte(sum.Sum(nil)))
	have := make([]byte, len(want))
	if _, err := b.file.ReadAt(have, size); err != nil {
		return false, err
	}
	return bytes.Equal(have, want), nil
}

// stoppable is a reader that ends with a context.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// readMembers finds the members and compares them with the manifest.
func (b *Backup) readMembers(ctx context.Context) error {
	sums := map[string]Member{}
	end := false
	for r := b.tar(); !end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return damaged(b.file.Name(), "its tar file cannot be read: %v", err)
		}
		sum := sha256.New()
		var text bytes.Buffer
		var into io.Writer = sum
		switch {
		case h.Name == manifestName && h.Size <= maxManifest:
			into = &text
		case h.Name == checksumName:
			end = true
		}
		if _, err := io.Copy(into, r); err != nil {
			return damaged(h.Name, "it cannot be read: %v", err)
		}
		if into == &text {
			if err := b.readManifest(text.Bytes()); err != nil {
				return err
			}
			continue
		}
		sums[h.Name] = Member{h.Name, h.Size, [sha256.Size]byte(sum.Sum(nil))}
	}
	return b.compare(sums)
}

func (b *Backup) readManifest(text []byte) error {
	if err := json.Unmarshal(text, &b.Manifest); err != nil {
		return damaged(manifestName, "it is not JSON: %v", err)
	}
	if v := b.Manifest.Version; v != Version {
		return fmt.Errorf("%w: it has version %d, and this program knows %d", ErrVersion, v, Version)
	}
	return nil
}

// compare names the first member that is missing or altered.
func (b *Backup) compare(sums map[string]Member) error {
	if b.Manifest.Version == 0 {
		return damaged(manifestName, "it is missing")
	}
	for _, m := range b.Manifest.Members {
		switch have, ok := sums[m.Name]; {
		case !ok:
			return damaged(m.Name, "it is missing")
		case have != m:
			return damaged(m.Name, "it was altered")
		}
		delete(sums, m.Name)
	}
	delete(sums, checksumName)
	for name := range sums {
		return damaged(name, "the manifest does not name it")
	}
	return nil
}

// tar reads the file from its start.
func (b *Backup) tar() *tar.Reader { return tar.NewReader(io.NewSectionReader(b.file, 0, 1<<62)) }

// isPublic reports whether a member is public: the key of a drill opens it.
func isPublic(name string) bool { return strings.HasPrefix(name, "public/") }

// each calls f with the decrypted members for which want returns true, in order.
func (b *Backup) each(ctx context.Context, ids []age.Identity, want func(name string) bool, f func(name string, content []byte) error) error {
	r := b.tar()
	for range b.Manifest.Members {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := r.Next()
		if err != nil {
			return damaged(b.file.Name(), "its tar file cannot be read: %v", err)
		}
		if !want(h.Name) {
			continue
		}
		content, err := decrypt(r, ids)
		var other *age.NoIdentityMatchError
		if errors.As(err, &other) {
			return fmt.Errorf("%w: it was encrypted to %s", ErrIdentity, strings.Join(b.Manifest.Recipients, ", "))
		}
		if err != nil {
			return damaged(h.Name, "it cannot be decrypted: %v", err)
		}
		if err := f(h.Name, content); err != nil {
			return err
		}
	}
	return nil
}

func decrypt(r io.Reader, ids []age.Identity) ([]byte, error) {
	plain, err := age.Decrypt(r, ids...)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(plain)
}

// Batches reads the journal and calls add for each batch: with its sealed private
// parts and keys where the identities open them, and else with its public parts
// alone, in batches of a member.
func (b *Backup) Batches(ctx context.Context, ids []age.Identity, private bool, add func(journal.SealedBatch, journal.BatchKeys) error) error {
	j := &journalReader{add: add, private: private}
	err := b.each(ctx, ids, func(name string) bool {
		return strings.HasPrefix(name, publicFolder) || private && (strings.HasPrefix(name, keysFolder) || strings.HasPrefix(name, sealedFolder))
	}, j.take)
	if err == nil && j.next != b.Manifest.Tree.Size {
		err = damaged(b.file.Name(), "it holds %d entries, and its manifest says %d", j.next, b.Manifest.Tree.Size)
	}
	return err
}

// journalReader puts the members of the journal together.
type journalReader struct {
	add     func(journal.SealedBatch, journal.BatchKeys) error
	private bool
	keys    []journal.BatchKeys // of the batches that are to come
	keyed   uint64              // entries that keys were read of
	public  [][]byte            // of the member at hand
	next    uint64              // entry to add
}

// take reads one member.
func (j *journalReader) take(name string, content []byte) (err error) {
	switch {
	case strings.HasPrefix(name, keysFolder):
		return j.takeKeys(name, content)
	case strings.HasPrefix(name, publicFolder):
		j.public = bytes.Split(bytes.TrimSuffix(content, []byte("\n")), []byte("\n"))
		if !j.private {
			err = j.addBatch(make([][]byte, len(j.public)), journal.BatchKeys{})
		}
		return err
	}
	sealed, ok := splitParts(content, len(j.public))
	for ok && len(sealed) > 0 {
		if len(j.keys) == 0 || j.keys[0].Records > uint64(len(sealed)) {
			return damaged(name, "it does not fit the keys of the batches")
		}
		k := j.keys[0]
		j.keys = j.keys[1:]
		if err := j.addBatch(sealed[:k.Records], k); err != nil {
			return err
		}
		sealed = sealed[k.Records:]
	}
	if !ok {
		return damaged(name, "it does not hold a part for each entry")
	}
	return nil
}

// addBatch adds the next batch.
func (j *journalReader) addBatch(sealed [][]byte, keys journal.BatchKeys) error {
	n := len(sealed)
	batch := journal.SealedBatch{First: j.next, Public: j.public[:n], Sealed: sealed}
	j.public, j.next = j.public[n:], j.next+uint64(n)
	return j.add(batch, keys)
}

func (j *journalReader) takeKeys(name string, content []byte) error {
	for len(content) > 0 {
		n, width := binary.Uvarint(content)
		size, more := binary.Uvarint(content[max(width, 0):])
		if width <= 0 || more <= 0 || n == 0 || n > 1<<32 || size > uint64(len(content)-width-more)+1 {
			return damaged(name, "it does not hold keys")
		}
		content = content[width+more:]
		k := journal.BatchKeys{First: j.keyed, Records: n, Held: size > 0}
		if k.Held {
			k.Keys, content = content[:size-1], content[size-1:]
		}
		j.keys, j.keyed = append(j.keys, k), j.keyed+n
	}
	return nil
}

// splitParts takes the sealed parts of n entries apart.
func splitParts(content []byte, n int) (parts [][]byte, ok bool) {
	for range n {
		size, width := binary.Uvarint(content)
		if width <= 0 || size > uint64(len(content)-width) {
			return nil, false
		}
		var part []byte
		if size > 0 {
			part = content[width : width+int(size)]
		}
		parts, content = append(parts, part), content[width+int(size):]
	}
	return parts, len(content) == 0
}

// Checkpoint returns the checkpoint in the backup, nil if there is none. The key of
// a drill opens it too.
func (b *Backup) Checkpoint(ctx context.Context, ids []age.Identity) (text []byte, err error) {
	err = b.each(ctx, ids, func(name string) bool { return name == checkpointName }, func(_ string, content []byte) error {
		text = content
		return nil
	})
	return text, err
}

// Recordings writes the recordings into a folder; Files does so with the other files.
// Both make the folders that they need, and sync nothing.
func (b *Backup) Recordings(ctx context.Context, ids []age.Identity, dir string) error {
	return b.restoreFiles(ctx, ids, recordingsFolder, dir)
}

// Files writes the files that are neither journal nor recordings into a folder.
func (b *Backup) Files(ctx context.Context, ids []age.Identity, dir string) error {
	return b.restoreFiles(ctx, ids, filesFolder, dir)
}

func (b *Backup) restoreFiles(ctx context.Context, ids []age.Identity, folder, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	err = b.each(ctx, ids, func(name string) bool { return strings.HasPrefix(name, folder) }, func(name string, content []byte) error {
		line, rest, _ := bytes.Cut(content, []byte("\n"))
		var h pieceHeader
		if json.Unmarshal(line, &h) != nil || h.Bytes != len(rest) || !fs.ValidPath(h.Path) {
			return damaged(name, "it is no piece of a file")
		}
		return writePiece(root, &h, rest)
	})
	return errors.Join(err, root.Close())
}

// writePiece writes a piece of a file. No path leads out of the folder.
func writePiece(root *os.Root, h *pieceHeader, content []byte) error {
	if err := root.MkdirAll(path.Dir(h.Path), 0o700); err != nil {
		return err
	}
	flags := os.O_WRONLY
	if h.From == 0 {
		flags |= os.O_CREATE | os.O_EXCL
	}
	f, err := root.OpenFile(h.Path, flags, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(content, h.From)
	return errors.Join(err, f.Sync(), f.Close())
}
