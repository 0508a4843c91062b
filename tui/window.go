package tui

import (
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

const (
	pageSize  = 100
	maxRows   = 200 // that the network gives in one page
	maxWindow = 400 // rows held
	maxLooks  = 40  // pages looked through for a filter before asking again
)

// window is a stretch of a list that comes page by page. Pages are numbered
// from 0; those outside of [lo, hi) are known by their cursors alone.
type window[T any] struct {
	items  []T
	starts []string // cursor of each page up to hi
	sizes  []int    // rows kept of each
	raw    []int    // rows that each had
	lo, hi int
	next   string // cursor of page hi, "" at the end of the list
	looked int    // pages since the last question
	total  int    // rows fetched
}

// renewal is an empty window that begins where this one does.
func (w *window[T]) renewal() *window[T] {
	fresh := &window[T]{starts: slices.Clone(w.starts[:w.lo]), sizes: slices.Clone(w.sizes[:w.lo]), raw: slices.Clone(w.raw[:w.lo]), lo: w.lo, hi: w.lo}
	if w.lo < len(w.starts) {
		fresh.next = w.starts[w.lo]
	}
	return fresh
}

// skipped is how many rows stand before the window.
func (w *window[T]) skipped() int {
	n := 0
	for _, size := range w.sizes[:w.lo] {
		n += size
	}
	return n
}

func (w *window[T]) after() netkit.Page { return netkit.Page{Cursor: w.next, Limit: pageSize} }

func (w *window[T]) before() netkit.Page {
	return netkit.Page{Cursor: w.starts[w.lo-1], Limit: max(1, w.raw[w.lo-1])}
}

// append takes an answer to after.
func (w *window[T]) append(l netkit.List[T], keep []T) {
	w.items = append(w.items, keep...)
	w.page(w.hi, w.next, len(keep), len(l.Items))
	w.hi++
	w.next = l.NextCursor
	w.looked++
	w.total += len(l.Items)
	for len(w.items) > maxWindow && w.hi-w.lo > 1 {
		w.items = slices.Clone(w.items[w.sizes[w.lo]:])
		w.lo++
	}
}

// page notes that page i is now the last one known.
func (w *window[T]) page(i int, cursor string, kept, raw int) {
	w.starts, w.sizes, w.raw = append(w.starts[:i], cursor), append(w.sizes[:i], kept), append(w.raw[:i], raw)
}

// prepend takes an answer to before.
func (w *window[T]) prepend(l netkit.List[T], keep []T) {
	w.lo--
	w.sizes[w.lo] = len(keep)
	w.items = slices.Concat(keep, w.items)
	for len(w.items) > maxWindow && w.hi-w.lo > 1 {
		w.hi--
		w.next = w.starts[w.hi]
		w.items = w.items[:len(w.items)-w.sizes[w.hi]]
	}
}

// facet is what a list can be narrowed by in the network itself, as in
// tier:ELITE. It is called the same in netctl's flags and in the address
// unless it says otherwise.
type facet struct {
	name string
	form func(string) string // how the network writes its values; nil as typed
	flag bool                // has no value but yes
	word bool                // netctl takes it as a word of the command, not as a flag
	at   string              // its name in the address; "" is the same
}

func (f *facet) value(typed string) string {
	switch {
	case typed == "":
		return ""
	case f.flag:
		return "true"
	case f.form == nil:
		return typed
	}
	return f.form(typed)
}

// query is a filter: facets are for the network, as in tier:ELITE, and the
// words left are looked for in the rows.
type query struct {
	typed  string
	text   string
	facets map[string]string
}

func parseQuery(s string, facets []facet) query {
	q := query{typed: strings.TrimSpace(s), facets: map[string]string{}}
	var words []string
	for _, w := range strings.Fields(s) {
		name, value, ok := strings.Cut(w, ":")
		if ok && value != "" && slices.ContainsFunc(facets, func(f facet) bool { return f.name == name }) {
			q.facets[name] = value
			continue
		}
		words = append(words, w)
	}
	q.text = strings.Join(words, " ")
	return q
}
