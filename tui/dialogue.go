package tui

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit/plural"
)

// linear is the dialogue of lines: it prints lines, asks for lines, and never
// draws over anything. It runs the same commands as the screens.
type linear struct {
	m     *model
	out   io.Writer
	lines chan string  // what was typed; closed at the end of the input
	msgs  chan tea.Msg // what came by itself
	text  string       // the line read last
	from  int          // first row that was said, counted over the whole list
	asked string       // the prompt that stands
	news  news
	err   error // of reading, once lines is closed
}

// dialogue runs the linear face until the input or the context ends.
func (m *model) dialogue() error {
	in := m.cfg.In
	if in == nil {
		in = os.Stdin
	}
	d := &linear{m: m, out: m.out, lines: make(chan string), msgs: make(chan tea.Msg, 64)}
	m.w, m.h = 76, 60
	m.tick, m.wait, m.told = d.tick, d.wait, d.news.takeIn
	go d.read(in)
	d.do(m.Init())
	d.say("Network %s. You are %s.", m.cfg.Where, m.who())
	d.say("Type a command and press enter; help lists them.")
	d.news.reset(m)
	d.tell()
	for d.ask("> ") {
		if d.text == "quit" || d.text == "q" {
			return nil
		}
		d.obey(d.text)
	}
	if m.ctx.Err() != nil {
		return nil
	}
	return d.err
}

// maxLine is the longest line that is read, in bytes; no text of the network is
// longer.
const maxLine = 1 << 20

// read hands over what is typed, line by line.
func (d *linear) read(in io.Reader) {
	defer close(d.lines)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		select {
		case d.lines <- strings.TrimSpace(lines.Text()):
		case <-d.m.ctx.Done():
			return
		}
	}
	d.err = lines.Err()
}

// tick and wait do in the background what would hold the dialogue up.
func (d *linear) tick(after time.Duration, msg tea.Msg) tea.Cmd {
	if _, beat := msg.(beat); beat {
		return nil // ages are told when they are asked for
	}
	return func() tea.Msg {
		time.AfterFunc(after, func() { d.post(msg) })
		return nil
	}
}

func (d *linear) wait(cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		go func() { d.post(cmd()) }()
		return nil
	}
}

func (d *linear) post(msg tea.Msg) {
	select {
	case d.msgs <- msg:
	case <-d.m.ctx.Done():
	}
}

// shapes are drawn for eyes; the words beside them say the same.
var shapes = strings.NewReplacer("▲ ", "", "△ ", "", "● ", "", "○ ", "", "★ ", "", "× ", "", "◌ ", "", "✓ ", "", "⌛", "", "► ", "", "[x] ", "met: ", "[ ] ", "missing: ", "~ ", "", "│", "", " …", "")

// say prints a line for ears.
func (d *linear) say(format string, args ...any) {
	d.print(strings.Join(strings.Fields(shapes.Replace(fmt.Sprintf(format, args...))), " "))
}

// print prints a line as it is.
func (d *linear) print(s string) { fmt.Fprintln(d.out, s) }

func (d *linear) sayAll(lines []string) {
	for _, s := range lines {
		if strings.TrimSpace(s) != "" {
			d.say("%s", s)
		}
	}
}

// ask prompts for a line and takes in what comes meanwhile; it reports false
// at the end.
func (d *linear) ask(prompt string) bool {
	d.asked = prompt
	if n := d.news.waiting(); n > 0 && prompt == "> " {
		d.say("%s: type news to read.", plural.Count(n, "new event", "new events"))
	}
	fmt.Fprint(d.out, prompt)
	for {
		select {
		case text, ok := <-d.lines:
			d.text = text
			return ok
		case msg := <-d.msgs:
			d.take(msg)
		case <-d.m.ctx.Done():
			return false
		}
	}
}

// take takes in what came by itself, and says what cannot wait.
func (d *linear) take(msg tea.Msg) {
	d.update(msg)
	urgent := d.news.urgent(d.m)
	if len(urgent) == 0 {
		return
	}
	d.print("")
	d.sayAll(urgent)
	fmt.Fprint(d.out, d.asked)
}

func (d *linear) update(msg tea.Msg) {
	if msg != nil {
		_, next := d.m.Update(msg)
		d.do(next)
	}
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
		d.update(msg)
	}
}

// obey carries out one line: a row's number, or a command by name or key.
func (d *linear) obey(text string) {
	m := d.m
	m.note = ""
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case word == "row":
		d.row(rest)
	case word == "filter", strings.HasPrefix(text, "/"):
		if l, is := m.here().(lister); is {
			d.do(l.apply(strings.TrimPrefix(strings.TrimPrefix(text, "filter"), "/")))
		}
		d.turn(0)
	case text == "", text == "list":
		d.do(m.here().load())
		d.tell()
	case text == "n", text == "next":
		d.turn(d.from + aloud)
	case text == "p", text == "previous":
		d.turn(d.from - aloud)
	case text == "news":
		d.sayAll(d.news.all())
	case text == "live":
		d.say("%s", d.news.toggle())
	default:
		d.command(text)
	}
}

// mute are the commands that only move a mark; here rows have numbers.
var mute = []string{"up", "down", "page up", "page down", "top", "bottom", "open", "back", "palette", "filter"}

func (d *linear) command(text string) {
	for _, c := range d.m.commands() {
		if strings.EqualFold(c.name, text) || c.takes(text) {
			d.run(&c)
			return
		}
	}
	c := chooser{all: d.m.verbs(), typed: newInput(text + " ")}
	if k, args := c.typedCommand(); k != nil && (len(args) > 0 || !k.needs) {
		d.run(&command{name: k.name, run: func(m *model) tea.Cmd { return k.with(m, args) }})
		return
	}
	d.say("No command is called %q. Type help.", line(text))
}

func (d *linear) help() {
	for _, c := range d.m.commands() {
		if !slices.Contains(mute, c.name) {
			d.say("%s: %s", c.name, c.help)
		}
	}
	for _, c := range d.m.verbs() {
		d.say("%s: %s", c.usage(), c.help)
	}
	for _, s := range []string{"list: show the rows again.", "next, previous: show the rows after or before those.",
		"row N: open row N; what you do then is about it.", "filter WORDS: show what holds them; filter alone shows all.",
		"news: say what has happened meanwhile.", "live: say it at once, or only when asked."} {
		d.say("%s", s)
	}
}

// run runs a command and answers the dialogues that it opens.
func (d *linear) run(c *command) {
	m := d.m
	if c.name == "help" || c.name == "palette" {
		d.help()
		return
	}
	before := m.cur
	d.do(c.run(m))
	d.answerAll()
	if m.note != "" {
		d.say("%s", m.note)
	}
	switch r, isList := m.here().(rower); {
	case m.cur != before:
		d.turn(0)
	case c.name == "reload":
		d.tell()
	case c.name == "other box", c.name == "reverse", strings.HasPrefix(c.name, "sort"):
		d.turn(0)
	case c.name == "open" && isList:
		d.sayAll(r.details(76))
	case slices.Contains(mute, c.name) && isList:
		d.say("%s", r.sentence())
	}
}

// row opens a row by its number, counted from 1.
func (d *linear) row(number string) {
	n, err := strconv.Atoi(number)
	r, ok := d.m.here().(rower)
	if err != nil || !ok || !d.reach(r, n-1) {
		d.say("There is no row %s.", line(number))
		return
	}
	before := d.m.cur
	d.do(d.m.here().move(openRow))
	if d.m.cur != before {
		d.turn(0)
		return
	}
	d.sayAll(r.details(76))
}
