package main

import (
	"bufio"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// dictionary is a word list of Debian packages, unpacked side by side by lists.sh.
type dictionary struct {
	file  string   // what it becomes below lists
	from  []string // plain lists, dictionaries of hunspell or folders of pages, below that of packages
	lang  lex.Flags
	heads int // how many first letters a word shares with one of the training lines, 0 to take all
}

var dictionaries = []dictionary{
	{"english.txt", []string{"usr/share/dict/american-english", "usr/share/dict/british-english"}, lex.English, 0},
	{"french.txt", []string{"usr/share/hunspell/fr.dic"}, lex.French, 5},
	{"spanish.txt", []string{"usr/share/hunspell/es_ES.dic"}, lex.Spanish, 5},
	{"german-help.txt", []string{"usr/share/libreoffice/help/de"}, lex.German, 0},
	{"italian-help.txt", []string{"usr/share/libreoffice/help/it"}, lex.Italian, 0},
	{"portuguese.txt", []string{"usr/share/dict/portuguese"}, lex.Portuguese, 5},
	{"dutch.txt", []string{"usr/share/dict/dutch"}, lex.Dutch, 4},
	{"polish.txt", []string{"usr/share/dict/polish"}, lex.Polish, 5},
}

// makeLists writes the lists of ordinary words from the packages unpacked in a
// folder: words in small letters, short enough for the table, that begin like one
// of the training lines of their language, since rare words would fill the table.
func makeLists(packages string) error {
	lines, err := readLines("data")
	if err != nil {
		return err
	}
	for _, d := range dictionaries {
		words := map[string]bool{}
		heads := d.headsOf(lines)
		for _, from := range d.from {
			err := eachForm(filepath.Join(packages, from), func(w string) {
				if d.lang == lex.German {
					w = strings.ToLower(w) // nouns have a capital
				}
				if ordinaryForm(w) && (d.heads == 0 || heads[lex.Key(head(w, d.heads))]) {
					words[w] = true
				}
			})
			if err != nil {
				return err
			}
		}
		sorted := slices.Sorted(maps.Keys(words))
		fmt.Fprintf(os.Stderr, "train: %s: %d words\n", d.file, len(sorted))
		if err := os.WriteFile(filepath.Join("lists", d.file), []byte(strings.Join(sorted, "\n")+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// headsOf are the beginnings of the words of the training lines of the language.
func (d dictionary) headsOf(lines []line) map[uint64]bool {
	heads := map[uint64]bool{}
	for _, l := range lines {
		if l.language() != d.lang {
			continue
		}
		for _, t := range lex.Split(l.text, nil) {
			if t.Kind == lex.Letters && l.at(t.From) == "" {
				heads[lex.Key(head(l.text[t.From:t.To], d.heads))] = true
			}
		}
	}
	return heads
}

func head(w string, n int) string {
	r := []rune(w)
	return string(r[:min(n, len(r))])
}

// ordinaryForm reports whether a form is of small letters alone and fits the table.
func ordinaryForm(w string) bool {
	return len(w) > 1 && len(w) <= longestWord && utf8.ValidString(w) && strings.ToLower(w) == w &&
		!strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
}

// eachForm gives every form of a list, of a dictionary of hunspell, whose endings
// stand in the file of affixes beside it, or of a folder of pages.
func eachForm(file string, use func(string)) error {
	if filepath.Ext(file) == "" && isFolder(file) {
		return eachWord(file, use)
	}
	var endings map[string][]ending
	if stem, ok := strings.CutSuffix(file, ".dic"); ok {
		var err error
		if endings, err = readEndings(stem + ".aff"); err != nil {
			return err
		}
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		cell, _, _ := strings.Cut(s.Text(), " ")
		cell, _, _ = strings.Cut(cell, "\t")
		word, flags, _ := strings.Cut(cell, "/")
		use(word)
		for flag := range flagsOf(flags, endings) {
			for _, e := range endings[flag] {
				if base, ok := strings.CutSuffix(word, e.strip); ok && e.after.MatchString(word) {
					use(base + e.add)
				}
			}
		}
	}
	return nil
}

// ending is what a flag of hunspell does to a word: strip, then add, where it ends
// as told.
type ending struct {
	strip, add string
	after      *regexp.Regexp
}

const longFlags = "" // the entry of endings that tells that flags have two characters

// flagsOf parts the flags of a word.
func flagsOf(flags string, endings map[string][]ending) func(func(string) bool) {
	size := 1
	if _, long := endings[longFlags]; long {
		size = 2
	}
	return func(yield func(string) bool) {
		for r := []rune(flags); len(r) >= size; r = r[size:] {
			if !yield(string(r[:size])) {
				return
			}
		}
	}
}

// readEndings reads the suffixes of a file of affixes: SFX flag strip add condition.
func readEndings(file string) (map[string][]ending, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	endings := map[string][]ending{}
	for row := range strings.Lines(string(data)) {
		cells := strings.Fields(row)
		switch {
		case len(cells) >= 2 && cells[0] == "FLAG" && cells[1] == "long":
			endings[longFlags] = nil
		case len(cells) >= 5 && cells[0] == "SFX":
			add, _, _ := strings.Cut(cells[3], "/")
			after, err := regexp.Compile("(?:" + cells[4] + ")$")
			if err != nil {
				return nil, fmt.Errorf("%s: %q: %w", file, row, err)
			}
			endings[cells[1]] = append(endings[cells[1]], ending{strings.Trim(cells[2], "0"), strings.Trim(add, "0"), after})
		}
	}
	return endings, nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// oftenEnough is how often a word stands in the pages at least: rarer ones may be
// names or slips.
const oftenEnough = 3

// eachWord gives the words of the pages below a folder, as they are written there.
func eachWord(dir string, use func(string)) error {
	count := map[string]int{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		page, err := os.ReadFile(path)
		text := html.UnescapeString(tags.ReplaceAllString(string(page), " "))
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			count[w]++
		}
		return err
	})
	for _, w := range slices.Sorted(maps.Keys(count)) {
		if count[w] >= oftenEnough {
			use(w)
		}
	}
	return err
}

var tags = regexp.MustCompile(`(?s)<(script|style|pre|code).*?</(script|style|pre|code)>|<[^>]*>`)
