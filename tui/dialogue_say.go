package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// aloud is how many rows are said at once.
const aloud = 20

// rower is what the dialogue asks of a list. Rows are counted over the whole
// list, from 0.
type rower interface {
	span() (from, to int, more bool) // the rows held, and whether there are more
	near(i int) bool                 // selects the row, or the held one that is nearest
	edge() tea.Cmd                   // fetches the page beside the selected row
	details(w int) []string
	sentence() string // of the selected row
	preface() []string
}

// reach selects a row and fetches the pages up to it.
func (d *linear) reach(r rower, i int) bool {
	for range maxLooks {
		from, to, more := r.span()
		if r.near(i) {
			return true
		}
		if i < 0 || i >= to && !more {
			return false
		}
		d.do(r.edge())
		if f, t, _ := r.span(); f == from && t == to {
			return false
		}
	}
	return false
}

// turn says the rows from one on.
func (d *linear) turn(from int) {
	r, ok := d.m.here().(rower)
	if ok && from > 0 && !d.reach(r, from) {
		d.say("There are no more rows.")
		return
	}
	d.from = max(0, from)
	d.tell()
}

// tell says what the screen shows.
func (d *linear) tell() {
	m := d.m
	d.say("%s.", m.here().name())
	d.sayAll(m.banners())
	r, ok := m.here().(rower)
	if !ok {
		d.sayAll(m.here().draw(76, 1000))
		return
	}
	d.sayAll(r.preface())
	selected := d.from
	said := 0
	for ; said < aloud && d.reach(r, d.from+said); said++ {
		d.say("%s", r.sentence())
	}
	if _, to, more := r.span(); said > 0 && (more || d.from+said < to) {
		d.say("There are more: next shows them, filter narrows them.")
	}
	r.near(selected)
}

// span implements rower.
func (l *list[T]) span() (from, to int, more bool) {
	from = l.win.skipped()
	return from, from + len(l.rows), l.win.next != ""
}

func (l *list[T]) near(i int) bool {
	from, to, _ := l.span()
	l.sel = max(0, min(i-from, len(l.rows)-1))
	return i >= from && i < to
}

func (l *list[T]) details(w int) []string {
	if l.preview == nil || l.row() == nil {
		return nil
	}
	return l.preview(*l.row(), w)
}

// preface is what stands above the rows, or instead of them.
func (l *list[T]) preface() []string {
	var out []string
	if l.head != nil {
		out = l.head(76, 12)
	}
	if s := l.trouble(76); s != "" {
		out = append(out, s)
	}
	if len(l.rows) == 0 {
		return append(out, l.instead(76)...)
	}
	if l.query.typed != "" {
		out = append(out, "Matching "+line(l.query.typed)+".")
	}
	return out
}

// sentence is the selected row as a person would read it out.
func (l *list[T]) sentence() string {
	row := l.row()
	if row == nil {
		return "There is no row."
	}
	words := []string{fmt.Sprintf("Row %d", l.win.skipped()+l.sel+1)}
	for k := range l.columns {
		if v := line(l.columns[k].text(*row)); v != "" {
			words = append(words, strings.ToLower(l.columns[k].name)+" "+v)
		}
	}
	return strings.Join(words, ", ") + "."
}

// answerAll goes through the dialogues that are open.
func (d *linear) answerAll() {
	for len(d.m.over) > 0 {
		switch o := d.m.over[len(d.m.over)-1].(type) {
		case *form:
			d.fillIn(o)
		case *ask:
			d.decide(o)
		case *page:
			d.readOut(o)
		default:
			d.m.pop()
		}
	}
}

func (d *linear) readOut(p *page) {
	d.m.pop()
	if p.plain != nil {
		for _, s := range p.plain {
			d.print(s)
		}
		return
	}
	d.say("%s", p.head)
	d.sayAll(p.lines(76))
}

// fillIn asks for each field. A field with choices takes nothing else.
func (d *linear) fillIn(f *form) {
	d.say("%s. An empty answer keeps what stands there, a dash empties it, a dot leaves.", f.head)
	for _, x := range f.fields {
		hint := x.Hint
		switch {
		case x.Several && len(x.Choices) > 0:
			hint = "any of " + strings.Join(x.Choices, ", ") + ", with spaces between"
		case len(x.Choices) > 0:
			hint = "one of " + strings.Join(x.Choices, ", ")
		case x.Long:
			hint = strings.TrimPrefix(x.Hint+"; a line that ends with a backslash goes on", "; ")
		}
		for {
			if !d.ask(fmt.Sprintf("%s (%s) [%s]: ", x.Label, hint, x.shown())) || d.text == "." {
				d.m.over, d.m.note = nil, "nothing was done"
				return
			}
			bad := x.answer(d.longText(x))
			err := x.Check(x.text())
			if bad == "" && err == nil {
				break
			}
			if bad != "" {
				d.say("%q is not a choice.", line(bad))
			} else {
				d.say("%s %s.", x.Label, line(err.Error()))
			}
		}
	}
	d.do(f.submit(d.m))
	if f.err != "" {
		d.say("That does not do: %s", f.err)
	}
}

// shown is what stands in the field, as far as it may be shown.
func (x *field) shown() string {
	if x.secret {
		return ""
	}
	return line(x.text())
}

// longText gathers the lines of a long text.
func (d *linear) longText(x *field) string {
	all := d.text
	for x.Long && strings.HasSuffix(all, `\`) && d.ask("") {
		all = strings.TrimSuffix(all, `\`) + "\n" + d.text
	}
	return all
}

// answer takes what was typed for a field; it returns a word that is no
// choice.
func (x *field) answer(s string) (bad string) {
	switch {
	case s == "":
		return ""
	case s == "-":
		s = ""
	}
	if len(x.Choices) > 0 {
		words := strings.Fields(s)
		if !x.Several && s == "" {
			return "-"
		}
		for i, w := range words {
			k := slices.IndexFunc(x.Choices, func(c string) bool { return strings.EqualFold(c, w) })
			if k < 0 || !x.Several && i > 0 {
				return w
			}
			words[i] = x.Choices[k]
		}
		s = strings.Join(words, " ")
	}
	x.in = newInput(s)
	return ""
}

// decide puts a question; nothing but yes is yes.
func (d *linear) decide(a *ask) {
	d.say("%s", a.question)
	d.sayAll(a.body(76))
	for {
		ok := d.ask("yes, no, or c for the same as a command: ")
		switch {
		case ok && d.text == "c":
			d.do(d.m.shareAction(a.does))
			d.readOut(d.m.over[len(d.m.over)-1].(*page))
			continue
		case ok && (d.text == "yes" || d.text == "y"):
			d.m.pop()
			d.do(a.yes(d.m))
			return
		}
		d.m.over, d.m.note = nil, "nothing was done"
		return
	}
}
