package archive

import (
	"context"
	"errors"
)

// Find returns the last object that ends with an entry before size, so that its tree
// has size entries at most, or [ErrNotFound] if the first one ends later or the
// archive is empty. Last reports whether it is the last object of all.
func Find(ctx context.Context, s Store, size uint64) (found *Object, last bool, err error) {
	tail, err := Tail(ctx, s)
	if err != nil {
		return nil, false, err
	}
	if tail.Tree.Size <= size {
		return tail, true, nil
	}
	low, high := uint64(0), tail.Number // the object at high ends later
	for low < high {
		middle := low + (high-low)/2
		o, err := readObject(ctx, s, middle)
		if err != nil {
			return nil, false, err
		}
		if o.Tree.Size <= size {
			found, low = o, middle+1
		} else {
			high = middle
		}
	}
	if found == nil {
		return nil, false, ErrNotFound
	}
	return found, false, nil
}

// Empty reports whether an archive holds no object.
func Empty(ctx context.Context, s Store) (bool, error) {
	_, err := readObject(ctx, s, 0)
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	return false, err
}
