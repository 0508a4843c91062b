package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
)

// Store keeps the objects of an archive. Its methods may be called from any
// goroutine.
type Store interface {
	// Create writes an object that does not exist yet, whole and durable, and
	// otherwise returns [ErrExists]. After another error it is unknown whether the
	// object was written.
	Create(ctx context.Context, name string, content []byte) error
	// Read returns the content of an object, or [ErrNotFound].
	Read(ctx context.Context, name string) ([]byte, error)
	// List yields the names that begin with prefix and come after a name, ascending.
	List(ctx context.Context, prefix, after string) iter.Seq2[string, error]
	// Remove removes an object if it is there. See [Removable].
	Remove(ctx context.Context, name string) error
	// String names the store for people, without secrets.
	String() string
}

// Errors of a store and of its objects.
var (
	// ErrExists means that an object of this name exists.
	ErrExists = errors.New("archive: the object exists")
	// ErrNotFound means that there is no object of this name.
	ErrNotFound = errors.New("archive: no such object")
	// ErrDamaged means that an object holds other bytes than were written.
	ErrDamaged = errors.New("archive: damaged")
	// ErrOtherWriter means that another folder writes this archive now.
	ErrOtherWriter = errors.New("archive: another writer took over")
	// ErrUnfit means that a store does not keep the promises of [Store].
	ErrUnfit = errors.New("archive: the store is unfit")
	// ErrIdentity means that the identity given does not open an object.
	ErrIdentity = errors.New("archive: the identity does not open it")
	// ErrVersion means that a later version of the program wrote the archive.
	ErrVersion = errors.New("archive: written by a newer version")
)

// Folders of an archive.
const (
	publicFolder     = "public/journal/"
	publicRecordings = "public/recordings/"
	publicMerged     = "public/merged/"
	sealedFolder     = "private/journal/"
	sealedMerged     = "private/merged/"
	keysFolder       = "private/keys/"
	recordingsFolder = "private/recordings/"
	recordingKeys    = keysFolder + "recordings/"
	batchKeys        = keysFolder + "journal/"
	filesFolder      = "private/files/"
	probeFolder      = keysFolder + "probe/"
)

// Removable reports whether an archive ever removes an object of this name: keys that
// were replaced, and the public recording of a dispatch that was erased.
func Removable(name string) bool {
	return strings.HasPrefix(name, keysFolder) || strings.HasPrefix(name, publicRecordings)
}

// checkName refuses names that are no path inside the archive.
func checkName(name string) error {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "\\\x00") {
			return fmt.Errorf("archive: %q is no name of an object", name)
		}
	}
	return nil
}

// errTaken means that an object of this name holds other bytes.
var errTaken = errors.New("archive: an object of this name holds other bytes")

// create writes an object unless it exists. An object with the same bytes is our own
// earlier try, so it is a success; other bytes are errTaken. Any other error leaves
// open whether the object was written: repeat with the same bytes.
func create(ctx context.Context, s Store, name string, content []byte) error {
	err := s.Create(ctx, name, content)
	if err == nil {
		return nil
	}
	have, missing := s.Read(ctx, name)
	switch {
	case missing == nil && bytes.Equal(have, content):
		return nil
	case missing == nil:
		return fmt.Errorf("%w: %s", errTaken, name)
	case errors.Is(err, ErrExists):
		return fmt.Errorf("archive: %s exists and cannot be read: %w", name, missing)
	}
	return err
}
