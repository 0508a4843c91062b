package archive

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
)

// Probe tries whether a store keeps the promises of [Store], with an object that it
// removes again. The error is an [ErrUnfit] that names the promise, or the error of
// the store.
func Probe(ctx context.Context, s Store) (err error) {
	name := probeFolder + rand.Text()
	unfit := func(what string) error {
		return fmt.Errorf("%w: %s %s; use another one for the archive", ErrUnfit, s, what)
	}
	if err := s.Create(ctx, name, []byte("first")); err != nil {
		return fmt.Errorf("archive: %s cannot be written: %w", s, err)
	}
	defer func() { err = errors.Join(err, s.Remove(ctx, name)) }()
	switch err := s.Create(ctx, name, []byte("second")); {
	case err == nil:
		return unfit("ignores If-None-Match: it overwrites an object that exists (SeaweedFS before 3.97 does)")
	case !errors.Is(err, ErrExists):
		return fmt.Errorf("archive: %s does not answer 412 to a second write: %w", s, err)
	}
	content, err := s.Read(ctx, name)
	if err != nil {
		return fmt.Errorf("archive: %s cannot be read: %w", s, err)
	}
	if string(content) != "first" {
		return unfit("does not return what was written")
	}
	found := false
	for listed, err := range s.List(ctx, probeFolder, "") {
		if err != nil {
			return fmt.Errorf("archive: %s cannot be listed: %w", s, err)
		}
		found = found || listed == name
	}
	if !found {
		return unfit("lists an object late: it was written and is not in the list")
	}
	if err := s.Remove(ctx, name); err != nil {
		return fmt.Errorf("archive: %s does not let keys be removed: %w", s, err)
	}
	if _, err := s.Read(ctx, name); !errors.Is(err, ErrNotFound) {
		return unfit("returns an object that was removed")
	}
	if v, ok := s.(interface {
		Versioned(context.Context) (bool, error)
	}); ok {
		if versioned, err := v.Versioned(ctx); err == nil && versioned {
			return unfit("keeps versions of objects, so that a removed key would stay: switch versioning off, or exclude " + keysFolder)
		}
	}
	return nil
}
