package btdt

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/detect"
)

// passage is one text on its way: what was given, what is to go, what it reads
// like now.
type passage struct {
	path, field string
	limit       int // code points, 0 for none
	raw         []rune
	decisions   []detect.Decision // of the author, on this text
	reported    []detect.Reported // of the author's detectors, over raw
	sheet       *detect.Sheet
	cuts        []cut   // over raw, in order, apart from each other
	origin      []int32 // rune of the sheet's text → rune of raw; nil where nothing was cut yet
	text        string
	changed     bool
	code        string // of its language, for detectors
	language    string // that the scrubber cannot read; "" is none
	formsOnly   bool   // only what has a form is looked for
}

// cut is a part of a raw text that goes.
type cut struct {
	Finding
	values []uint64
}

// take turns the spans of the sheet into cuts of the raw text.
func (s *passage) take() bool {
	spans := s.sheet.Spans()
	for _, x := range spans {
		s.cuts = append(s.cuts, cut{Finding: s.finding(x), values: s.sheet.Values(x)})
		if x.Drop {
			s.cuts[len(s.cuts)-1].Replacement = dropped
		}
	}
	if s.origin != nil && len(spans) > 0 {
		s.merge()
	}
	return len(spans) > 0
}

// finding is a span of the sheet with its place in the raw text.
func (s *passage) finding(x detect.Span) Finding {
	start, end := s.sheet.Place(x.From, x.To)
	if s.origin != nil {
		start, end = int(s.origin[start]), int(s.origin[end-1])+1
	}
	return Finding{Rule: x.Rule, Path: s.path, Start: start, End: end, Type: x.Type, Score: x.Score, Sure: x.Sure}
}

// newSheet reads the text anew.
func (s *passage) newSheet() {
	s.sheet = detect.NewSheet(s.field, s.text)
	s.sheet.Decide(s.decisions)
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
			kept[n-1].Sure = kept[n-1].Sure || c.Sure
			kept[n-1].values = append(kept[n-1].values, c.values...)
			continue
		}
		kept = append(kept, c)
	}
	s.cuts = kept
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
