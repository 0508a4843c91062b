package detect

import (
	"math"
	"slices"
	"strconv"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// thresholds are what the margin of a label must exceed, in the measure of stored
// weights: below 0 takes what the tagger is not sure of. They were set on the
// development sets.
var thresholds = [tag.Labels]int32{
	tag.NameFirst: -10, tag.NameNext: -10, tag.Address: -60, tag.Medical: -60,
	tag.CaseRef: -80, tag.PolicyRef: -80, tag.Account: -80, tag.DOB: -60, tag.Vehicle: -60,
	tag.OtherID: -60, tag.NationalID: -80, tag.Phone: -60, tag.Financial: -80,
}

// label is the private label of token i whose margin exceeds its threshold by most,
// or Other, and its margin.
func (x *Sheet) label(i int) (best tag.Label, margin int32) {
	over := int32(0)
	for l := range tag.Label(tag.Labels) {
		dated := x.tok[i].Date != lex.NoDate
		if !l.Private() || l == tag.NameNext || dated && l.Numeric() && l != tag.DOB {
			continue
		}
		if l == tag.Medical && !x.ill && (dated || x.tok[i].Kind == lex.Digits) {
			continue // a day is one of treatment where an illness or treatment is told of
		}
		if m := x.margins[i][l]; m-thresholds[l] > over {
			best, margin, over = l, m, m-thresholds[l]
		}
	}
	if best == tag.Other && x.has(i, lex.Surname) && x.titlesBefore(i) < i {
		return tag.NameFirst, 0 // a surname behind a form of address, however it is written
	}
	return best, margin
}

// kept is the label of what stays that token i has most clearly.
func (x *Sheet) kept(i int) (best tag.Label, margin int32) {
	margin = math.MinInt32
	for l := range tag.Label(tag.Labels) {
		if m := x.margins[i][l]; !l.Private() && m > margin {
			best, margin = l, m
		}
	}
	return best, margin
}

// tellsOfIllness reports whether a word of the text is labelled as illness or treatment.
func (x *Sheet) tellsOfIllness() bool {
	for i, t := range x.tok {
		if t.Kind == lex.Letters && t.Date == lex.NoDate && x.margins[i][tag.Medical] > thresholds[tag.Medical] {
			return true
		}
	}
	return false
}

// tagged takes what the tagger labels: a token whose label exceeds its threshold,
// and its neighbours as long as they may have the same.
func (x *Sheet) tagged() {
	x.ill = x.tellsOfIllness()
	x.holdAges()
	behind := 0 // the last span
	for i := 0; i < len(x.tok); {
		kind, margin := x.label(i)
		if kind == tag.Other || x.covered[x.tok[i].From] {
			i++
			continue
		}
		from, to := i, i+1
		for from > behind && x.may(from-1, kind) {
			from--
		}
		for to < len(x.tok) && x.may(to, kind) {
			_, m := x.label(to)
			margin = max(margin, m)
			to++
		}
		x.takeTokens(from, to, kind, margin)
		i, behind = to, to
	}
}

// oldAge is the age from which an age tells who somebody is.
const oldAge = 90

// holdAges holds what the tagger takes for a date of birth and is an age below that.
func (x *Sheet) holdAges() {
	for i := range x.tok {
		if kind, _ := x.label(i); kind == tag.DOB && x.isAge(i) {
			x.held[i] = true
		}
	}
}

// isAge reports whether a number may be an age below oldAge: no year or part of a date.
func (x *Sheet) isAge(i int) bool {
	t := &x.tok[i]
	if t.Kind != lex.Digits || t.To-t.From > 2 || t.Date != lex.NoDate || x.has(i-1, lex.BornCue) || x.has(i-2, lex.BornCue) || x.is(i-1, "'*") {
		return false
	}
	inDate := func(sign, digits int) bool {
		return x.is(sign, "./-") && digits >= 0 && digits < len(x.tok) && x.tok[digits].Kind == lex.Digits
	}
	age, err := strconv.Atoi(x.word(i))
	return err == nil && age < oldAge && !inDate(i-1, i-2) && !inDate(i+1, i+2)
}

// doubt is how far below its threshold a token may be that stands beside one above,
// in the measure of stored weights.
const doubt = 80

// may reports whether token i may belong to a span of a kind beside it.
func (x *Sheet) may(i int, kind tag.Label) bool {
	t := &x.tok[i]
	if t.Kind == lex.Placeholder || x.covered[t.From] {
		return false
	}
	best, _ := x.label(i)
	small := t.Kind == lex.Letters && t.Case == lex.Lower
	alien := kind.Numeric() && (t.Date != lex.NoDate && kind != tag.DOB || small) || kind == tag.NameFirst && small && t.Flags&lex.Common != 0
	return best == kind || best == tag.Other && !alien && x.margins[i][kind] > thresholds[kind]-doubt
}

// takeTokens takes the tokens from one to another, without signs at the edges, and
// the whole of a code or date that they touch.
func (x *Sheet) takeTokens(i, j int, kind tag.Label, margin int32) {
	i, j = x.whole(x.trim(i, j))
	if i == j || !x.fits(i, j, kind) {
		return
	}
	switch {
	case kind == tag.NameFirst:
		i = x.titlesBefore(i)
	case kind.Numeric() && i > 0 && x.tok[i].Space && x.registerSign(i-1):
		i--
	}
	for ; i < j; i++ {
		from := i
		for i < j && !x.held[i] {
			i++
		}
		if i > from {
			x.add(x.tok[from].From, x.tok[i-1].To, kind.Type(), "tagger", sureness(margin))
		}
	}
}

// whole widens tokens to the whole of a code or date that they touch.
func (x *Sheet) whole(i, j int) (from, to int) {
	for i < j && i > 0 && x.partOf(i-1, i) {
		i--
	}
	for i < j && j < len(x.tok) && x.partOf(j-1, j) {
		j++
	}
	return i, j
}

// fits reports whether tokens can be what they are labelled as.
func (x *Sheet) fits(i, j int, kind tag.Label) bool {
	switch {
	case kind == tag.NameFirst:
		return x.named(i, j)
	case kind == tag.Address:
		return !slices.Contains(x.held[i:j], true)
	}
	return !kind.Numeric() || x.coded(i, j)
}

// trim leaves out the tokens at either edge that have no letter or digit.
func (x *Sheet) trim(i, j int) (from, to int) {
	for i < j && x.loose(i) {
		i++
	}
	for i < j && x.loose(j-1) {
		j--
	}
	return i, j
}

// titlesBefore is the first of the forms of address before a name at token i.
func (x *Sheet) titlesBefore(i int) int {
	for i > 0 && (x.has(i-1, lex.Title) || x.is(i-1, ".") && x.has(i-2, lex.Title)) {
		i--
	}
	return i
}

// named reports whether tokens hold more than forms of address.
func (x *Sheet) named(i, j int) bool {
	for ; i < j; i++ {
		if x.tok[i].Kind != lex.Sign && x.tok[i].Flags&lex.Title == 0 {
			return true
		}
	}
	return false
}

// registerSign reports whether token i is the sign of a register, which numbers have
// before them: XYZ 12/345.
func (x *Sheet) registerSign(i int) bool {
	t := &x.tok[i]
	return t.Kind == lex.Letters && t.Case == lex.Caps && t.To-t.From <= 4 && t.Flags&(lex.Cues|lex.Org|lex.OrgWord|lex.LawWord) == 0
}

// coded reports whether tokens hold a digit or, as the bookings of airlines do, five
// capitals or more.
func (x *Sheet) coded(i, j int) bool {
	for ; i < j; i++ {
		t := &x.tok[i]
		if t.Kind == lex.Digits || t.Kind == lex.Mixed || t.Case == lex.Caps && t.To-t.From > 4 {
			return true
		}
	}
	return false
}

// sureness maps a margin to a confidence of 0 to 1.
func sureness(margin int32) float64 {
	return math.Round(100/(1+math.Exp(-float64(margin)/80))) / 100
}

// loose reports whether a token has no letter or digit, or stays whatever is found.
func (x *Sheet) loose(i int) bool {
	return x.tok[i].Kind == lex.Sign || x.tok[i].Kind == lex.Placeholder || x.held[i]
}

// partOf reports whether tokens i and i+1 are one date or one code, of which no
// part may be left.
func (x *Sheet) partOf(i, next int) bool {
	if x.tok[next].Date == lex.DateNext {
		return true
	}
	if x.tok[next].Space || x.tok[i].Kind == lex.Placeholder || x.tok[next].Kind == lex.Placeholder {
		return false
	}
	digits := x.tok[i].Kind != lex.Letters || x.tok[next].Kind != lex.Letters
	sign := x.is(next, "-/_#") || x.is(i, "-/_#")
	inner := x.is(i, ".:") || x.is(next, ".:") && next+1 < len(x.tok) && !x.tok[next+1].Space && x.tok[next+1].Kind != lex.Sign
	return digits && (sign || inner || x.tok[i].Kind != lex.Sign && x.tok[next].Kind != lex.Sign)
}
