package archive

import (
	"context"
	"errors"
)

// Find returns the last object whose tree has size entries at most, or [ErrNotFound] if
// there is none. Last reports whether it is the last object of all.
func Find(ctx context.Context, s Store, size uint64) (found *Header, last bool, err error) {
	tail, err := Tail(ctx, s)
	if err != nil {
		return nil, false, err
	}
	found, err = Last(ctx, s, tail, func(h *Header) (bool, error) { return h.Tree.Size <= size, nil })
	if err == nil && found == nil {
		err = ErrNotFound
	}
	return found, err == nil && found.Number == tail.Number, err
}

// Empty reports whether an archive holds no object.
func Empty(ctx context.Context, s Store) (bool, error) {
	_, err := readObject(ctx, s, 0)
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	return false, err
}

// FindEpoch returns the first object of an epoch or a later one.
func FindEpoch(ctx context.Context, s Store, tail *Object, epoch uint64) (*Header, error) {
	before, err := Last(ctx, s, tail, func(h *Header) (bool, error) { return h.Epoch < epoch, nil })
	if err != nil || before == nil {
		return &tail.Header, err
	}
	if before.Number == tail.Number {
		return &tail.Header, nil
	}
	o, err := readObject(ctx, s, before.Number+1)
	if err != nil {
		return nil, err
	}
	return &o.Header, nil
}

// Last returns the last object up to tail for which holds returns true, nil if there
// is none. If holds returns true for an object, it does for those before.
func Last(ctx context.Context, s Store, tail *Object, holds func(*Header) (bool, error)) (found *Header, err error) {
	for low, high := uint64(0), tail.Number+1; low < high; {
		middle := low + (high-low)/2
		o := tail
		if middle != tail.Number {
			if o, err = readObject(ctx, s, middle); err != nil {
				return nil, err
			}
		}
		ok, err := holds(&o.Header)
		if err != nil {
			return nil, err
		}
		if ok {
			found, low = &o.Header, middle+1
		} else {
			high = middle
		}
	}
	return found, nil
}
