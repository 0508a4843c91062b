package tui

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// dialogue is the linear face: it prints lines, asks for lines, and never
// draws over anything. It runs the same commands as the screens.
func (m *model) dialogue() error {
	in := m.cfg.In
	if in == nil {
		in = os.Stdin
	}
	d := &linear{m: m, in: bufio.NewScanner(in), out: m.out, msgs: make(chan tea.Msg, 64)}
	m.w, m.h = 76, 60
	m.follow = func(uint64) tea.Cmd { return nil } // a screen reader is not interrupted
	m.tick = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	d.do(m.Init())
	d.say("Network %s. You are %s.", m.cfg.Where, m.who())
	d.say("Type a command and press enter; help lists them.")
	d.tell()
	for d.ask("> ") {
		if d.text == "quit" || d.text == "q" {
			return nil
		}
		d.obey(d.text)
		if m.ctx.Err() != nil {
			return nil
		}
	}
	return d.in.Err()
}

type linear struct {
	m    *model
	in   *bufio.Scanner
	out  io.Writer
	text string // the line read last
	msgs chan tea.Msg
}

func (d *linear) say(format string, args ...any) {
	fmt.Fprintln(d.out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// ask prompts for a line; it reports false at the end of the input.
func (d *linear) ask(prompt string) bool {
	fmt.Fprint(d.out, prompt)
	ok := d.in.Scan()
	d.text = strings.TrimSpace(d.in.Text())
	return ok
}

// do runs a command and all that follows from it, one after the other.
func (d *linear) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	case nil, tea.QuitMsg:
	default:
		_, next := d.m.Update(msg)
		d.do(next)
	}
}

// obey carries out one line: a row's number, or a command by name or key.
func (d *linear) obey(text string) {
	m := d.m
	m.note = ""
	if n, err := strconv.Atoi(strings.TrimPrefix(text, "row ")); err == nil && strings.HasPrefix(text, "row ") {
		d.row(n)
		return
	}
	if words, ok := strings.CutPrefix(text, "filter"); ok {
		if l, is := m.here().(lister); is {
			d.do(l.apply(words))
		}
		d.tell()
		return
	}
	if text == "" || text == "list" {
		d.do(m.here().load())
		d.tell()
		return
	}
	for _, c := range m.commands() {
		if c.name == text || c.takes(text) || strings.EqualFold(c.name, text) {
			d.run(&c)
			return
		}
	}
	d.say("No command is called %q. Type help.", line(text))
}

// run runs a command and answers the dialogues that it opens.
func (d *linear) run(c *command) {
	m := d.m
	if c.name == "help" || c.name == "palette" {
		for _, c := range m.commands() {
			d.say("%s: %s", c.name, c.help)
		}
		d.say("list: say the rows again. row N: open row N. filter WORDS: show what holds them.")
		return
	}
	before := m.cur
	d.do(c.run(m))
	d.answerAll()
	if m.note != "" {
		d.say("%s", line(m.note))
	}
	if m.cur != before || c.name == "reload" || strings.HasPrefix(c.name, "sort") || c.name == "reverse" || c.name == "other box" {
		d.tell()
	}
}

// answerAll goes through the dialogues that are open.
func (d *linear) answerAll() {
	for len(d.m.over) > 0 {
		switch o := d.m.over[len(d.m.over)-1].(type) {
		case *form:
			d.fillIn(o)
		case *ask:
			d.decide(o)
		default:
			d.say("%s", o.title())
			for _, s := range o.draw(d.m, 76, 60) {
				d.say("%s", s)
			}
			d.m.pop()
		}
	}
}

func (d *linear) fillIn(f *form) {
	d.say("%s. An empty answer keeps what stands there; a single dot leaves.", f.head)
	for _, x := range f.fields {
		hint := x.hint
		if len(x.choices) > 0 {
			hint += ": " + strings.Join(x.choices, ", ")
		}
		if !d.ask(fmt.Sprintf("%s (%s) [%s]: ", x.label, hint, line(x.text()))) || d.text == "." {
			d.m.over = nil
			return
		}
		if d.text != "" {
			x.in = newInput(d.text)
		}
	}
	d.do(f.submit(d.m))
	if f.err != "" {
		d.say("That does not do: %s", f.err)
	}
}

func (d *linear) decide(a *ask) {
	d.say("%s", a.question)
	for _, s := range a.body(76) {
		if strings.TrimSpace(s) != "" {
			d.say("%s", strings.TrimSpace(s))
		}
	}
	d.say("As a command: %s", a.does.command(&d.m.cfg))
	yes := d.ask("yes or no: ") && (d.text == "yes" || d.text == "y")
	d.m.pop()
	if !yes {
		d.m.over, d.m.note = nil, "nothing was done"
		return
	}
	d.do(a.yes(d.m))
}

// row opens a row, counted from 1.
func (d *linear) row(n int) {
	r, ok := d.m.here().(rower)
	if !ok || !r.selectRow(n-1) {
		d.say("There is no row %d.", n)
		return
	}
	before := d.m.cur
	d.do(d.m.here().move(openRow))
	if d.m.cur != before {
		d.tell()
		return
	}
	for _, s := range r.details(76) {
		d.say("%s", s)
	}
}

// rower is what the dialogue asks of a list.
type rower interface {
	selectRow(int) bool
	details(w int) []string
	sentences() []string
}

// tell says what the screen shows.
func (d *linear) tell() {
	m := d.m
	d.say("%s.", m.here().name())
	for _, b := range m.banners() {
		d.say("%s", b)
	}
	r, ok := m.here().(rower)
	if !ok {
		for _, s := range m.here().draw(76, 1000) {
			d.say("%s", s)
		}
		return
	}
	for _, s := range r.sentences() {
		d.say("%s", s)
	}
}

func (l *list[T]) selectRow(i int) bool {
	if i < 0 || i >= len(l.rows) {
		return false
	}
	l.sel = i
	return true
}

func (l *list[T]) details(w int) []string {
	if l.preview == nil {
		return nil
	}
	return l.preview(l.rows[l.sel], w)
}

// sentences are the rows as a person would read them out.
func (l *list[T]) sentences() []string {
	var out []string
	if l.head != nil {
		out = l.head(76, 12)
	}
	if len(l.rows) == 0 {
		return append(out, l.instead(76)...)
	}
	for i, row := range l.rows[:min(len(l.rows), 20)] {
		words := []string{fmt.Sprintf("Row %d", i+1)}
		for k := range l.columns {
			if v := line(l.columns[k].text(row)); v != "" {
				words = append(words, strings.ToLower(l.columns[k].name)+" "+v)
			}
		}
		out = append(out, strings.Join(words, ", ")+".")
	}
	if len(l.rows) > 20 || l.win.next != "" {
		out = append(out, "There are more; filter narrows them.")
	}
	return out
}
