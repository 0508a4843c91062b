package network

import (
	"cmp"
	"context"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// archived returns a row that left memory, or the error given where there is
// none.
func archived[T any](ctx context.Context, n *Network, x rules.Shelf[T], id uint64, unknown error) (*T, error) {
	pages, err := view(ctx, n, func(s *rules.State) ([]rules.Page, error) { return x.Below(s, id+1), nil })
	if err != nil {
		return nil, err
	}
	row, err := x.Find(pages, id, func(seq uint64) (*rules.Entry, error) { return n.Entry(ctx, seq) })
	if row == nil && err == nil {
		err = unknown
	}
	return row, err
}

// listing is a page of a list whose rows may have left memory.
type listing[T, V any] struct {
	rules.Shelf[T]
	before uint64
	size   int
	old    bool // archived rows may match
	// match says which rows are wanted, and show what is shown of them.
	match func(*rules.State) (func(*T) bool, error)
	show  func(*rules.State, *T) V

	floor uint64 // rows below are of the next page
	found []listed[V]
	pages []rules.Page
}

type listed[V any] struct {
	id   uint64
	view V
}

// read returns what is shown of the rows, newest first, and the cursor of what
// follows.
func (l *listing[T, V]) read(ctx context.Context, n *Network) ([]V, string, error) {
	_, err := view(ctx, n, func(s *rules.State) (struct{}, error) { return struct{}{}, l.recent(s) })
	for looked, p := range l.pages {
		if err != nil || len(l.found) >= l.size && l.found[l.size-1].id > p.Last || p.Last < l.floor {
			break
		}
		if looked == rules.MaxPages {
			l.cut(p.Last + 1)
			break
		}
		err = l.readPage(ctx, n, p.Entry)
	}
	if len(l.found) > l.size {
		l.cut(l.found[l.size-1].id)
	}
	items := make([]V, len(l.found))
	for k := range l.found {
		items[k] = l.found[k].view
	}
	if l.floor == 0 {
		return items, "", err
	}
	return items, netkit.CursorBelow(l.floor), err
}

// cut leaves the rows below a number to the next page.
func (l *listing[T, V]) cut(floor uint64) {
	l.floor = max(l.floor, floor)
	l.found = slices.DeleteFunc(l.found, func(x listed[V]) bool { return x.id < floor })
}

// recent looks through the rows in memory, as far as one page goes.
func (l *listing[T, V]) recent(s *rules.State) error {
	match, err := l.match(s)
	if err != nil {
		return err
	}
	var rows []*T
	rows, l.floor = l.Pick(s, l.before, l.size, match)
	l.found, l.pages = nil, nil
	for _, row := range rows {
		l.found = append(l.found, listed[V]{l.Number(row), l.show(s, row)})
	}
	if l.old {
		l.pages = l.Below(s, l.before)
	}
	return nil
}

// readPage adds the rows of an entry.
func (l *listing[T, V]) readPage(ctx context.Context, n *Network, seq uint64) error {
	e, err := n.Entry(ctx, seq)
	if err != nil {
		return err
	}
	all := l.Archived(e)
	more, err := view(ctx, n, func(s *rules.State) (more []listed[V], err error) {
		match, err := l.match(s)
		for k := range all {
			if id := l.Number(&all[k]); err == nil && id < l.before && id >= l.floor && match(&all[k]) {
				more = append(more, listed[V]{id, l.show(s, &all[k])})
			}
		}
		return more, err
	})
	l.found = append(l.found, more...)
	slices.SortFunc(l.found, func(a, b listed[V]) int { return cmp.Compare(b.id, a.id) })
	return err
}
