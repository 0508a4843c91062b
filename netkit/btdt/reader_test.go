package btdt

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/spelling"
)

// slowPlace counts as a person would.
func slowPlace(data string, offset int) (line, column int) {
	line, column = 1, 1
	for i, r := range data {
		if i >= offset {
			break
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}

func TestPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.StringOf(rapid.RuneFrom([]rune("aé😀\n\r\t"))).Draw(t, "data")
		at := rapid.IntRange(0, len([]rune(data))).Draw(t, "code points before")
		offset := len(string([]rune(data)[:at]))
		line, column := place([]byte(data), offset)
		wantLine, wantColumn := slowPlace(data, offset)
		if line != wantLine || column != wantColumn {
			t.Fatalf("got %d:%d, want %d:%d", line, column, wantLine, wantColumn)
		}
	})
	for _, offset := range []int{-5, 99} { // beyond both ends: the nearest place
		if line, column := place([]byte("a\nb"), offset); line < 1 || column < 1 || line > 2 {
			t.Errorf("offset %d: got %d:%d", offset, line, column)
		}
	}
}

// slowDistance is the recursive definition.
func slowDistance(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	cost := 1
	if a[0] == b[0] {
		cost = 0
	}
	return min(slowDistance(a[1:], b[1:])+cost, slowDistance(a[1:], b)+1, slowDistance(a, b[1:])+1)
}

