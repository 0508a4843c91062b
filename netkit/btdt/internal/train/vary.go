package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// variants is how many copies of a line with names in it are made with others.
const variants = 2

// pools hold what stands in for the names of a line.
type pools struct {
	given, surname, city []string
	firms                []string // real ones
	kinds                []string // what institutions are: court, Sparkasse
	wordNames            []string // given names that are ordinary words as well
	random               *rand.Rand
}

// vary makes samples of the lines and of copies of them with other names, so that
// the tagger learns where names stand rather than which they are.
func vary(lines []line, dir string) (all []Sample, err error) {
	p := &pools{random: rand.New(rand.NewPCG(seed, 2))}
	p.given, p.surname, p.city = pool(dir, "given.txt"), pool(dir, "surname.txt"), pool(dir, "city.txt")
	err = eachTerm("classes", func(t term) {
		if t.class == lex.Org {
			p.firms = append(p.firms, t.text)
		}
		if t.class == lex.OrgWord && utf8.RuneCountInString(t.text) > 3 {
			p.kinds = append(p.kinds, t.text)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		all = append(all, l.sample(nil))
		for range variants {
			if v, changed := p.renamed(l); changed {
				all = append(all, p.written(v).sample(p.random))
			} else {
				all = append(all, p.written(l).sample(p.random))
				break
			}
		}
		if v, changed := p.scrubbed(l); changed && p.random.IntN(3) == 0 {
			all = append(all, v.sample(p.random))
		}
	}
	composed, err := p.compose(dir)
	if err != nil {
		return nil, err
	}
	made, err := p.templates(dir)
	for _, l := range append(composed, made...) {
		all = append(all, p.written(l).sample(p.random))
	}
	return all, err
}

// written copies a line in another way of writing once in a while: in small letters,
// in capitals, or without accents.
func (p *pools) written(l line) line {
	style := strings.ToLower
	switch p.random.IntN(16) {
	case 0, 1:
	case 2, 3:
		style = strings.ToUpper
	case 4:
		return l.rewritten(unaccented)
	default:
		return l
	}
	return l.rewritten(style)
}

// rewritten builds the text again, piece by piece, so that the marks move along.
func (l line) rewritten(style func(string) string) line {
	out := line{lang: l.lang, field: l.field}
	var b strings.Builder
	at := 0
	for _, m := range l.marks {
		b.WriteString(style(l.text[at:m.from]))
		from := b.Len()
		b.WriteString(style(l.text[m.from:m.to]))
		out.marks = append(out.marks, mark{from, b.Len(), m.kind, m.keep})
		at = m.to
	}
	b.WriteString(style(l.text[at:]))
	out.text = b.String()
	return out
}

// unaccented drops accents.
func unaccented(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
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
	style := p.random.IntN(24)
	for _, m := range l.marks {
		b.WriteString(l.text[at:m.from])
		from := b.Len()
		text := l.text[m.from:m.to]
		switch m.kind {
		case "NAME":
			text, changed = p.other(text, style), true
		case "ORG", "PRODUCT", "CASELAW", "LAW", "REGULATOR":
			if swapped := p.otherThing(text); swapped != text {
				text, changed = swapped, true
			}
		case "LOC":
			if w := strings.Fields(text); len(w) == 1 && p.random.IntN(3) > 0 {
				text, changed = p.city[p.random.IntN(len(p.city))], true
			}
		}
		b.WriteString(text)
		out.marks = append(out.marks, mark{from, b.Len(), m.kind, m.keep})
		at = m.to
	}
	b.WriteString(l.text[at:])
	out.text = b.String()
	return out, changed
}

// scrubbed copies a line with placeholders for some of what must go: a playbook
// is read again when it is scrubbed, and nothing more may be seen in it.
func (p *pools) scrubbed(l line) (line, bool) {
	out := line{lang: l.lang, field: l.field}
	var b strings.Builder
	at, changed := 0, false
	for _, m := range l.marks {
		b.WriteString(l.text[at:m.from])
		at = m.to
		if !m.keep && p.random.IntN(4) > 0 {
			b.WriteString("[" + placeholder(m.kind) + "_" + strconv.Itoa(1+p.random.IntN(3)) + "]")
			changed = true
			continue
		}
		from := b.Len()
		b.WriteString(l.text[m.from:m.to])
		out.marks = append(out.marks, mark{from, b.Len(), m.kind, m.keep})
	}
	b.WriteString(l.text[at:])
	out.text = b.String()
	return out, changed
}

// placeholder is the word that stands for a kind of mark.
func placeholder(kind string) string {
	if lex.PlaceholderAt("["+kind+"]") > 0 {
		return kind
	}
	return "OTHER_ID"
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
	if style > 0 && t.Case != lex.Lower && p.random.IntN(100) < invented {
		w = p.invent(list)
	}
	switch {
	case t.Case == lex.Lower || style == 0:
		return strings.ToLower(w)
	case t.Case == lex.Caps || style == 1:
		return strings.ToUpper(w)
	}
	return w
}

// otherThing swaps, in half of the copies, the words of an organisation or a law
// that no list knows: what is left is where such names stand.
func (p *pools) otherThing(name string) string {
	single := !strings.Contains(name, " ")
	if p.random.IntN(2) == 0 || single && p.random.IntN(4) > 0 {
		return name
	}
	var b strings.Builder
	at := 0
	const known = lex.OrgWord | lex.LawWord | lex.Languages | lex.Anywhere | lex.Place | lex.Street | lex.Role | lex.Keep
	for _, t := range lex.Split(name, nil) {
		b.WriteString(name[at:t.From])
		at = t.To
		w := name[t.From:t.To]
		if t.Kind == lex.Letters && t.Case == lex.Capital && t.To-t.From > 3 && t.Flags&known == 0 {
			w = p.surname[p.random.IntN(len(p.surname))]
			if single || p.random.IntN(100) < invented {
				w = p.invent(p.surname)
			}
		}
		b.WriteString(w)
	}
	b.WriteString(name[at:])
	return b.String()
}

// invented is how many names of a hundred are made up, so that the tagger does
// not come to rely on the lists: most people are in none.
const invented = 40

// invent joins the head of one name to the tail of another.
func (p *pools) invent(list []string) string {
	a, b := []rune(list[p.random.IntN(len(list))]), []rune(list[p.random.IntN(len(list))])
	head := a[:min(len(a), 2+p.random.IntN(3))]
	tail := b[max(0, len(b)-2-p.random.IntN(3)):]
	return string(head) + strings.ToLower(string(tail))
}
