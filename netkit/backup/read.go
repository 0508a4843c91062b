package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"
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

// Checkpoint returns the checkpoint in the backup, nil if there is none. The key of
// a drill opens it too.
func (b *Backup) Checkpoint(ctx context.Context, ids []age.Identity) (text []byte, err error) {
	err = b.each(ctx, ids, func(name string) bool { return name == checkpointName }, func(_ string, content []byte) error {
		text = content
		return nil
	})
	return text, err
}
