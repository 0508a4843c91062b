package tui

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/agentnet/netctl/netkit"
)

// column is one of a list's. One without a width grows.
type column[T any] struct {
	name  string
	width int
	right bool // numbers
	least int  // cells that the list must have for it to be shown
	text  func(T) string
	sort  func(a, b T) int // nil compares the texts
}

// by compares rows by a key.
func by[T any, K cmp.Ordered](key func(T) K) func(a, b T) int {
	return func(a, b T) int { return cmp.Compare(key(a), key(b)) }
}

// spec is what makes one list different from another.
type spec[T any] struct {
	title   string
	empty   string // what to say when there is nothing
	columns []column[T]
	facets  []facet  // what the network itself filters by
	events  []string // types of event that change it
	id      func(T) string
	fetch   func(context.Context, map[string]string, netkit.Page) (netkit.List[T], error)
	tone    func(T) *lipgloss.Style // nil or a nil result is plain
	head    func(w, h int) []string // above the rows; may be nil
	preview func(T, int) []string
	share   func(row *T) action // nil stands for the list itself
	choose  func(T) tea.Cmd     // instead of the preview; may be nil
	spoken  func() int          // line of the preview that must be seen, -1 for none; may be nil
	extra   func([]T) []T       // adds rows that come from elsewhere; may be nil
	tail    bool                // on the first row the newest is followed
}

// list is a screen of rows. It holds a window over the pages of the network's
// list, never the whole.
type list[T any] struct {
	m *model
	spec[T]
	win window[T]
	st  fetched
	gen int // of fetching: answers to older questions are dropped

	query  query
	typed  string // filter being typed
	sortBy int    // column, -1 is the network's order
	desc   bool

	rows   []T // what is shown of the window, in order
	sel    int
	top    int
	above  int // rows that have come since, above what is shown
	height int // rows that the last drawing had room for
	rowsAt int // line at which they began
	open   bool
	scroll int // of the preview
}

func newList[T any](m *model, s spec[T]) *list[T] { return &list[T]{m: m, spec: s, sortBy: -1} }

func (l *list[T]) name() string { return l.title }

func (l *list[T]) state() *fetched { return &l.st }

func (l *list[T]) concerns(kind string) bool { return oneOf(kind, l.events...) }

// load fetches again what is shown. The old rows stay until all of it is there,
// so that nothing jumps while events come.
func (l *list[T]) load() tea.Cmd {
	l.gen++
	want := l.sel + l.height
	if l.sortBy >= 0 {
		want = len(l.win.items)
	}
	return l.renew(l.win.renewal(), want)
}

func (l *list[T]) renew(fresh *window[T], want int) tea.Cmd {
	next := fresh.after()
	if len(l.rows) > 0 {
		next.Limit = min(max(pageSize, want), maxRows)
	}
	return l.ask(next, func(page netkit.List[T], keep []T) tea.Cmd {
		fresh.append(page, keep)
		if len(l.rows) > 0 && len(fresh.items) < want && fresh.next != "" && fresh.looked < maxLooks {
			return l.renew(fresh, want)
		}
		l.above += l.came(fresh)
		l.win = *fresh
		return nil
	})
}

// came counts the rows of a renewal that stand before all that were there.
func (l *list[T]) came(fresh *window[T]) int {
	if len(l.win.items) == 0 || l.sortBy >= 0 || l.follows() {
		return 0
	}
	first := l.id(l.win.items[0])
	return max(0, slices.IndexFunc(fresh.items, func(it T) bool { return l.id(it) == first }))
}

// more fetches the page behind the window.
func (l *list[T]) more() tea.Cmd {
	next := l.win.after()
	if l.query.text != "" {
		next.Limit = maxRows
	}
	return l.ask(next, func(page netkit.List[T], keep []T) tea.Cmd { l.win.append(page, keep); return nil })
}

