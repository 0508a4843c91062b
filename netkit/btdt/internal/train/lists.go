package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// sections are the headings of the term lists and what they make of a word.
var sections = map[string]lex.Flags{
	"org": lex.Org, "orgword": lex.OrgWord, "law": lex.Law, "lawword": lex.LawWord,
	"role": lex.Role, "month": lex.Month, "keep": lex.Keep, "street": lex.Street,
	"title": lex.Title, "kin": lex.Kin, "ill": lex.Ill, "care": lex.Care, "foreign": lex.Foreign, "seen": lex.Seen,
	"part": lex.Part, "act": lex.Act, "hurt": lex.Hurt, "mark": lex.Mark, "lab": lex.Lab, "place": lex.Place, "say": lex.Say,
	"german": lex.German | lex.Noun, "french": lex.French, "spanish": lex.Spanish, "portuguese": lex.Portuguese, "italian": lex.Italian, "dutch": lex.Dutch, "polish": lex.Polish,
}

// plainLists hold a word or phrase a line, in all files of a pattern.
var plainLists = []struct {
	files string
	flag  lex.Flags
}{
	{"given*.txt", lex.Given}, {"surname*.txt", lex.Surname}, {"city.txt", lex.Place},
	{"english.txt", lex.Word}, {"words.txt", lex.Foreign},
	{"german.txt", lex.German | lex.Noun}, {"german-common.txt", lex.German}, {"french.txt", lex.French}, {"spanish.txt", lex.Spanish},
	{"portuguese.txt", lex.Portuguese}, {"italian.txt", lex.Italian}, {"dutch.txt", lex.Dutch}, {"polish.txt", lex.Polish},
}

// termLists hold terms under headings.
var termLists = []string{"terms.txt", "brands.txt", "world.txt", "firms.txt"}

// wholeNames are term lists for the word table alone: the labelled lines are not
// varied by them, so that they grow without moving the weights.
const wholeNames = "*-more.txt"

// lexicon collects flags by key; keys keep the order of their first use, which
// makes the table the same on every machine.
type lexicon struct {
	flags map[uint64]lex.Flags
	keys  []uint64
}

func (l *lexicon) add(key uint64, f lex.Flags) {
	if _, seen := l.flags[key]; !seen {
		l.keys = append(l.keys, key)
	}
	l.flags[key] |= f
}

// phrase adds a word, or all words of a phrase and its start.
func (l *lexicon) phrase(text string, f lex.Flags) {
	tokens := lex.Split(lex.Fold(text).S, nil)
	if len(tokens) == 0 {
		return
	}
	key := tokens[0].Key
	if len(tokens) == 1 {
		l.add(key, f)
		return
	}
	l.add(key, lex.Start)
	for _, t := range tokens[1:] {
		key = lex.Join(key, t.Key)
	}
	l.add(key, f)
}

// buildLexicon reads every list below dir and the lower-case words of the
// training lines.
func buildLexicon(dir string, lines []line) ([]byte, error) {
	l := &lexicon{flags: map[uint64]lex.Flags{}}
	for _, list := range plainLists {
		if err := l.words(dir, list.files, list.flag); err != nil {
			return nil, err
		}
	}
	files, err := termFiles(dir)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := l.terms(file); err != nil {
			return nil, err
		}
	}
	l.ordinary(lines)
	l.seen(lines)
	return lex.Build(l.flags, l.keys)
}

// words adds the words of all files of a pattern.
func (l *lexicon) words(dir, pattern string, flag lex.Flags) error {
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no list %s below %s: %w", pattern, dir, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for word := range strings.Lines(string(data)) {
			if word = strings.TrimSpace(word); word != "" && word[0] != '#' {
				l.phrase(word, flag)
			}
		}
	}
	return nil
}

// termFiles are all lists with headings.
func termFiles(dir string) ([]string, error) {
	medical, err := filepath.Glob(filepath.Join(dir, "medical*.txt"))
	if err != nil {
		return nil, err
	}
	whole, err := filepath.Glob(filepath.Join(dir, wholeNames))
	if err != nil {
		return nil, err
	}
	for _, file := range termLists {
		medical = append(medical, filepath.Join(dir, file))
	}
	return slices.Concat(medical, whole), nil
}

