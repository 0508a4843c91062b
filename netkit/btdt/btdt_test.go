package btdt

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// good is a valid playbook; each call gives a fresh one.
func good() Playbook {
	return Playbook{
		Title:         "Denied water damage claim paid after appeal",
		Category:      "insurance",
		SubCategory:   "claim_denied",
		Jurisdiction:  "US",
		Region:        "Ohio",
		Entity:        "a regional home insurer",
		Status:        "RESOLVED",
		Outcome:       "The claim was paid in full.",
		Steps:         []string{"Asked for the denial in writing.", "Appealed within 30 days."},
		KeyContacts:   []string{"appeals department"},
		LegalLevers:   []string{"Ohio Admin. Code 3901-1-54"},
		TimeTakenDays: 41,
		WhatFailed:    []string{"Calling the hotline."},
	}
}

// file lays p out as a person would.
func file(t *testing.T, p Playbook) string {
	t.Helper()
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestParseReadsWhatItWrites(t *testing.T) {
	got, err := Parse([]byte(file(t, good())))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(good(), got); diff != "" {
		t.Errorf("playbook differs (-want +got):\n%s", diff)
	}
	again, err := Parse(got.Canonical())
	if err != nil {
		t.Fatal(err)
	}
	if again.SHA256() != got.SHA256() {
		t.Error("the canonical form read back has another hash")
	}
}

func TestParseTakesTextForList(t *testing.T) {
	p := good()
	want := p.SHA256()
	text := strings.Replace(file(t, p), "[\n    \"Calling the hotline.\"\n  ]", `"Calling the hotline."`, 1)
	got, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got.SHA256() != want {
		t.Error("a text and a list of that text hash differently")
	}
}

func TestCanonicalForm(t *testing.T) {
	p := Playbook{Title: "Cafe\u0301 <b> & co", Steps: []string{"one"}, TimeTakenDays: 3}
	want := `{"title":"Café <b> & co","category":"","sub_category":"","jurisdiction":"","region":"","entity":"",` +
		`"status":"","outcome":"","steps":["one"],"key_contacts":[],"legal_levers":[],"time_taken_days":3,"what_failed":[]}`
	if got := string(p.Canonical()); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if p.Title != "Cafe\u0301 <b> & co" || p.KeyContacts != nil {
		t.Error("Canonical changed its receiver")
	}
	q := p
	q.Title = "Café <b> & co"
	q.WhatFailed = []string{}
	if p.SHA256() != q.SHA256() {
		t.Error("equal texts in NFC and NFD hash differently")
	}
}

// bad files: the text replaces old by new in a good file; the error must name
// the path, the place and the cure.
var badFiles = []struct {
	name, old, new string
	path           string
	line, column   int
	what           string
}{
	{"unknown field", `"region"`, `"regoin"`, "", 6, 3, `unknown field "regoin"; did you mean "region"?`},
	{"escaped twin", `"region"`, `"ti\u0074le"`, "title", 6, 3, "given twice; keep one"},
	{"missing field", `"status": "RESOLVED",`, ``, "status", 1, 1, "is missing; add it"},
	{"missing days", `"time_taken_days": 41,`, ``, "time_taken_days", 1, 1, "is missing"},
	{"number for text", `"Ohio"`, `7`, "region", 6, 13, "is not a text; write it in double quotes"},
	{"null for text", `"Ohio"`, `null`, "region", 6, 13, "is not a text"},
	{"object for text", `"Ohio"`, `{"a":[{}]}`, "region", 6, 13, "is not a text"},
	{"text for steps", "[\n    \"Asked for the denial in writing.\",\n    \"Appealed within 30 days.\"\n  ]", `"one"`, "steps", 10, 12, "is not a list"},
	{"object for list", "[\n    \"appeals department\"\n  ]", `{}`, "key_contacts", 14, 19, "is not a list"},
	{"number in list", `"Appealed within 30 days."`, `5`, "steps[1]", 12, 5, "is not a text"},
	{"list in list", `"Appealed within 30 days."`, `["x"]`, "steps[1]", 12, 5, "is not a text"},
	{"days as text", `41`, `"41"`, "time_taken_days", 20, 22, "is not a whole number"},
	{"days with fraction", `41`, `41.0`, "time_taken_days", 20, 22, "is not a whole number"},
	{"days as list", `41`, `[41]`, "time_taken_days", 20, 22, "is not a whole number"},
	{"days beyond int64", `41`, `99999999999999999999`, "time_taken_days", 20, 22, "is not a whole number"},
	{"negative days", `41`, `-1`, "time_taken_days", 20, 22, "is outside 0 to 36500"},
	{"phone as days", `41`, `5550187`, "time_taken_days", 20, 22, "is outside 0 to 36500"},
	{"half a pair", `"Ohio"`, `"a\\\ud83d"`, "", 6, 17, "half a surrogate pair"},
	{"pair in wrong order", `"Ohio"`, `"\ude00\ud83d"`, "", 6, 14, "half a surrogate pair"},
	{"control character", `"Ohio"`, `"a\u0000"`, "region", 6, 13, "control character U+0000"},
	{"blank title", `"Denied water damage claim paid after appeal"`, `" \n"`, "title", 2, 12, "is empty; fill it in"},
	{"title with a line separator", `water damage`, "water\u2028damage", "title", 2, 12, "more than one line"},
	{"title on two lines", `water damage`, `water\ndamage`, "title", 2, 12, "more than one line"},
	{"long title", `water damage`, strings.Repeat("é", 200), "title", 2, 12, "at most 200 are allowed; shorten it"},
	{"category", `"insurance"`, `"insurence"`, "category", 3, 15, `not a known category; did you mean "insurance"?`},
	{"far category", `"insurance"`, `"cooking"`, "category", 3, 15, `use one of healthcare, legal`},
	{"sub_category", `claim_denied`, `claim denied!`, "sub_category", 4, 19, "is not a label"},
	{"jurisdiction", `"US"`, `"Ohio, United States"`, "jurisdiction", 5, 19, "not a country or union code"},
	{"status", `"RESOLVED"`, `"OPEN"`, "status", 8, 13, "is not RESOLVED"},
	{"empty step", `"Appealed within 30 days."`, `""`, "steps[1]", 12, 5, "is empty"},
	{"bad text for list", "[\n    \"Calling the hotline.\"\n  ]", `"\u0007"`, "what_failed[0]", 21, 18, "control character"},
	{"bad UTF-8", `Ohio`, "Ohé\xff", "", 6, 17, "not valid UTF-8"},
	{"no comma", `"Ohio",`, `"Ohio"`, "", 7, 3, "not valid JSON"},
	{"cut off", "\n}", ``, "", 23, 4, "expected"},
	{"trailing data", "\n}", "\n}\n{}", "", 25, 1, "not valid JSON"},
	{"byte order mark", "{\n  \"title\"", "\xef\xbb\xbf{\n  \"title\"", "", 1, 1, "without BOM"},
	{"too deep", `"Ohio"`, strings.Repeat("[", 20000) + strings.Repeat("]", 20000), "", 6, 45, "nested too deep"},
}

func TestParseRefuses(t *testing.T) {
	base := file(t, good())
	for _, c := range badFiles {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(base, c.old) {
				t.Fatalf("the good file does not hold %q", c.old)
			}
			_, err := Parse([]byte(strings.Replace(base, c.old, c.new, 1)))
			var p *Problem
			if !errors.As(err, &p) {
				t.Fatalf("got error %v, want a *Problem", err)
			}
			if p.Path != c.path || p.Line != c.line || p.Column != c.column {
				t.Errorf("got %q at %d:%d, want %q at %d:%d", p.Path, p.Line, p.Column, c.path, c.line, c.column)
			}
			if !strings.Contains(p.Error(), c.what) {
				t.Errorf("got %q, want it to say %q", p, c.what)
			}
		})
	}
}

