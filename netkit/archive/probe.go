package archive

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit/timespan"
)

// Probe tries whether a store keeps the promises of [Store], with an object that it
// removes again. The error is an [ErrUnfit] that names the promise, or the error of
// the store.
func Probe(ctx context.Context, s Store) (err error) {
	name := probeFolder + rand.Text()
	unfit := func(what string) error {
		return fmt.Errorf("%w: %s %s; use another one for the archive", ErrUnfit, s, what)
	}
	// A first answer that was lost makes the next one say that the object exists.
	if err := try(ctx, ErrExists, func() error { return s.Create(ctx, name, []byte("first")) }); err != nil && !errors.Is(err, ErrExists) {
		return fmt.Errorf("archive: %s cannot be written: %w", s, err)
	}
	defer func() { err = errors.Join(err, try(ctx, nil, func() error { return s.Remove(ctx, name) })) }()
	switch err := try(ctx, ErrExists, func() error { return s.Create(ctx, name, []byte("second")) }); {
	case err == nil:
		return unfit("ignores If-None-Match: it overwrites an object that exists (SeaweedFS before 3.97 does)")
	case !errors.Is(err, ErrExists):
		return fmt.Errorf("archive: %s does not answer 412 to a second write: %w", s, err)
	}
	var content []byte
	if err := try(ctx, ErrNotFound, func() (err error) { content, err = s.Read(ctx, name); return err }); err != nil {
		return fmt.Errorf("archive: %s cannot be read: %w", s, err)
	}
	if string(content) != "first" {
		return unfit("does not return the bytes that were written")
	}
	found := false
	if err := try(ctx, nil, func() (err error) { found, err = exists(ctx, s, name); return err }); err != nil {
		return fmt.Errorf("archive: %s cannot be listed: %w", s, err)
	}
	if !found {
		return unfit("lists an object late: it was written and is not in the list")
	}
	if err := try(ctx, nil, func() error { return s.Remove(ctx, name) }); err != nil {
		return fmt.Errorf("archive: %s does not let keys be removed: %w", s, err)
	}
	switch err := try(ctx, ErrNotFound, func() error { _, err := s.Read(ctx, name); return err }); {
	case err == nil:
		return unfit("returns an object that was removed")
	case !errors.Is(err, ErrNotFound):
		return fmt.Errorf("archive: %s cannot be read: %w", s, err)
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

// tries is how often a request of a probe is made.
const tries = 5

// try makes a request until it succeeds or ends with a definite error.
func try(ctx context.Context, definite error, request func() error) (err error) {
	for range tries {
		if err = request(); err == nil || definite != nil && errors.Is(err, definite) {
			break
		}
		if !timespan.Wait(ctx, 100*time.Millisecond) {
			break
		}
	}
	return err
}
