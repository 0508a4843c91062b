package evaluate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/btdt"
)

func gold(t *testing.T, file string) []Example {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	examples, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return examples
}

// The own set is small and plain: what fails on it fails everywhere. It takes no
// part in training.
func TestOwnGold(t *testing.T) {
	now := time.Duration(0)
	r := Measure(gold(t, "gold.jsonl"), func() time.Duration { now += time.Millisecond; return now })
	for _, m := range r.Misses {
		t.Logf("%s: %s %s %q", m.ID, m.Kind, m.Type, m.Text)
	}
	all := r.Rows[len(r.Rows)-1]
	if all.Recall < 97 || r.Touched > 0 || r.CleanChanged > 0 {
		t.Errorf("got recall %.1f, %d touched, %d clean changed; want at least 97, 0, 0", all.Recall, r.Touched, r.CleanChanged)
	}
	if r.Seconds == 0 || r.MillisEach == 0 {
		t.Error("got no time, want the time of the clock")
	}
}

// Figures come from the labels: without findings to match, they fall.
func TestMeasureCounts(t *testing.T) {
	const row = `{"id":"x","playbook":{"title":"A","category":"other","sub_category":"x","jurisdiction":"US","status":"RESOLVED","outcome":"Paid.","steps":["Mr Zq wrote to a@b.co"],"time_taken_days":1},` +
		`"gold":[{"path":"steps[0]","start":15,"end":21,"type":"EMAIL"},{"path":"outcome","start":0,"end":4,"type":"CASE_REF"}],"keep":[{"path":"steps[0]","start":15,"end":16}]}`
	examples, err := Read(strings.NewReader(row + "\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := Measure(examples, func() time.Duration { return 0 })
	rows := map[string]Row{}
	for _, x := range r.Rows {
		rows[x.Type] = x
	}
	if x := rows["EMAIL"]; x.Recall != 100 || x.Precision != 100 {
		t.Errorf("EMAIL: got %+v", x)
	}
	if x := rows["CASE_REF"]; x.Recall != 0 || x.Letters != 4 || x.Masked != 0 {
		t.Errorf("CASE_REF: got %+v", x)
	}
	if r.Keep != 1 || r.Touched != 1 || r.Clean != 0 || r.Leaking != 1 {
		t.Errorf("got %d keep, %d touched, %d clean, %d leaking", r.Keep, r.Touched, r.Clean, r.Leaking)
	}
}

// Finer words for types are taken for the types they mean; what a kept part is
// called does not matter.
func TestReadTakesAliases(t *testing.T) {
	const row = `{"id":"x","playbook":{"title":"A","category":"other","sub_category":"x","jurisdiction":"US","status":"RESOLVED","outcome":"Paid.","steps":["IBAN DE89370400440532013000"],"time_taken_days":1},` +
		`"gold":[{"path":"steps","start":5,"end":27,"type":"IBAN"}],"keep":[{"path":"title","start":0,"end":1,"type":"LAW"}]}`
	examples, err := Read(strings.NewReader(row))
	if err != nil {
		t.Fatal(err)
	}
	if g := examples[0].Gold[0]; g.Type != btdt.TypeFinancial || g.Path != "steps[0]" || g.Text != "DE89370400440532013000" {
		t.Errorf("got %+v", g)
	}
	if k := examples[0].Keep[0]; k.Type != "" || k.Text != "A" {
		t.Errorf("got %+v", k)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, row := range []string{
		`nothing`, `{"playbook": 3}`, `{"id":"x"}`,
		`{"id":"x","playbook":{"title":"A","category":"other","sub_category":"x","jurisdiction":"US","status":"RESOLVED","outcome":"Paid.","steps":["b"],"time_taken_days":1},"gold":[{"path":"steps[0]","start":0,"end":9,"type":"NAME"}]}`,
		`{"id":"x","playbook":{"title":"A","category":"other","sub_category":"x","jurisdiction":"US","status":"RESOLVED","outcome":"Paid.","steps":["b"],"time_taken_days":1},"gold":[{"path":"steps[0]","start":0,"end":1,"type":"CAT"}]}`,
		strings.Repeat("x", btdt.MaxFileBytes+1),
	} {
		if _, err := Read(strings.NewReader("\n" + row)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%.99s: got %v, want an error that names line 2", row, err)
		}
	}
}

// Function words and honorifics at the edge of a mark need not go; a mark of nothing
// else counts as a whole, and an initial is part of a name.
func TestEdgesDoNotCount(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		want       int
	}{
		{"MEDICAL", "une polyarthrite", 12}, {"DOB", "born 19.8.1941", 7}, {"MEDICAL", "cancer of the lung", 15}, {"MEDICAL", "the", 3},
		{"ADDRESS", "in der Musterstraße 9", 13}, {"NAME", "D. Smith and", 6}, {"NAME", "Mr. and Mrs. Okoro", 5}, {"NAME", "van der Berg", 4},
	} {
		m := Mark{Text: c.text, Type: c.kind}
		if got := len(m.letters()); got != c.want {
			t.Errorf("%q: got %d letters to mask, want %d", c.text, got, c.want)
		}
	}
}

// An age below 90 must stay, whatever a set says; dates of birth and higher ages go.
func TestAgesStay(t *testing.T) {
	for text, want := range map[string]bool{
		"52": true, "aged 47": true, "89 Jahre": true, "90": false, "103": false, "14.6.2017": false, "1938": false, "*3 jan 1947": false, "'58": false, "8 May": false, "born 58": false, "forty-two": true, "born in March": false,
	} {
		if m := (Mark{Text: text, Type: "DOB"}); m.isAge() != want {
			t.Errorf("%q: got an age %v, want %v", text, !want, want)
		}
	}
	const row = `{"id":"x","playbook":{"title":"A","category":"other","sub_category":"x","jurisdiction":"US","status":"RESOLVED","outcome":"Paid.","steps":["My client, 52, was born 14.6.1971."],"time_taken_days":1},` +
		`"gold":[{"path":"steps[0]","start":11,"end":13,"type":"DOB"},{"path":"steps[0]","start":24,"end":33,"type":"DOB"}]}`
	examples, err := Read(strings.NewReader(row))
	if err != nil {
		t.Fatal(err)
	}
	if e := examples[0]; len(e.Gold) != 1 || e.Gold[0].Start != 24 || len(e.Keep) != 1 || e.Keep[0].Text != "52" {
		t.Errorf("got %+v and %+v, want the date to go and the age to stay", e.Gold, e.Keep)
	}
}

// What is masked without a question is counted apart.
func TestMeasureCountsUnasked(t *testing.T) {
	const row = `{"id":"x","playbook":{"title":"Mail to a@b.co","category":"other","sub_category":"x","jurisdiction":"US","status":"RESOLVED","outcome":"Paid.","steps":["Gruvelock said no."],"time_taken_days":1},"gold":[]}`
	examples, err := Read(strings.NewReader(row))
	if err != nil {
		t.Fatal(err)
	}
	r := Measure(examples, func() time.Duration { return 0 })
	if r.Sure != 1 || r.SureRight != 0 || r.Questions != 1 || r.CleanSure != 1 || r.SentWrong != 1 {
		t.Errorf("got %+v, want one sure finding, wrong and in a sent field, and one question", r)
	}
}

func TestHonorificsDoNotCount(t *testing.T) {
	m := Mark{Start: 5, Text: "Mr. and Mrs. Okoro", Type: "NAME"}
	if got := len(m.letters()); got != 5 {
		t.Errorf("got %d letters to mask, want those of the surname", got)
	}
}