func TestParseRefusesWholeFiles(t *testing.T) {
	for name, c := range map[string]struct{ data, what string }{
		"empty":     {"", "the file is empty"},
		"blank":     {" \n\t", "the file is empty"},
		"null":      {"null", "is not a JSON object"},
		"list":      {"[]", "is not a JSON object"},
		"text":      {`"x"`, "is not a JSON object"},
		"too large": {strings.Repeat(" ", MaxFileBytes+1), "more than the 10485760 bytes"},
	} {
		if _, err := Parse([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.what) {
			t.Errorf("%s: got %v, want an error that says %q", name, err, c.what)
		}
	}
}

func TestParseNamesEveryProblem(t *testing.T) {
	_, err := Parse([]byte(`{"titel":"x","steps":[1,2],"category":7}`))
	for _, want := range []string{`"titel"`, "steps[0]", "steps[1]", "category", "time_taken_days", "title "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to name %s", err, want)
		}
	}
}

// A hostile file must not make the answer as long as itself.
func TestParseBoundsItsAnswer(t *testing.T) {
	_, err := Parse([]byte(`{` + strings.Repeat(`"xxxxxxx":1,`, 500_000) + `"y":1}`))
	if err == nil || len(err.Error()) > 20_000 {
		t.Errorf("got %d bytes of error, want some, at most 20000", len(err.Error()))
	}
}

func TestErrorsNeverRepeatValues(t *testing.T) {
	_, err := Parse([]byte(strings.Replace(file(t, good()), `"insurance"`, `"jane.roe"`, 1)))
	if err == nil || strings.Contains(err.Error(), "jane") {
		t.Errorf("got %v, want an error without the value", err)
	}
}

func TestValidateJoinsAll(t *testing.T) {
	p := good()
	p.Title, p.Steps, p.TimeTakenDays = "", nil, -1
	p.KeyContacts = make([]string, MaxListed+1)
	p.LegalLevers = []string{"bad \xff"}
	err := p.Validate()
	for _, want := range []string{"title is empty", "steps is empty", "time_taken_days is outside",
		"key_contacts has 101 entries", "legal_levers[0] is not valid UTF-8"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
	q := good()
	if err := q.Validate(); err != nil {
		t.Errorf("a good playbook: %v", err)
	}
}

// Region and entity may be empty, and lengths count letters, not bytes.
func TestValidateAccepts(t *testing.T) {
	p := good()
	p.Region, p.Entity, p.KeyContacts, p.WhatFailed = "", "", nil, nil
	p.Title = strings.Repeat("e\u0301", MaxTitle)
	p.Jurisdiction = "EU"
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	for _, c := range categories {
		p.Category = c
		if err := p.Validate(); err != nil {
			t.Errorf("category %s: %v", c, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	p := good()
	f.Add(p.Canonical())
	for _, c := range badFiles[:20] {
		f.Add([]byte(strings.Replace(string(p.Canonical()), c.old, c.new, 1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse(data)
		if err != nil {
			var bad *Problem
			if !errors.As(err, &bad) || bad.Line < 1 || bad.Column < 1 || bad.What == "" {
				t.Fatalf("error without place: %#v", err)
			}
			return
		}
		if err := p.Validate(); err != nil {
			t.Fatalf("parsed but not valid: %v", err)
		}
		again, err := Parse(p.Canonical())
		if err != nil {
			t.Fatalf("canonical form not read back: %v", err)
		}
		if string(again.Canonical()) != string(p.Canonical()) {
			t.Fatal("the canonical form is not a fixed point")
		}
	})
}
