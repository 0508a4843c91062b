package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// read sends what a terminal hands over when letters are read at once: a message
// for each word and one for each space.
func (d *driver) read(text string) {
	for i, word := range strings.Split(text, " ") {
		if i > 0 {
			d.send(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}})
		}
		if word != "" {
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(word)})
		}
	}
}

// paste sends what a terminal with bracketed paste hands over.
func (d *driver) paste(text string) {
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

// keyNames are words that are also the names of keys.
const keyNames = "up down left right home end enter esc tab delete backspace pgup ctrl+c ctrl+s alt+x"

func TestWordsReadAtOnceAreText(t *testing.T) {
	const headline = "Prices go up and then down"
	d := drive(t, small(), 100, 30)
	d.press("2", "x")
	d.read(headline)
	d.press("tab")
	d.read(keyNames)
	d.press("tab")
	d.read("https://example.org/esc")
	d.press("ctrl+s", "y")
	if len(d.net.executed) != 1 {
		t.Fatalf("got %d executions, want 1:\n%s", len(d.net.executed), d.view())
	}
	got := d.net.executed[0].Signal
	if got.Headline != headline || got.Body != keyNames || got.Sources[0] != "https://example.org/esc" {
		t.Errorf("got %+v, want all that was typed", got)
	}
}

func TestPastesAreText(t *testing.T) {
	for name, tt := range map[string]struct{ headline, body, wantHeadline, wantBody string }{
		"words":      {"go up and esc", keyNames, "go up and esc", keyNames},
		"one key":    {"q", "y", "q", "y"},
		"lines":      {"two\nlines\n", "one\r\ntwo\rthree\n\nfour", "two lines", "one\ntwo\nthree\n\nfour"},
		"tabs":       {"a\tb", "c\td", "a b", "c d"},
		"controls":   {"a\x1b[31mb", "c\x00d", "a[31mb", "cd"},
		"other text": {"größer 東京 🌊", "e\u0301", "größer 東京 🌊", "e\u0301"},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, small(), 100, 30)
			d.press("2", "x")
			d.paste(tt.headline)
			d.press("tab")
			d.paste(tt.body)
			d.press("tab")
			d.paste("https://example.org/a")
			d.press("ctrl+s", "y")
			if len(d.net.executed) != 1 {
				t.Fatalf("got %d executions, want 1:\n%s", len(d.net.executed), d.view())
			}
			if got := d.net.executed[0].Signal; got.Headline != tt.wantHeadline || got.Body != tt.wantBody {
				t.Errorf("got %q and %q, want %q and %q", got.Headline, got.Body, tt.wantHeadline, tt.wantBody)
			}
		})
	}
}

// The filter and the palette take words too.
func TestWordsReadAtOnceFilter(t *testing.T) {
	for name, send := range map[string]func(*driver, string){"typed": (*driver).read, "pasted": (*driver).paste} {
		t.Run(name, func(t *testing.T) {
			net := small()
			net.market[0].Title = "Go up and then down"
			d := drive(t, net, 100, 30)
			d.press("2", "/")
			send(d, "up and")
			d.shows("Go up and then down", "up and▏")
			d.lacks("Grid status")
			d.press("enter", ":")
			send(d, "previous screen")
			d.press("enter")
			if got, want := d.m.here().name(), "Feed"; got != want {
				t.Errorf("the palette went to %q, want %q:\n%s", got, want, d.view())
			}
		})
	}
}

// On a screen letters read at once are keys one after the other, and what
// follows a key that opens a form is text.
func TestLettersReadAtOnceOnAScreen(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.read("52")
	d.read("xesc")
	d.shows("> Headline", "esc▏")
	d.press("esc")
	d.read("quota")
	if d.m.ctx.Err() == nil {
		t.Error("q was read first, and the program goes on")
	}
	e := drive(t, small(), 100, 30)
	e.read("jGesc")
	e.read("ctrl+c")
	if e.m.ctx.Err() != nil {
		t.Error("the word ctrl+c ended the program")
	}
}

func TestPasteIsNoCommand(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("2")
	d.paste("q")
	d.paste("x")
	d.shows("nothing here takes text")
	if d.m.ctx.Err() != nil || len(d.m.over) > 0 {
		t.Errorf("a paste was taken for a key:\n%s", d.view())
	}
}

// A question wants an answer of its own.
func TestQuestionIsNotAnsweredByWords(t *testing.T) {
	for name, send := range map[string]func(*driver){
		"word":   func(d *driver) { d.read("yes") },
		"opened": func(d *driver) { d.read("by") },
		"paste":  func(d *driver) { d.paste("y") },
	} {
		t.Run(name, func(t *testing.T) {
			net := small()
			d := drive(t, net, 100, 30)
			if name != "opened" {
				d.press("b")
			}
			send(d)
			if !d.m.asked() {
				t.Fatalf("the question is gone:\n%s", d.view())
			}
			d.press("y")
			if d.m.asked() {
				t.Errorf("y alone did not answer:\n%s", d.view())
			}
		})
	}
}

func TestChoicesTakeLettersReadAtOnce(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("S")
	d.read("13")
	f := d.m.over[0].(*form)
	if got, want := f.fields[0].text(), "SILICON POLICY"; got != want {
		t.Errorf("got %q chosen, want %q", got, want)
	}
}

// What was written in a form that was closed by accident is back when it is
// opened again, until it was sent.
func TestClosedFormsKeepTheirText(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("2", "x")
	d.paste("Line 3 is down")
	d.press("tab")
	d.read("Since noon.")
	d.press("esc")
	d.shows("closed; your text is kept")
	d.press("down", "x")
	d.lacks("Line 3 is down") // of another contract
	d.press("esc", "up", "x")
	d.shows("your text from before is back", "Line 3 is down", "Since noon.")
	d.press("tab")
	d.paste("https://example.org/a")
	d.press("ctrl+s", "y")
	if len(d.net.executed) != 1 || d.net.executed[0].Signal.Headline != "Line 3 is down" || d.net.executed[0].Signal.Body != "Since noon." {
		t.Fatalf("got %+v, want what was written\n%s", d.net.executed, d.view())
	}
	d.press("x")
	d.lacks("Line 3 is down")
	d.press("esc")
	d.lacks("closed; open it again")
}

// A form that was opened while something was sent stays open when the answer
// comes.
func TestAnswersLeaveLaterFormsOpen(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("2", "x")
	d.paste("one")
	d.press("tab", "b", "tab")
	d.paste("https://example.org/a")
	d.press("ctrl+s")
	var answer tea.Cmd
	_, answer = d.m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("y")})
	d.press("esc", "esc", "down", "x")
	d.paste("two")
	d.drain(answer)
	if len(d.net.executed) != 1 {
		t.Fatalf("got %d executions, want 1", len(d.net.executed))
	}
	d.shows("two▏")
}
