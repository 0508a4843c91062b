package btdt

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
)

// ScrubberVersion names the rules that a file passed. It goes into the metadata,
// so that a registry knows by which rules a playbook was cleaned.
const ScrubberVersion = "check/1"

// Types of findings. More will come with further rules; treat unknown ones alike.
const (
	TypeEmail   = "EMAIL"
	TypePhone   = "PHONE"
	TypeOtherID = "OTHER_ID"
)

// Finding is a place in a playbook that identifies someone. It never repeats the
// text that it found.
type Finding struct {
	Rule        string  `json:"rule"`
	Path        string  `json:"path"`  // field, as in steps[2]
	Start       int     `json:"start"` // code points into the text at Path
	End         int     `json:"end"`   // exclusive
	Type        string  `json:"type"`
	Score       float64 `json:"score"`       // confidence, 0 to 1; shown, never reckoned with
	Replacement string  `json:"replacement"` // what to write instead
}

// rule finds one kind of identifier in a folded text.
type rule struct {
	name, kind string
	pattern    *regexp.Regexp // RE2: linear in the text, whatever it holds
	keep       func(text string, from, to int) bool
}

// minDigits is the shortest run of digits, spaced or dashed, taken for a number
// that belongs to someone.
const minDigits = 7

// rules stand in order of how precisely they name what they found: where two
// overlap, the earlier one names the place. A rule may not need more than one pass
// over the text.
var rules = []rule{
	{"email", TypeEmail, regexp.MustCompile(
		`[\pL\pN._%+'-]+(?: ?@ ?| ?[\[({] ?(?i:at) ?[\])}] ?)` +
			`(?:[\pL\pN-]+(?:\.| ?[\[({] ?(?i:dot) ?[\])}] ?))+\pL{2,}`), nil},
	{"phone", TypePhone, regexp.MustCompile(
		`\+\(?\d(?:[ ()./-]{0,3}\d){6,}` + // +44 (0)20 7946 0123
			`|\(\d{2,5}\)[ ./-]{0,2}\d(?:[ ./-]{0,2}\d){4,}` + // (312) 555 0187
			`|\b0\d{2,4} ?/ ?\d(?:[ -]?\d){3,}` + // 030/123456, but not 03/2024
			`|\b\d{3}[-. ]\d{3}[-. ]\d{4}\b`), nil}, // 312-555-0187
	{"long_number", TypeOtherID, regexp.MustCompile(
		`\d(?:(?:[\s_-]{0,3}|\.)\d){6,}`), harmless},
}

// Check returns every place of p that seems to identify someone, in the order of
// the fields. None means that this check found nothing, not that p is clean.
func Check(p Playbook) []Finding {
	var found []Finding
	for _, f := range textFields {
		found = append(found, scan(f.name, *f.at(&p))...)
	}
	for _, f := range listFields {
		for i, text := range *f.at(&p) {
			found = append(found, scan(itemPath(f.name, i), text)...)
		}
	}
	return found
}

// scan runs all rules over one text.
func scan(path, text string) []Finding {
	f := fold(text)
	var found []Finding
	for _, r := range rules {
		for _, m := range r.pattern.FindAllStringIndex(f.text, -1) {
			if r.keep != nil && r.keep(f.text, m[0], m[1]) {
				continue
			}
			start, end := f.span(m[0], m[1])
			found = append(found, Finding{r.name, path, start, end, r.kind, 1, "[" + r.kind + "]"})
		}
	}
	return disjoint(found)
}

// disjoint sorts findings by place and joins those that overlap.
func disjoint(found []Finding) []Finding {
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(a.Start, b.Start) })
	var kept []Finding
	for _, f := range found {
		if n := len(kept); n > 0 && f.Start < kept[n-1].End {
			kept[n-1] = joined(kept[n-1], f)
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

// joined covers both places, so that no letter of either is left, and keeps the
// name of the more telling rule.
func joined(a, b Finding) Finding {
	named := a
	if order(b.Rule) < order(a.Rule) {
		named = b
	}
	named.Start, named.End = min(a.Start, b.Start), max(a.End, b.End)
	return named
}

// order is the rank of a rule, 0 for the one that names best.
func order(name string) int {
	return slices.IndexFunc(rules, func(r rule) bool { return r.name == name })
}

// digits counts the digits of a folded text.
func digits(text string) int {
	n := 0
	for _, c := range []byte(text) {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

// The forms of harmless numbers. currency and lawBefore look at what stands before
// the number, unit at what stands after it.
var (
	years     = regexp.MustCompile(`^(?:19|20)\d\d\s?-\s?(?:19|20)\d\d$`)
	grouped   = regexp.MustCompile(`^\d{1,3}(?:[. ]\d{3})+$`)
	currency  = regexp.MustCompile(`(?:[$€£¥₹]|\b(?:EUR|USD|GBP|CHF|INR|BRL|PLN|SEK|AUD|CAD)) ?$`)
	unit      = regexp.MustCompile(`^ ?(?:[$€£¥₹]|(?:EUR|USD|GBP|CHF|INR|BRL|PLN|SEK|AUD|CAD)\b)`)
	lawBefore = regexp.MustCompile(`(?:§|\b(?:CFR|C\.F\.R\.|USC|U\.S\.C\.|Art\.?|Article|Section|Sec\.|Code|Part|Rule)) ?$`)
	longRun   = regexp.MustCompile(`\d{6}`)
)

// dateForms are the dates that a text may hold: a day alone identifies nobody.
var dateForms = []string{"2006-01-02", "2006.01.02", "02.01.2006", "2.1.2006", "02-01-2006", "01-02-2006"}

// harmless keeps numbers that many people share: dates, spans of years, sums of
// money in groups of three, and places in a law. Each asks for a form that an
// account number does not have.
func harmless(text string, from, to int) bool {
	number := text[from:to]
	if years.MatchString(number) || digitsBesideDates(number) < minDigits {
		return true
	}
	before, after := text[max(0, from-12):from], text[to:min(len(text), to+5)]
	if grouped.MatchString(number) && (currency.MatchString(before) || unit.MatchString(after)) {
		return true
	}
	return lawBefore.MatchString(before) && !longRun.MatchString(number)
}

// digitsBesideDates counts the digits of a number without the dates in it, as in
// "2024-03-12 30" (days later).
func digitsBesideDates(number string) int {
	n := 0
	for _, piece := range strings.Fields(number) {
		if !years.MatchString(piece) && !isDate(piece) {
			n += digits(piece)
		}
	}
	return n
}

// isDate asks the calendar, so that 2024-13-45 is no date.
func isDate(piece string) bool {
	return slices.ContainsFunc(dateForms, func(form string) bool {
		_, err := time.Parse(form, piece)
		return err == nil
	})
}
