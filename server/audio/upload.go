package audio

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentnet/netctl/netkit/private"
)

// Put stores a recording for a party and returns once it is durable. The same
// content again is the same file, and belongs to each party that stored it.
func (s *Store) Put(ctx context.Context, u Upload, r io.Reader) (Blob, error) {
	return s.put(ctx, &u, r, s.maxBytes, probeFile)
}

// PutText stores a transcript: WebVTT if it starts as such, else plain text.
func (s *Store) PutText(ctx context.Context, u Upload, r io.Reader) (Blob, error) {
	return s.put(ctx, &u, r, MaxTextBytes, probeText)
}

func (s *Store) put(ctx context.Context, u *Upload, r io.Reader, limit int64, probe prober) (blob Blob, err error) {
	m, err := s.meter(u)
	if err != nil {
		return Blob{}, fmt.Errorf("audio: store: %w", err)
	}
	defer func() { m.end(blob, s.now()) }()
	f, err := s.openUpload()
	if err != nil {
		return Blob{}, fmt.Errorf("audio: store: %w", err)
	}
	defer s.closeUpload(f)
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(m, f, hash), io.LimitReader(&reader{ctx, r}, limit+1))
	if err != nil {
		return Blob{}, fmt.Errorf("audio: store: %w", err)
	}
	if n > limit {
		return Blob{}, fmt.Errorf("%w: more than %d bytes; shorten it or choose a lower bit rate", ErrTooLarge, limit)
	}
	found, err := probe(f, n)
	if err != nil {
		return Blob{}, err
	}
	kept := Blob{hex.EncodeToString(hash.Sum(nil)), found.Type, n, found.Duration}
	if err := s.keepUpload(f, kept.SHA256, uploadBy(u.By, s.now())); err != nil {
		return Blob{}, fmt.Errorf("audio: store: %w", err)
	}
	return kept, nil
}

// openUpload opens a file for an upload, which Sweep keeps until closeUpload.
func (s *Store) openUpload() (*os.File, error) {
	if err := s.room(); err != nil {
		return nil, err
	}
	s.place.Lock()
	defer s.place.Unlock()
	f, err := os.CreateTemp(s.temporary(), "put-*")
	if err == nil {
		s.writing[f.Name()] = true
	}
	return f, err
}

// closeUpload clears up: after keepUpload the file is closed and has moved, so that both
// calls fail and change nothing.
func (s *Store) closeUpload(f *os.File) {
	f.Close()
	os.Remove(f.Name())
	s.place.Lock()
	defer s.place.Unlock()
	delete(s.writing, f.Name())
}

// keepUpload makes the content durable, then the name: file, rename, folder. A name
// that exists is replaced by the same content with a new date, so that Sweep
// keeps it until its entry is written.
func (s *Store) keepUpload(f *os.File, sha string, by uploaders) error {
	now := s.now()
	if err := errors.Join(f.Sync(), os.Chtimes(f.Name(), now, now), f.Close()); err != nil {
		return err
	}
	folder := filepath.Dir(s.path(sha))
	s.place.Lock()
	defer s.place.Unlock()
	if err := os.Mkdir(folder, 0o700); err == nil {
		if err := private.SyncFolder(s.dir); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := os.Rename(f.Name(), s.path(sha)); err != nil {
		return err
	}
	if err := s.signUpload(sha, by); err != nil {
		return err
	}
	return private.SyncFolder(folder)
}

// reader stops a copy when its caller gives up.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
