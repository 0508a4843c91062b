package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// variants is how many copies of a line are made with other names in it.
const variants = 3

// pools hold what stands in for the names of a line.
type pools struct {
	given, surname, city []string
	random               *rand.Rand
}

// vary gives the lines and copies of them with other names, so that the tagger
// learns where names stand rather than which they are.
func vary(lines []line, dir string) []line {
	p := &pools{random: rand.New(rand.NewPCG(seed, 2))}
	p.given, p.surname, p.city = pool(dir, "given.txt"), pool(dir, "surname.txt"), pool(dir, "city.txt")
	all := make([]line, 0, len(lines)*(variants+1))
	for _, l := range lines {
		all = append(all, l)
		for range variants {
			if v, changed := p.renamed(l); changed {
				all = append(all, v)
			}
		}
	}
	return all
}

// pool reads a list, keeping Latin letters: other scripts are rare in playbooks.
func pool(dir, file string) []string {
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return []string{"Ada"}
	}
	var words []string
	for w := range strings.Lines(string(data)) {
		w = strings.TrimSpace(w)
		if r, _ := utf8.DecodeRuneInString(w); unicode.Is(unicode.Latin, r) {
			words = append(words, w)
		}
	}
	return words
}

// renamed copies a line with other names, and now and then in small letters or
// capitals.
func (p *pools) renamed(l line) (line, bool) {
	out := line{lang: l.lang, field: l.field}
	var b strings.Builder
	at, changed := 0, false
	style := p.random.IntN(12)
	for _, m := range l.marks {
		b.WriteString(l.text[at:m.from])
		from := b.Len()
		text := l.text[m.from:m.to]
		if m.kind == "NAME" {
			text, changed = p.other(text, style), true
		}
		b.WriteString(text)
		out.marks = append(out.marks, mark{from, b.Len(), m.kind, m.keep})
		at = m.to
	}
	b.WriteString(l.text[at:])
	out.text = b.String()
	return out, changed
}

// other swaps the words of a name for words of the same sort.
func (p *pools) other(name string, style int) string {
	tokens := lex.Split(name, nil)
	var b strings.Builder
	at := 0
	last := -1
	for i, t := range tokens {
		if t.Kind == lex.Letters && t.Case != lex.Lower {
			last = i
		}
	}
	for i, t := range tokens {
		b.WriteString(name[at:t.From])
		at = t.To
		w := name[t.From:t.To]
		if t.Kind != lex.Letters || t.To-t.From < 2 || t.Flags&lex.Title != 0 || t.Case == lex.Lower && len(tokens) > 1 {
			b.WriteString(w)
			continue
		}
		b.WriteString(p.word(t, i == last && len(tokens) > 1, style))
	}
	b.WriteString(name[at:])
	return b.String()
}

func (p *pools) word(t lex.Token, last bool, style int) string {
	list := p.given
	if last && t.Flags&lex.Surname != 0 || t.Flags&lex.Given == 0 {
		list = p.surname
	}
	w := list[p.random.IntN(len(list))]
	switch {
	case t.Case == lex.Lower || style == 0:
		return strings.ToLower(w)
	case t.Case == lex.Caps || style == 1:
		return strings.ToUpper(w)
	}
	return w
}
