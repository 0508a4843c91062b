package btdt

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/detect"
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// ScrubberVersion names the rules that a file passed. It goes into the metadata,
// so that a registry knows by which rules a playbook was cleaned.
const ScrubberVersion = "scrub/9"

// Types of findings. More may come; treat unknown ones alike.
const (
	TypeName       = detect.Name
	TypeCaseRef    = detect.CaseRef
	TypePolicyRef  = detect.PolicyRef
	TypeAccount    = detect.Account
	TypeMedical    = detect.Medical
	TypeEmail      = detect.Email
	TypePhone      = detect.Phone
	TypeAddress    = detect.Address
	TypeDOB        = detect.DOB
	TypeNationalID = detect.NationalID
	TypeFinancial  = detect.Financial
	TypeVehicle    = detect.Vehicle
	TypeNetwork    = detect.Network
	TypeOtherID    = detect.OtherID
)

// Types lists the types of findings in the order of the specification's format.
func Types() []string {
	return []string{TypeName, TypeCaseRef, TypePolicyRef, TypeAccount, TypeMedical, TypeEmail, TypePhone,
		TypeAddress, TypeDOB, TypeNationalID, TypeFinancial, TypeVehicle, TypeNetwork, TypeOtherID}
}

// Finding is a place in a playbook that identifies someone. It never repeats the
// text that it found.
type Finding struct {
	Rule        string  `json:"rule"`
	Path        string  `json:"path"`  // field, as in steps[2]
	Start       int     `json:"start"` // code points into the text at Path
	End         int     `json:"end"`   // exclusive
	Type        string  `json:"type"`
	Score       float64 `json:"score"`       // confidence, 0 to 1; shown, never reckoned with
	Replacement string  `json:"replacement"` // what to write instead; empty where a role beside it says enough
}

// Check returns every place of p that seems to identify someone, in the order of
// the fields. None means that this check found nothing, not that p is clean.
func Check(p Playbook) []Finding {
	_, found := Scrub(p)
	return found
}

// Scrub returns p with every place that seems to identify someone replaced, and
// what it found, with offsets into p. Equal values get equal placeholders, so
// that two people stay apart. A valid playbook stays valid, and scrubbing the
// result again changes nothing. p itself is left as it is.
func Scrub(p Playbook) (Playbook, []Finding) {
	b := open(p)
	for range maxRounds {
		if !b.round() {
			return b.result(p)
		}
	}
	b.blank()
	return b.result(p)
}

// maxRounds bounds the search for a text in which nothing more is found. A second
// round nearly always finds nothing; it is there because a placeholder changes
// what stands beside it.
const maxRounds = 8

// passage is one text on its way: what was given, what is to go, what it reads
// like now.
type passage struct {
	path, field string
	limit       int // code points, 0 for none
	raw         []rune
	sheet       *detect.Sheet
	cuts        []cut   // over raw, in order, apart from each other
	origin      []int32 // rune of the sheet's text → rune of raw; nil where nothing was cut yet
	text        string
	changed     bool
}

// cut is a part of a raw text that goes.
type cut struct {
	Finding
	values []uint64
}

// book is a playbook being scrubbed.
type book struct {
	passages []*passage
	names    *detect.Memory
	counters map[string]int // numbers that placeholders of a type had before
	likely   lex.Flags      // the languages of the texts together
}

// scanned tells which text fields hold free text; the others are enumerations
// and codes that the format itself bounds.
func scanned(field string) bool {
	return field != "category" && field != "status" && field != "jurisdiction"
}

func open(p Playbook) *book {
	b := &book{names: detect.NewMemory(), counters: map[string]int{}}
	add := func(path, field, text string, limit int) {
		b.passages = append(b.passages, &passage{path: path, field: field, limit: limit, raw: []rune(text), text: text, changed: true})
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
			s.sheet = detect.NewSheet(s.field, s.text)
		}
		s.sheet.Votes(&votes)
	}
	turned := votes.Likely() != b.likely
	b.likely = votes.Likely()
	for _, s := range b.passages {
		if turned && !s.changed {
			s.sheet = detect.NewSheet(s.field, s.text)
		}
		if turned || s.changed {
			s.sheet.Find(b.likely)
			s.changed = false
			fresh = append(fresh, s)
		}
	}
	return fresh
}

