package host

import (
	"context"
	"errors"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/rules"
)

// LastEntry returns the time of the last entry in a folder's journal, the zero
// time where there is none. It only reads.
func LastEntry(ctx context.Context, dir string) (at time.Time, err error) {
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
	if errors.Is(err, journal.ErrNotFound) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	head, err := store.Head(ctx)
	if err != nil || head.Size == 0 {
		return time.Time{}, err
	}
	for r, err := range store.Read(ctx, head.Size-1, head.Size) {
		if err != nil {
			return time.Time{}, err
		}
		last, err := rules.ReadEntry(r)
		if err != nil {
			return time.Time{}, err
		}
		at = last.At.Time()
	}
	return at, nil
}

// NetworkOf returns the id of the network in a folder, "" without one. It only reads.
func NetworkOf(ctx context.Context, dir string) (network string, err error) {
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
	if errors.Is(err, journal.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	network, _, err = foundation(ctx, store)
	return network, err
}

// ID returns the id of the network.
func (h *Host) ID(ctx context.Context) (string, error) {
	network, _, err := foundation(ctx, h.Store)
	return network, err
}
