package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/btdt/evaluate"
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// marked writes a line back as it was, with what its marks hold.
func marked(l line) []string {
	var got []string
	for _, m := range l.marks {
		got = append(got, m.kind+":"+l.text[m.from:m.to])
	}
	return got
}

func TestParseLine(t *testing.T) {
	l, err := parseLine("steps: Ask [[NAME|Zoë]] of {{ORG|Marks & Spencer}} by {{DATE|May}}.")
	if err != nil {
		t.Fatal(err)
	}
	if l.field != "steps" || l.text != "Ask Zoë of Marks & Spencer by May." {
		t.Errorf("got field %q and text %q", l.field, l.text)
	}
	if diff := cmp.Diff([]string{"NAME:Zoë", "ORG:Marks & Spencer", "DATE:May"}, marked(l)); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
	if l.marks[0].keep || !l.marks[1].keep {
		t.Error("got what must go and what must stay confused")
	}
	for at, want := range map[int]string{0: "", 4: "NAME", 12: "ORG"} {
		if got := l.at(at); got != want {
			t.Errorf("byte %d: got %q, want %q", at, got, want)
		}
	}
}

// The text is folded and its marks move along.
func TestParseLineFolds(t *testing.T) {
	l, err := parseLine("outcome: Paid to [[NAME|Jose\u0301 O’Neil]] on\u00a0time")
	if err != nil {
		t.Fatal(err)
	}
	if got := marked(l); !slices.Equal(got, []string{"NAME:José O'Neil"}) {
		t.Errorf("got %q", got)
	}
}

func TestParseLineRefuses(t *testing.T) {
	for _, row := range []string{"no field", "two words: text", "steps: [[NAME|open", "steps: {{ORG}}", "steps: [[name|low]]", "steps: [[|x]]"} {
		if _, err := parseLine(row); err == nil {
			t.Errorf("%q: got no error", row)
		}
	}
}

