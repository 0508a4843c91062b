package detect

import (
	"slices"
	"strings"
)

// minTwin is the least number of letters and digits of a code that is sought
// again by its form.
const minTwin = 6

// twins marks codes written just like one that a word announced: "my plate is KJB
// 417, his KJB 471". The form must have letters and digits, or it is no form.
func (x *Sheet) twins() {
	var sought []string // each form once, however many codes have it
	for _, s := range x.spans {
		if s.Rule != "reference" {
			continue
		}
		text := x.s[s.From:s.To]
		n, form := digitsIn(text), shape(text)
		if s.From > 0 && x.s[s.From-1] == '#' && n >= 4 && !slices.Contains(sought, "#"+form) {
			sought = append(sought, "#"+form)
			x.seekSigned("#"+form, s)
			continue
		}
		if (n >= 3 || locator(text)) && n < len(text) && len(text) >= minTwin && upperOrDigit(text) && !onlyDigitsAndSigns(text) && !slices.Contains(sought, form) {
			sought = append(sought, form)
			x.seek(form, s)
		}
	}
}

// seekSigned marks what else in the text has a form that starts with a hash: invoice
// #2023/118, not #2023/181.
func (x *Sheet) seekSigned(form string, like Span) {
	for i := 0; i+len(form) <= len(x.s); i++ {
		if end := i + len(form); x.s[i] == '#' && sameShape(x.s[i:end], form) && !x.letterAt(end) && !x.taken(i, end) {
			x.add(i, end, like.Type, "reference_twin", 0.8)
		}
	}
}

// seek marks what else in the text has a form.
func (x *Sheet) seek(form string, like Span) {
	n := len(form)
	for i := 0; i+n <= len(x.s); i++ {
		if x.letterAt(i-1) || !x.letterAt(i) || x.letterAt(i+n) || !sameShape(x.s[i:i+n], form) || x.taken(i, i+n) {
			continue
		}
		if x.foreignBefore(i) || x.foreignAt(i+n) || i > 0 && x.s[i-1] == '-' || i+n < len(x.s) && x.s[i+n] == '-' {
			continue
		}
		if !x.publicCode(i, x.s[i:i+n]) {
			x.add(i, i+n, like.Type, "reference_twin", 0.8)
		}
		i += n
	}
}

// sameShape compares a text with what shape wrote of another.
func sameShape(s, form string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c) != (form[i] == '9'), c >= 'A' && c <= 'Z' != (form[i] == 'A'), form[i] != 'A' && form[i] != '9' && form[i] != c:
			return false
		}
	}
	return true
}

// shape writes A for each capital and 9 for each digit; signs stay.
func shape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			b.WriteByte('9')
		case c >= 'A' && c <= 'Z':
			b.WriteByte('A')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