func TestDistance(t *testing.T) {
	word := rapid.StringMatching(`[abc]{0,5}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := spelling.Distance(a, b), slowDistance(a, b); got != want {
			t.Fatalf("%q to %q: got %d, want %d", a, b, got, want)
		}
	})
}

func TestMeant(t *testing.T) {
	for word, want := range map[string]string{
		"tittle":                    `did you mean "title"?`,
		"Steps":                     `did you mean "steps"?`,
		"time_taken_day":            `did you mean "time_taken_days"?`,
		"author":                    "use one of ",
		strings.Repeat("x", 10_000): "use one of ",
	} {
		if got := meant(word, fieldNames()); !strings.HasPrefix(got, want) {
			t.Errorf("%.20s: got %q, want %q", word, got, want)
		}
	}
}

func TestProblemText(t *testing.T) {
	for want, p := range map[string]Problem{
		"btdt: title (line 2, column 3) is empty; fill it in": {"title", 2, 3, "is empty", "fill it in"},
		"btdt: title is empty; fill it in":                    {"title", 0, 0, "is empty", "fill it in"},
		"btdt: (line 1, column 1) the file is odd":            {"", 1, 1, "the file is odd", ""},
	} {
		if got := p.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// text draws words in letters that NFC changes and letters that JSON escapes.
func text(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		words := rapid.SliceOfN(rapid.StringOfN(rapid.RuneFrom([]rune("aeé\u0301\"\\<&😀\u00a0ſ")), 1, 8, -1), 1, most).Draw(t, "words")
		return "w " + strings.Join(words, " ")
	})
}

func anyPlaybook(t *rapid.T) Playbook {
	list := rapid.SliceOfN(text(6), 0, 4)
	return Playbook{
		Title: text(9).Draw(t, "title"), Category: rapid.SampledFrom(categories).Draw(t, "category"),
		SubCategory: "kind", Jurisdiction: "EU", Region: text(3).Draw(t, "region"), Entity: "",
		Status: StatusResolved, Outcome: text(9).Draw(t, "outcome"),
		Steps:       rapid.SliceOfN(text(9), 1, 5).Draw(t, "steps"),
		KeyContacts: list.Draw(t, "contacts"), LegalLevers: list.Draw(t, "levers"),
		TimeTakenDays: rapid.IntRange(0, MaxDays).Draw(t, "days"), WhatFailed: list.Draw(t, "failed"),
	}
}

// However a file is laid out, the same case has the same canonical form: fields
// in any order, indented, escaped or decomposed.
func TestLayoutDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlaybook(t)
		want := string(p.Canonical())
		got, err := Parse([]byte(otherLayout(t, p)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got.Canonical())); diff != "" {
			t.Fatalf("canonical form differs (-want +got):\n%s", diff)
		}
	})
}

// otherLayout writes p with its fields shuffled, in NFD and spread over lines.
func otherLayout(t *rapid.T, p Playbook) string {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(p.Canonical(), &fields); err != nil {
		t.Fatal(err)
	}
	names := fieldNames()
	seed := rapid.Uint64().Draw(t, "seed")
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteString(" ,\n\t")
		}
		b.WriteString(`"` + name + `" : ` + norm.NFD.String(string(fields[name])))
	}
	return "\r\n {" + b.String() + "} \n"
}

// Two cases that differ in one field never share a hash.
func TestEveryFieldIsHashed(t *testing.T) {
	base := good()
	seen := map[[32]byte]string{base.SHA256(): "base"}
	add := func(name string, p Playbook) {
		if twin, ok := seen[p.SHA256()]; ok {
			t.Errorf("changing %s gives the hash of %s", name, twin)
		}
		seen[p.SHA256()] = name
	}
	for _, f := range textFields {
		p := good()
		*f.at(&p) += "x"
		add(f.name, p)
	}
	for _, f := range listFields {
		p := good()
		*f.at(&p) = append(*f.at(&p), "x")
		add(f.name, p)
	}
	p := good()
	p.TimeTakenDays++
	add(daysField, p)
}

// At each limit a file passes, and one beyond it does not.
func TestLimits(t *testing.T) {
	for _, f := range textFields {
		if f.max == 0 {
			continue
		}
		p := good()
		*f.at(&p) = strings.Repeat("x", f.max)
		if err := p.Validate(); err != nil {
			t.Errorf("%s of %d: %v", f.name, f.max, err)
		}
		*f.at(&p) += "x"
		if err := p.Validate(); err == nil {
			t.Errorf("%s of %d: got no error", f.name, f.max+1)
		}
	}
	for _, f := range listFields {
		p := good()
		full := make([]string, f.items)
		for i := range full {
			full[i] = strings.Repeat("x", f.max)
		}
		*f.at(&p) = full
		if err := p.Validate(); err != nil {
			t.Errorf("%s of %d: %v", f.name, f.items, err)
		}
		*f.at(&p) = append(full, "x")
		if err := p.Validate(); err == nil {
			t.Errorf("%s of %d: got no error", f.name, f.items+1)
		}
		if data, err := json.Marshal(p); err != nil {
			t.Error(err)
		} else if _, err := Parse(data); err == nil || !strings.Contains(err.Error(), f.name+" (line 1") {
			t.Errorf("%s read: got %v, want its place", f.name, err)
		}
		full[0] += "x"
		*f.at(&p) = full
		if err := p.Validate(); err == nil {
			t.Errorf("%s with an entry of %d: got no error", f.name, f.max+1)
		}
	}
	p := good()
	for _, p.TimeTakenDays = range []int{0, MaxDays} {
		if err := p.Validate(); err != nil {
			t.Errorf("%d days: %v", p.TimeTakenDays, err)
		}
	}
}

func TestLocate(t *testing.T) {
	place := Locate([]byte("{\"region\":\n\"x\\u00e9\\ud83d\\ude00\\\"y\", \"time_taken_days\": 3, \"steps\": [\n\"one\",\n\t\"tw\u00f6!\"], \"what_failed\":\n \"end\"}"))
	for _, c := range []struct {
		path         string
		point        int
		line, column int
	}{
		{"region", 0, 2, 2}, {"region", 1, 2, 3}, {"region", 2, 2, 9}, {"region", 3, 2, 21}, {"region", 4, 2, 23},
		{"steps[0]", 2, 3, 4}, {"steps[1]", 0, 4, 3}, {"steps[1]", 3, 4, 6}, {"what_failed", 0, 5, 3},
		{"what_failed[0]", 0, 5, 3}, // one text counts as a list of one
		{"steps[1]", 99, 4, 7},      // never beyond the text
		{"missing", 3, 1, 1},
	} {
		if line, column := place(c.path, c.point); line != c.line || column != c.column {
			t.Errorf("%s point %d: got %d:%d, want %d:%d", c.path, c.point, line, column, c.line, c.column)
		}
	}
}