func TestSampleLabels(t *testing.T) {
	l, err := parseLine("steps: Ask [[NAME|Ana Cruz]] at {{ORG|Wells Fargo}}, {{FORM|W-2}}.")
	if err != nil {
		t.Fatal(err)
	}
	want := []uint8{tag.Other, tag.NameFirst, tag.NameNext, tag.Other, tag.OrgFirst, tag.OrgNext, tag.Other, tag.Other}
	if got := l.sample().Labels; !slices.Equal(got[:len(want)], want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A fold leaves out every fifth line, and no other.
func TestFold(t *testing.T) {
	dir := t.TempDir()
	rows := "steps: one.\n# a remark\nsteps: three.\nsteps: four.\nsteps: five.\nsteps: six.\nsteps: seven.\n"
	if err := os.WriteFile(filepath.Join(dir, "en.txt"), []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func(old int) { fold = old }(fold)
	for f, want := range map[int]string{-1: "one.three.four.five.six.seven.", 2: "one.three.four.five.six.", 0: "one.three.four.six.seven."} {
		fold = f
		lines, err := readLines(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, l := range lines {
			got += l.text
		}
		if got != want {
			t.Errorf("fold %d: got %q, want %q", f, got, want)
		}
	}
	if lines, err := readLines(dir, []string{"en"}); err != nil || len(lines) > 0 {
		t.Errorf("got %d lines and %v, want none of the language left out", len(lines), err)
	}
}

func TestGoldOfLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.txt")
	row := "key_contacts: [[NAME|Zoë Lim]], {{ROLE|Clerk}}, SSN [[SSN|219-09-9999]]\n"
	if err := os.WriteFile(file, []byte(row), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func(old int) { fold = old }(fold)
	fold = -1
	var out bytes.Buffer
	if err := writeGold(&out, "", file, false); err != nil {
		t.Fatal(err)
	}
	examples, err := evaluate.Read(&out)
	if err != nil {
		t.Fatal(err)
	}
	e := examples[0]
	if len(e.Gold) != 2 || e.Gold[0].Text != "Zoë Lim" || e.Gold[1].Type != "NATIONAL_ID" || len(e.Keep) != 1 || e.Keep[0].Text != "Clerk" {
		b, _ := json.Marshal(e)
		t.Errorf("got %s", b)
	}
}

func TestGoldOfWholePlaybooks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "books.txt")
	text := "# lang de\ntitle: {{ORG|Allianz}} zahlt\nsteps: Ruf [[NAME|Zoë Lim]] an.\nsteps: Danke, [[NAME|Zoë]].\n\n\ntitle: Nothing else\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := writeGold(&out, "", file, true); err != nil {
		t.Fatal(err)
	}
	books, err := evaluate.Read(&out)
	if err != nil || len(books) != 2 {
		t.Fatalf("got %d playbooks and %v, want 2", len(books), err)
	}
	first := books[0]
	if first.Lang != "de" || bytes.Count(first.Playbook, []byte("Zoë")) != 2 || len(first.Gold) != 2 || first.Gold[1].Path != "steps[1]" || first.Gold[1].Text != "Zoë" {
		t.Errorf("got %+v", first)
	}
	if len(books[1].Gold) != 0 || !bytes.Contains(books[1].Playbook, []byte("Nothing else")) {
		t.Errorf("got %+v, want a clean one", books[1])
	}
}

// own are pools small enough to foresee.
func own() *pools {
	return &pools{given: []string{"Ada", "Liam"}, surname: []string{"Stone", "Okoro"}, city: []string{"Lyon"},
		firms: []string{"Wells Fargo"}, wordNames: []string{"Hope"}, random: rand.New(rand.NewPCG(1, 1))}
}

func TestExpand(t *testing.T) {
	g := grammar{"s": {"<a> <b>."}, "a": {"Ask [[NAME|$W]]"}, "b": {"at {{ORG|$B}}"}}
	p := own()
	text, err := p.expand(g, "<s>")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.fill(text), "Ask [[NAME|Hope]] at {{ORG|Wells Fargo}}."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, broken := range []string{"<none>", "<s"} {
		if _, err := p.expand(g, broken); err == nil {
			t.Errorf("%q: got no error", broken)
		}
	}
}

var symbolForm = regexp.MustCompile(`<([^>]*)>`)

// Every symbol of the grammars has choices and is reached from a start.
func TestGrammarIsWhole(t *testing.T) {
	g, err := readGrammar("lists")
	if err != nil {
		t.Fatal(err)
	}
	reached := map[string]bool{"$W": true}
	var visit func(symbol string)
	visit = func(symbol string) {
		if reached[symbol] {
			return
		}
		reached[symbol] = true
		if len(g[symbol]) == 0 {
			t.Errorf("%q: got no choices", symbol)
		}
		for _, choice := range g[symbol] {
			for _, m := range symbolForm.FindAllStringSubmatch(choice, -1) {
				visit(m[1])
			}
		}
	}
	for _, s := range sentences {
		visit(s.symbol)
	}
	for symbol := range g {
		if !reached[symbol] {
			t.Errorf("%q: got a symbol that nothing uses", symbol)
		}
	}
}

// Every choice of the grammars makes a line that can be read, and its marks
// begin and end with tokens.
func TestGrammarLines(t *testing.T) {
	g, err := readGrammar("lists")
	if err != nil {
		t.Fatal(err)
	}
	p := own()
	p.given, p.surname, p.city = pool("lists", "given.txt"), pool("lists", "surname.txt"), pool("lists", "city.txt")
	p.wordNames = g["$W"]
	for _, s := range sentences {
		for range 60 {
			text, err := p.expand(g, "<"+s.symbol+">")
			if err != nil {
				t.Fatal(err)
			}
			l, err := parseLine(p.fill(text))
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if strings.ContainsAny(l.text, "<>$|") {
				t.Errorf("%q: got something left over", l.text)
			}
			for _, m := range l.marks {
				if m.from >= m.to {
					t.Errorf("%q: got an empty mark", l.text)
				}
			}
			if up := p.restyled(l); len(up.text) != len(l.text) {
				t.Errorf("%q: got another length in another style", l.text)
			}
		}
	}
}

// Copies have other names in the same places.
func TestRenamed(t *testing.T) {
	l, err := parseLine("steps: Ask [[NAME|Maria Johnson]] of {{ORG|Wells Fargo}} twice.")
	if err != nil {
		t.Fatal(err)
	}
	p := own()
	for range 50 {
		v, changed := p.renamed(l)
		if !changed || len(v.marks) != 2 || v.marks[0].kind != "NAME" {
			t.Fatalf("got %q with %q", v.text, marked(v))
		}
		if name := v.text[v.marks[0].from:v.marks[0].to]; strings.Contains(name, "Maria") || strings.Contains(name, "Johnson") {
			t.Errorf("got the old name %q", name)
		}
		if !strings.HasPrefix(v.text, "Ask ") || !strings.HasSuffix(v.text, " twice.") {
			t.Errorf("got %q around the marks", v.text)
		}
	}
}

func TestReadTerms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "terms.txt")
	if err := os.WriteFile(file, []byte("# a remark\n[org]\nAcme, Big Bank\n[say]\nsaid\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := readTerms(file, func(term, section string) error {
		got = append(got, section+":"+term)
		return nil
	})
	if diff := cmp.Diff([]string{"org:Acme", "org:Big Bank", "say:said"}, got); err != nil || diff != "" {
		t.Errorf("got %v (-want +got):\n%s", err, diff)
	}
}

