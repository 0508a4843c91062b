package guide

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Every document is a topic, has a heading, and fits a terminal of 80 columns.
func TestTopics(t *testing.T) {
	names, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(Topics()), len(names); got != want {
		t.Errorf("got %d topics for %d documents", got, want)
	}
	for _, topic := range Topics() {
		if topic.Title == "" || topic.Text == "" || strings.HasPrefix(topic.Title, "#") {
			t.Errorf("%s: got title %q and %d bytes of text", topic.Name, topic.Title, len(topic.Text))
		}
		fenced := false
		for line := range strings.Lines(topic.Text) {
			fenced = fenced != strings.HasPrefix(line, "```")
			code := fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "|")
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); !code && n > 81 {
				t.Errorf("%s: a line has %d columns: %s", topic.Name, n, line)
			}
		}
	}
}

func TestFind(t *testing.T) {
	if got, ok := Find("verify"); !ok || got.Title != "Verify" {
		t.Errorf("got %q, %v", got.Title, ok)
	}
	if _, ok := Find("nonsense"); ok {
		t.Error("found a topic that is not there")
	}
}