// ask fetches a page. Take gets it, and what of it matches, and says whether
// more is fetched before it is shown.
func (l *list[T]) ask(p netkit.Page, take func(netkit.List[T], []T) tea.Cmd) tea.Cmd {
	l.st.loading, l.st.dirty = true, false
	gen, text, facets := l.gen, l.query.text, l.narrowed()
	return l.m.call(func(ctx context.Context) done {
		page, err := l.fetch(ctx, facets, p)
		return func(m *model) tea.Cmd {
			if gen != l.gen {
				return m.answered(page.AsOf.Seq, err)
			}
			l.st.loading, l.st.err = false, err
			if err != nil {
				l.st.dirty = true
				return m.answered(0, err)
			}
			l.st.at = m.cfg.Now()
			more := take(page, l.matching(page.Items, text))
			if more == nil {
				keep := l.keep()
				l.arrange()
				l.restore(keep)
				more = l.fill()
			}
			return tea.Batch(m.answered(page.AsOf.Seq, nil), more)
		}
	})
}

// fill goes on to look for rows while the screen has room for them: what
// matches may be rare, and a page of the network may hold less than it could.
func (l *list[T]) fill() tea.Cmd {
	if l.win.next == "" || len(l.rows) > max(l.height, 20) || l.win.looked >= maxLooks {
		return nil
	}
	return l.more()
}

// matching returns the rows that hold all words of a text.
func (l *list[T]) matching(items []T, text string) []T {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return items
	}
	var out []T
	for _, it := range items {
		var row strings.Builder
		for i := range l.columns {
			row.WriteString(strings.ToLower(l.columns[i].text(it)) + " ")
		}
		all := row.String()
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, w) }) {
			out = append(out, it)
		}
	}
	return out
}

// arrange makes the rows out of the window.
func (l *list[T]) arrange() {
	items := l.win.items
	if l.extra != nil {
		items = l.matching(l.extra(items), l.query.text)
	}
	l.rows = slices.Clone(l.matching(items, parseQuery(l.typed, l.facets).text))
	if l.sortBy >= 0 {
		c := &l.columns[l.sortBy]
		less := c.sort
		if less == nil {
			less = func(a, b T) int { return cmp.Compare(c.text(a), c.text(b)) }
		}
		slices.SortStableFunc(l.rows, less)
		if l.desc {
			slices.Reverse(l.rows)
		}
	}
	l.sel = max(0, min(l.sel, len(l.rows)-1))
}

// action is the row that is looked at as a command, else the list as it is
// narrowed.
func (l *list[T]) action() action {
	row := l.row()
	if !l.open && l.m.w < twoPanes {
		row = nil
	}
	a := l.share(row)
	if row != nil {
		return a
	}
	q, narrowed := url.Values{}, l.narrowed()
	for _, f := range l.facets {
		if v, ok := narrowed[f.name]; ok {
			q.Set(cmp.Or(f.at, f.name), v)
			if !f.word {
				a.netctl = append(a.netctl, "--"+f.name+"="+v)
			}
		}
	}
	return a.with(q)
}

// narrowed are the facets as the network writes them.
func (l *list[T]) narrowed() map[string]string {
	out := map[string]string{}
	for _, f := range l.facets {
		if v := f.value(l.query.facets[f.name]); v != "" {
			out[f.name] = v
		}
	}
	return out
}

// sorter and filterer are what commands ask of a list.
func (l *list[T]) sortStep(step int) {
	l.sortBy = (l.sortBy+1+step+len(l.columns)+1)%(len(l.columns)+1) - 1
	l.rearrange()
}

func (l *list[T]) reverse() {
	l.desc = !l.desc
	l.rearrange()
}

func (l *list[T]) rearrange() {
	keep := l.keep()
	l.arrange()
	l.restore(keep)
}

// preset is the filter as it was typed last, try shows one at once within the
// window, and apply asks the network.
func (l *list[T]) preset() string { return l.query.typed }

func (l *list[T]) try(text string) { l.typed = text; l.arrange() }

func (l *list[T]) options() []facet { return l.facets }

func (l *list[T]) apply(text string) tea.Cmd {
	l.query, l.typed = parseQuery(text, l.facets), ""
	l.win, l.rows, l.sel, l.top = window[T]{}, nil, 0, 0
	return l.load()
}