// A phrase is found by its whole key, its first word says that one starts.
func TestLexiconPhrase(t *testing.T) {
	l := &lexicon{flags: map[uint64]lex.Flags{}}
	l.phrase("Big Bank", lex.Org)
	l.phrase("bank", lex.OrgWord)
	if l.flags[lex.Key("big")] != lex.Start || l.flags[lex.Join(lex.Key("big"), lex.Key("bank"))] != lex.Org || l.flags[lex.Key("bank")] != lex.OrgWord {
		t.Errorf("got %v", l.flags)
	}
	if _, err := lex.Build(l.flags, l.keys); err != nil {
		t.Error(err)
	}
}

// Words that lines write small outside of marks are ordinary; what is marked as
// an organisation is known by its whole name, unless a person has it too.
func TestLexiconOfLines(t *testing.T) {
	var lines []line
	for _, row := range []string{"steps: the gizmo broke", "steps: a gizmo of {{ORG|Zorbo}} and {{ORG|Ada}}", "steps: [[NAME|Ada]] has it"} {
		l, err := parseLine(row)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	l := &lexicon{flags: map[uint64]lex.Flags{}}
	l.ordinary(lines)
	l.seen(lines)
	for word, want := range map[string]lex.Flags{"gizmo": lex.Foreign, "broke": 0, "Zorbo": lex.Seen, "Ada": 0} {
		if got := l.flags[lex.Key(word)]; got != want {
			t.Errorf("%s: got %b, want %b", word, got, want)
		}
	}
}

// The committed word table is the one that the lists make.
func TestWordTableIsCurrent(t *testing.T) {
	defer func(old int) { fold = old }(fold)
	fold = -1
	lines, err := readLines("data", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := buildLexicon("lists", lines)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../lex/lexicon.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("got another table than lexicon.bin: run go generate ./netkit/btdt")
	}
}

func TestForeignAddresses(t *testing.T) {
	p := own()
	for variable, want := range map[byte]string{'D': "Lyon", 'F': "rue ", 'E': "calle ", 'I': "via ", 'H': " AB ", 'P': "ul. "} {
		if got := p.value(variable); !strings.Contains(got, want) || !strings.ContainsAny(got, "0123456789") {
			t.Errorf("$%c: got %q, want %q and a number in it", variable, got, want)
		}
	}
}
