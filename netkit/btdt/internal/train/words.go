package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// plainLists hold a word or phrase a line, in all files of a pattern.
var plainLists = []struct {
	files string
	class lex.Flags
}{
	{"given*.txt", lex.Given}, {"surname*.txt", lex.Surname}, {"city.txt", lex.Place},
	{"english.txt", lex.English}, {"words.txt", lex.Anywhere},
	{"german*.txt", lex.German}, {"italian*.txt", lex.Italian}, {"portuguese.txt", lex.Portuguese}, {"french.txt", lex.French}, {"spanish.txt", lex.Spanish}, {"dutch.txt", lex.Dutch}, {"polish.txt", lex.Polish},
}

// wordList collects classes by key; keys keep the order of their first use, which
// makes the table the same on every machine.
type wordList struct {
	classes map[uint64]lex.Flags
	keys    []uint64
}

func (l *wordList) add(key uint64, f lex.Flags) {
	if _, seen := l.classes[key]; !seen {
		l.keys = append(l.keys, key)
	}
	l.classes[key] |= f
}

// phrase adds a word, or all words of a phrase and its start.
func (l *wordList) phrase(text string, f lex.Flags) {
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

// longestWord is how many bytes an ordinary word of the table has at most: of longer
// ones the endings tell.
const longestWord = 11

// buildWords reads every list and class, and the lower-case words of the training
// lines.
func buildWords(classes, lists string, lines []line) ([]byte, error) {
	l := &wordList{classes: map[uint64]lex.Flags{}}
	for _, list := range plainLists {
		files, err := filepath.Glob(filepath.Join(lists, list.files))
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("no list %s below %s: %w", list.files, lists, err)
		}
		for _, file := range files {
			words, err := readList(file)
			if err != nil {
				return nil, err
			}
			for _, w := range words {
				if list.class&lex.Languages == 0 || len(w) <= longestWord {
					l.phrase(w, list.class)
				}
			}
		}
	}
	err := eachTerm(classes, func(t term) {
		for _, form := range formsOf(t.lang, t.class)(t.text) {
			l.phrase(form, t.class)
		}
	})
	if err != nil {
		return nil, err
	}
	l.ordinary(lines)
	return lex.Build(l.classes, l.keys)
}

// readList reads a word a line.
func readList(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var words []string
	for w := range strings.Lines(string(data)) {
		if w = strings.TrimSpace(w); w != "" && w[0] != '#' {
			words = append(words, w)
		}
	}
	return words, nil
}

// term is a word or phrase of a class.
type term struct {
	class lex.Flags
	lang  string
	text  string
}

// eachTerm gives every term of the files of classes, rows of class, language and
// terms with commas between.
func eachTerm(dir string, use func(term)) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
	if err != nil {
		return err
	}
	for _, file := range files {
		rows, err := readList(file)
		if err != nil {
			return err
		}
		for _, row := range rows {
			cells := strings.Split(row, "\t")
			if len(cells) != 3 || lex.Class(cells[0]) == 0 {
				return fmt.Errorf("%s: want a class, a language and words, got %q", file, row)
			}
			for text := range strings.SplitSeq(cells[2], ",") {
				use(term{lex.Class(cells[0]), cells[1], strings.TrimSpace(text)})
			}
		}
	}
	return nil
}

// ordinary adds words that the training lines write in lower case outside of any
// marked part at least twice, German ones with a capital too: they are ordinary
// words of the language of their file.
func (l *wordList) ordinary(lines []line) {
	type word struct {
		key  uint64
		lang lex.Flags
	}
	count := map[word]int{}
	var order []word
	for _, x := range lines {
		for _, t := range lex.Split(x.text, nil) {
			lang := x.language()
			if t.Kind == lex.Letters && (t.Case == lex.Lower || t.Case == lex.Capital && lang == lex.German) && x.at(t.From) == "" {
				w := word{t.Key, lang}
				if count[w]++; count[w] == 2 {
					order = append(order, w)
				}
			}
		}
	}
	slices.SortFunc(order, func(a, b word) int {
		if a.key < b.key || a.key == b.key && a.lang < b.lang {
			return -1
		}
		return 1
	})
	for _, w := range order {
		l.add(w.key, w.lang)
	}
}

// language is that of the file of a line, as its name tells.
func (l line) language() lex.Flags {
	for part := range strings.SplitSeq(l.lang, "-") {
		if c := lex.Class(part); c&lex.Languages != 0 {
			return c
		}
	}
	return lex.Anywhere
}