func (l *lexicon) terms(path string) error {
	forms := formsOf(filepath.Base(path))
	whole, _ := filepath.Match(wholeNames, filepath.Base(path))
	return readTerms(path, func(term, section string) error {
		flag, known := sections[section]
		if !known {
			return fmt.Errorf("%s: unknown section %q", path, section)
		}
		for _, form := range forms(term) {
			if whole && flag&(lex.Seen|lex.Org|lex.Law|lex.Keep) != 0 && l.flags[lex.Key(form)]&(lex.Given|lex.Surname) != 0 {
				continue // of one word that is a name too, its neighbours tell more
			}
			l.phrase(form, flag)
		}
		return nil
	})
}

// readTerms gives every term of a list with the heading it stands under.
func readTerms(path string, use func(term, section string) error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	section := ""
	for row := range strings.Lines(string(data)) {
		row = strings.TrimSpace(row)
		switch {
		case row == "" || row[0] == '#':
			continue
		case row[0] == '[':
			section = strings.Trim(row, "[]")
			continue
		}
		for term := range strings.SplitSeq(row, ",") {
			if err := use(strings.TrimSpace(term), section); err != nil {
				return err
			}
		}
	}
	return nil
}

// ordinary adds words that the training lines write in lower case outside of
// any marked part at least twice: they are no names.
func (l *lexicon) ordinary(lines []line) {
	count := map[uint64]int{}
	var order []uint64
	for _, x := range lines {
		for _, t := range lex.Split(x.text, nil) {
			if t.Kind == lex.Letters && t.Case == lex.Lower && x.at(t.From) == "" {
				if count[t.Key]++; count[t.Key] == 2 {
					order = append(order, t.Key)
				}
			}
		}
	}
	slices.Sort(order)
	for _, key := range order {
		l.add(key, lex.Foreign)
	}
}

// seen adds the organisations, laws and places that are marked in the training
// lines, unless a person is marked by the same words.
func (l *lexicon) seen(lines []line) {
	people := map[string]bool{}
	for _, x := range lines {
		for _, m := range x.marks {
			if m.kind == "NAME" {
				for w := range strings.FieldsSeq(x.text[m.from:m.to]) {
					people[strings.ToLower(w)] = true
				}
			}
		}
	}
	for _, x := range lines {
		for _, m := range x.marks {
			text := x.text[m.from:m.to]
			switch m.kind {
			case "MEDICAL":
				l.sick(text)
			case "ORG", "REGULATOR", "PRODUCT", "LAW", "CASELAW", "LOC":
				if len(text) > 2 && !people[strings.ToLower(text)] {
					l.phrase(text, lex.Seen)
				}
			}
		}
	}
}

// helping are the verbs, pronouns and articles that a mark may begin with.
const helping = " the an my his her ha ho hai hanno avuto un una uno il lo la le les l mi si se hat hatte habe haben ein eine einen den die das dem ai avait ont eu une des ma mon sa son had has have having is was are war ist est était era è é foi tiene tenía tem tinha teve os as o jest był była ma miał miała heeft de het een "

// sick adds a condition or treatment as it is marked, and those of its words
// that no list of ordinary words knows.
func (l *lexicon) sick(text string) {
	tokens := lex.Split(text, nil)
	for _, t := range tokens {
		if t.Kind != lex.Letters {
			return // amounts and dates belong to one case
		}
	}
	for len(tokens) > 1 && strings.Contains(helping, " "+strings.ToLower(text[tokens[0].From:tokens[0].To])+" ") {
		tokens = tokens[1:] // a mark may take in the verb, an ailment has none
	}
	text = text[tokens[0].From:]
	const sorted = lex.Part | lex.Act | lex.Hurt | lex.Mark | lex.Lab | lex.Word // "back", "repair" and "hearing" need other words beside them
	if len(tokens) <= 4 && (len(tokens) > 1 || len(text) > 3 && l.flags[lex.Key(text)]&sorted == 0) {
		l.phrase(text, lex.Sick)
	}
	for _, t := range tokens {
		if t.To-t.From >= 7 && l.flags[t.Key]&(lex.Word|lex.Foreign|lex.Given|lex.Surname|lex.Place|lex.Kin|lex.Role|lex.OrgWord) == 0 {
			l.add(t.Key, lex.Sick)
		}
	}
}
