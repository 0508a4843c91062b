package netclient

import (
	"context"
	"iter"
	"net/url"
	"strconv"

	"github.com/agentnet/netctl/netkit"
)

// all walks the pages of a list. The first error ends it.
func all[T any](ctx context.Context, page netkit.Page, fetch func(context.Context, netkit.Page) (netkit.List[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			list, err := fetch(ctx, page)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range list.Items {
				if !yield(item, nil) {
					return
				}
			}
			if list.NextCursor == "" || list.NextCursor == page.Cursor {
				return
			}
			page.Cursor = list.NextCursor
		}
	}
}

// paged adds where a page begins and how long it is to a query.
func paged(query url.Values, page netkit.Page) url.Values {
	if query == nil {
		query = url.Values{}
	}
	if page.Cursor != "" {
		query.Set("cursor", page.Cursor)
	}
	if page.Limit != 0 {
		query.Set("limit", strconv.Itoa(page.Limit))
	}
	return query
}

// set adds a parameter unless it is empty.
func set(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}

// setName adds a parameter that has a name, unless the pointer is nil.
func setName[T interface{ String() string }](query url.Values, name string, value *T) {
	if value != nil {
		query.Set(name, (*value).String())
	}
}

// number writes an id.
func number(id uint64) string { return strconv.FormatUint(id, 10) }