// take turns the spans of the sheet into cuts of the raw text.
func (s *passage) take() bool {
	spans := s.sheet.Spans()
	for _, x := range spans {
		start, end := s.sheet.Text.Span(x.From, x.To)
		if s.origin != nil {
			start, end = int(s.origin[start]), int(s.origin[end-1])+1
		}
		s.cuts = append(s.cuts, cut{
			Finding: Finding{Rule: x.Rule, Path: s.path, Start: start, End: end, Type: x.Type, Score: x.Score},
			values:  s.sheet.Values(x),
		})
		if x.Drop {
			s.cuts[len(s.cuts)-1].Replacement = dropped
		}
	}
	if s.origin != nil && len(spans) > 0 {
		s.merge()
	}
	return len(spans) > 0
}

// dropped marks a cut that leaves nothing behind, until it is rendered.
const dropped = "\x00"

// merge joins cuts that overlap after a later round; the earlier names it.
func (s *passage) merge() {
	slices.SortStableFunc(s.cuts, func(a, b cut) int { return a.Start - b.Start })
	kept := s.cuts[:0]
	for _, c := range s.cuts {
		if n := len(kept); n > 0 && c.Start < kept[n-1].End {
			kept[n-1].End = max(kept[n-1].End, c.End)
			kept[n-1].values = append(kept[n-1].values, c.values...)
			continue
		}
		kept = append(kept, c)
	}
	s.cuts = kept
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

// number gives every cut its placeholder.
func (s *passage) number(n *numbering) {
	for i := range s.cuts {
		if c := &s.cuts[i]; c.Replacement != dropped {
			c.Replacement = n.placeholder(c.Type, c.values)
		}
	}
}

// What stands for a cut: its placeholder, or less where a text would outgrow its
// field. Nothing that stays is ever cut off.
func numbered(placeholder string) string { return placeholder }

func unnumbered(placeholder string) string {
	kind, _ := splitPlaceholder(strings.Trim(placeholder, "[]"))
	return "[" + kind + "]"
}

func elided(string) string { return "…" }

func (s *passage) render(short func(string) string) {
	if len(s.cuts) == 0 {
		return
	}
	var text strings.Builder
	s.origin = s.origin[:0]
	at := 0
	keep := func(to int) {
		for ; at < to; at++ {
			text.WriteRune(s.raw[at])
			s.origin = append(s.origin, int32(at))
		}
	}
	for i := range s.cuts {
		c := &s.cuts[i]
		keep(c.Start)
		if c.Replacement != dropped {
			c.Replacement = s.inLabel(short(c.Replacement))
			text.WriteString(c.Replacement)
			for range utf8.RuneCountInString(c.Replacement) {
				s.origin = append(s.origin, int32(c.Start))
			}
			// The last rune of a placeholder stands for the end of its cut.
			s.origin[len(s.origin)-1] = int32(c.End - 1)
		}
		at = c.End
	}
	keep(len(s.raw))
	s.text = text.String()
}

// inLabel is a placeholder as the label of a kind of case can have it.
func (s *passage) inLabel(placeholder string) string {
	if s.field != "sub_category" {
		return placeholder
	}
	return strings.ReplaceAll(strings.Trim(placeholder, "[]"), "…", "x")
}

// blank gives up on texts in which every round found more: all of it goes.
func (b *book) blank() {
	for _, s := range b.passages {
		if s.changed {
			s.cuts = []cut{{Finding: Finding{Rule: "whole_text", Path: s.path, End: len(s.raw), Type: TypeOtherID, Score: 0.5}}}
		}
	}
	b.render()
}

// result puts the texts into a copy of p.
func (b *book) result(p Playbook) (Playbook, []Finding) {
	texts, found := map[string]string{}, []Finding(nil)
	for _, s := range b.passages {
		texts[s.path] = s.text
		for _, c := range s.cuts {
			if c.Replacement == dropped {
				c.Replacement = ""
			}
			found = append(found, c.Finding)
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
	return p, found
}
