// Package witness runs a witness of transparency logs on this machine, and asks
// others to cosign: the files, the HTTP and the waiting around netkit/proof.
package witness

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/torchwood"

	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/proof"
)

// Folder is where a witness keeps its key and what it has cosigned. It is a
// [proof.Memory] whose files are replaced as a whole and synced.
type Folder struct {
	dir  string
	lock io.Closer
}

// OpenFolder makes the folder if need be, and this process its only user until
// it is closed: two witnesses with one key could be shown two histories.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := sqlite.LockFolder(dir)
	if err != nil {
		return nil, err
	}
	if err := private.HideFromGit(dir, filepath.Base(lock.Name())); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return &Folder{dir: dir, lock: lock}, nil
}

// Close lets others use the folder.
func (f *Folder) Close() error { return f.lock.Close() }

// ErrName means that the witness has no name yet, or has another one.
var ErrName = errors.New("witness: its name")

// Signer reads the key of the witness, and makes one at the first start, which
// needs a name. Later the name may be left out, and cannot be changed: others
// know the witness by it.
func (f *Folder) Signer(name string) (*torchwood.CosignatureSigner, error) {
	path := f.keyFile()
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && name == "":
		return nil, fmt.Errorf("%w: a first start needs one, such as witness.example.org, by which others will know it", ErrName)
	case errors.Is(err, fs.ErrNotExist):
		secret, _, err := proof.NewKey(rand.Reader, name)
		if err == nil {
			err = private.WriteFile(path, []byte(secret+"\n"))
		}
		if err != nil {
			return nil, err
		}
		return proof.NewCosigner(secret)
	case err != nil:
		return nil, err
	}
	s, err := proof.NewCosigner(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; restore it from a copy", path, err)
	}
	if name != "" && name != s.Name() {
		return nil, fmt.Errorf("%w: the one in %s is called %s; leave the name out, or begin another in a folder of its own", ErrName, f.dir, s.Name())
	}
	return s, nil
}

func (f *Folder) keyFile() string { return filepath.Join(f.dir, "witness.key") }

// file names what is kept of a log.
func (f *Folder) file(origin, kind string) string {
	return filepath.Join(f.dir, url.PathEscape(origin)+kind)
}

// Latest implements proof.Memory.
func (f *Folder) Latest(_ context.Context, origin string) ([]byte, error) {
	b, err := os.ReadFile(f.file(origin, ".checkpoint"))
	if errors.Is(err, fs.ErrNotExist) {
		// A folder that was taken away has not been empty all along.
		_, err := os.Stat(f.keyFile())
		return nil, err
	}
	return b, err
}

// Advance implements proof.Memory.
func (f *Folder) Advance(_ context.Context, origin string, signed []byte) error {
	return private.WriteFile(f.file(origin, ".checkpoint"), signed)
}

// Accuse implements proof.Memory. The first pair of each size is kept.
func (f *Folder) Accuse(_ context.Context, origin string, first, second []byte) error {
	head, _, _ := bytes.Cut(second, []byte("\n\n"))
	size := strings.Split(string(head), "\n")[1] // a checkpoint, so it has three lines
	path := f.file(origin, ".fork-"+size)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return private.WriteFile(path, bytes.Join([][]byte{first, second}, []byte("\n")))
}
