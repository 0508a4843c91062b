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

// The concepts explain each rule of the market with its figures and its command.
func TestConceptsExplainTheMarketRules(t *testing.T) {
	topic, _ := Find("concepts")
	text := strings.Join(strings.Fields(topic.Text), " ")
	for rule, phrases := range map[string][]string{
		"circulation":     {"more than five times their share", "no_open_case_of_circulation"},
		"mutual answers":  {"More than half of 20 or more backed answers", "mutual answers"},
		"panels":          {"only while at least half of all reviewers remain"},
		"sponsor reports": {"a bond of 5.00", "At most 20 of its reports are open", "An operator can stop a sponsor"},
		"exposure":        {"below VERIFIED may have 20.00", "at VERIFIED 60.00"},
		"newcomers":       {"a fifth at least, and a third of it at most for one"},
		"returns":         {"a tenth of its purchases of 30 days by number, rounded up", "netctl market return"},
		"ceilings":        {"`max_tier`", "netctl market preview"},
		"resale":          {"in the 30 days before is marked as *resold*", "--exclusive"},
		"criteria":        {"--meets 1,3 --unmet 2", "netctl sponsor table"},
	} {
		for _, phrase := range phrases {
			if !strings.Contains(text, phrase) {
				t.Errorf("%s: want %q in the concepts", rule, phrase)
			}
		}
	}
}
