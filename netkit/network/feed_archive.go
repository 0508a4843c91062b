package network

import (
	"context"
	"errors"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// dispatchRow returns the row of a dispatch, wherever it stands, or a refusal.
func (n *Network) dispatchRow(ctx context.Context, id uint64) (*rules.Dispatch, error) {
	d, err := view(ctx, n, func(s *rules.State) (*rules.Dispatch, error) {
		d, err := s.Dispatch("id", id)
		if err != nil {
			return nil, err
		}
		return new(*d), nil
	})
	if err == nil || !errors.Is(err, netkit.ErrNotFound) {
		return d, err
	}
	e, missing := n.Entry(ctx, id)
	if errors.Is(missing, netkit.ErrNotFound) {
		return nil, err
	}
	if missing != nil {
		return nil, missing
	}
	p, err := view(ctx, n, func(s *rules.State) (rules.Page, error) {
		p, ok := s.DispatchPage(e)
		if !ok {
			return p, err
		}
		return p, nil
	})
	if err != nil {
		return nil, err
	}
	old, err := n.oldPage(ctx, p)
	k := slices.IndexFunc(old, func(d rules.Dispatch) bool { return d.ID() == id })
	if err != nil || k < 0 {
		return nil, errors.Join(err, rules.DispatchUnknown("id"))
	}
	return &old[k], nil
}

// oldPage reads a page of archived dispatches.
func (n *Network) oldPage(ctx context.Context, p rules.Page) ([]rules.Dispatch, error) {
	e, err := n.Entry(ctx, p.Entry)
	if err != nil {
		return nil, err
	}
	return e.ArchivedDispatches(), nil
}

// oldDispatches calls f for each page of archived dispatches.
func (n *Network) oldDispatches(ctx context.Context, f func([]rules.Dispatch) error) error {
	pages, err := view(ctx, n, func(s *rules.State) ([]rules.Page, error) { return s.DispatchPages(), nil })
	for _, p := range pages {
		var old []rules.Dispatch
		if old, err = n.oldPage(ctx, p); err == nil {
			err = f(old)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// reader returns a function that reads durable entries.
func (n *Network) reader(ctx context.Context) func(uint64) (*rules.Entry, error) {
	return func(seq uint64) (*rules.Entry, error) { return n.Entry(ctx, seq) }
}
