package btdt

import (
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/detect"
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// book is a playbook being scrubbed.
type book struct {
	passages []*passage
	names    *detect.Memory
	counters map[string]int // numbers that placeholders of a type had before
	likely   lex.Flags      // the languages of the texts together
	judged   bool           // whether it is known which texts cannot be read
	answered []string       // languages that the author has read
}

// scanned tells which text fields hold free text; the others are enumerations
// and codes that the format itself bounds.
func scanned(field string) bool {
	return field != "category" && field != "status" && field != "jurisdiction"
}

func (s *Scrubber) open(p Playbook) *book {
	b := &book{names: detect.NewMemory(), counters: map[string]int{}, answered: s.Read}
	add := func(path, field, text string, limit int) {
		b.passages = append(b.passages, &passage{path: path, field: field, limit: limit, raw: []rune(text), text: text, changed: true, decisions: s.decisions(path)})
		b.countPlaceholders(text)
	}
	for _, f := range textFields {
		if scanned(f.name) {
			add(f.name, f.name, *f.at(&p), f.max)
		}
	}
	for _, f := range listFields {
		for i, text := range *f.at(&p) {
			add(itemPath(f.name, i), f.name, text, f.max)
		}
	}
	return b
}

// countPlaceholders notes the highest number that a text already uses.
func (b *book) countPlaceholders(text string) {
	for i := strings.IndexByte(text, '['); i >= 0 && i < len(text); {
		if n := lex.PlaceholderAt(text[i:]); n > 0 {
			kind, number := splitPlaceholder(text[i+1 : i+n-1])
			b.counters[kind] = max(b.counters[kind], number)
		}
		next := strings.IndexByte(text[i+1:], '[')
		if next < 0 {
			return
		}
		i += next + 1
	}
}

func splitPlaceholder(word string) (kind string, number int) {
	i := strings.LastIndexByte(word, '_')
	if i < 0 || strings.Trim(word[i+1:], "0123456789") != "" {
		return word, 0
	}
	for _, c := range word[i+1:] {
		number = min(number*10+int(c-'0'), 1<<20)
	}
	return word[:i], number
}

// round reads the texts that changed and cuts what it finds, there and, where a
// name came up, everywhere. It returns whether there was anything.
func (b *book) round() bool {
	fresh := b.read()
	for _, s := range fresh {
		if s.field == "entity" || s.field == "region" {
			b.names.Institution(s.sheet)
		}
		b.names.Meet(s.sheet)
	}
	for _, s := range fresh {
		b.names.Learn(s.sheet)
	}
	for _, s := range b.passages {
		b.names.Recall(s.sheet)
	}
	more := false
	for _, s := range b.passages {
		if s.take() {
			s.changed, more = true, true
		}
	}
	if more {
		b.render()
	}
	return more
}

// read finds what the texts that changed hold, and returns these: all of them where
// the texts together now tell of other languages.
func (b *book) read() (fresh []*passage) {
	var votes lex.Votes
	for _, s := range b.passages {
		if s.changed {
			s.newSheet()
		}
		s.sheet.Votes(&votes)
	}
	if !b.judged {
		b.judgeLanguages()
		b.judged = true
	}
	turned := votes.Likely() != b.likely
	b.likely = votes.Likely()
	for _, s := range b.passages {
		if turned && !s.changed {
			s.newSheet()
		}
		if turned || s.changed {
			s.sheet.FormsOnly = s.formsOnly
			s.sheet.Find(b.likely)
			if s.origin == nil { // later texts lack what was reported
				s.sheet.Take(s.reported)
			}
			s.changed = false
			fresh = append(fresh, s)
		}
	}
	return fresh
}

// render builds every text again. Numbers follow the order of the playbook.
func (b *book) render() {
	n := numbering{next: map[string]int{}, persons: map[uint64]int{}, seen: map[uint64]string{}}
	for kind, top := range b.counters {
		n.next[kind] = top
	}
	for _, s := range b.passages {
		s.number(&n)
		for _, short := range []func(string) string{numbered, unnumbered, elided} {
			if s.render(short); s.limit == 0 || len(s.origin) <= s.limit || len(s.raw) > s.limit {
				break
			}
		}
	}
}

// blank gives up on texts in which every round found more: all of it goes.
func (b *book) blank() {
	for _, s := range b.passages {
		if s.changed {
			s.cuts = []cut{{Finding: Finding{Rule: "whole_text", Path: s.path, End: len(s.raw), Type: TypeOtherID, Score: 0.5, Sure: true}}}
		}
	}
	b.render()
}

// result puts the texts into a copy of p.
func (b *book) result(p Playbook) Result {
	texts, found, kept := map[string]string{}, []Finding{}, []Finding(nil)
	for _, s := range b.passages {
		texts[s.path] = s.text
		for _, c := range s.cuts {
			if c.Replacement == dropped {
				c.Replacement = ""
			}
			found = append(found, c.Finding)
		}
		for _, x := range s.sheet.Kept() {
			kept = append(kept, s.finding(x))
		}
	}
	for _, f := range textFields {
		if scanned(f.name) {
			*f.at(&p) = texts[f.name]
		}
	}
	for _, f := range listFields {
		list := slices.Clone(*f.at(&p))
		for i := range list {
			list[i] = texts[itemPath(f.name, i)]
		}
		*f.at(&p) = list
	}
	return Result{p, found, kept, b.unread(b.answered)}
}
