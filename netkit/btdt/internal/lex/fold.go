// Package lex turns a text into words: it undoes what hides them, splits them,
// and looks up what each commonly is (a given name, a city, a month).
package lex

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text is a text as a scanner should see it: entities, tags, emphasis and escapes
// undone, invisible characters gone, digits of every script in ASCII, letters
// composed, look-alikes in the script of their word, and dashes, apostrophes and
// quotation marks plain. It keeps where each byte came from.
type Text struct {
	S    string
	from []int32 // byte → code point in the original; nil where both are equal
	to   []int32 // byte → code point after it
}

// Fold prepares a text. Plain ASCII without markup costs next to nothing.
func Fold(original string) Text {
	if !strings.ContainsFunc(original, unusual) {
		return Text{S: original}
	}
	f := folder{in: []rune(original)}
	f.out = make([]folded, 0, len(f.in))
	for i := 0; i < len(f.in); {
		i += f.step(i)
	}
	f.lookAlikes()
	return f.text()
}

// unusual reports whether a rune may have to be undone.
func unusual(r rune) bool {
	return r >= utf8.RuneSelf || strings.ContainsRune("&<*_`~\\\n", r)
}

// folded is a rune of the result and the original runes that it stands for.
type folded struct {
	r        rune
	from, to int32
}

type folder struct {
	in  []rune
	out []folded
}

// step undoes what starts at rune i and returns how many runes it took.
func (f *folder) step(i int) int {
	switch r := f.in[i]; r {
	case '&':
		return f.entity(i)
	case '<':
		return f.tag(i)
	case '\\':
		return f.escape(i)
	case '*', '`', '_', '~':
		return f.emphasis(i)
	case '\n':
		return f.lineBreak(i)
	}
	f.put(f.in[i], i, 1)
	return 1
}

// put appends a rune that stands for n original ones from i on.
func (f *folder) put(r rune, i, n int) {
	p := plain(r)
	if p < 0 {
		return
	}
	from := int32(i)
	if last := len(f.out) - 1; p >= 0x300 && last >= 0 && unicode.Is(unicode.Mn, p) {
		if c, ok := compose(f.out[last].r, p); ok {
			from, p = f.out[last].from, c
			f.out = f.out[:last]
		}
	}
	f.out = append(f.out, folded{p, from, int32(i + n)})
}

// longestMark bounds how far an entity or a tag is looked for, in runes.
const longestMark = 64

// entity undoes &amp;, &#64; and the like.
func (f *folder) entity(i int) int {
	for n := 3; n <= 12 && i+n <= len(f.in); n++ {
		if f.in[i+n-1] != ';' {
			continue
		}
		seen := string(f.in[i : i+n])
		plain := html.UnescapeString(seen)
		if plain == seen {
			break
		}
		for _, r := range plain {
			f.put(r, i, n)
		}
		return n
	}
	f.put('&', i, 1)
	return 1
}

// inlineTags leave no space behind: <b>J</b>ane is one word.
const inlineTags = " a abbr b big code em font i ins mark s small span strong sub sup tt u "

// blockTags stand for a space.
const blockTags = " br div dd dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td th tr ul "

// tag drops an HTML tag.
func (f *folder) tag(i int) int {
	for n := 3; n <= longestMark && i+n <= len(f.in); n++ {
		if f.in[i+n-1] != '>' {
			continue
		}
		name := strings.ToLower(strings.Trim(string(f.in[i:i+n]), "</>"))
		name, _, _ = strings.Cut(name, " ")
		switch {
		case strings.Contains(inlineTags, " "+name+" "):
			return n
		case strings.Contains(blockTags, " "+name+" "):
			f.put(' ', i, n)
			return n
		}
		n = longestMark // no tag: what follows is not looked at
	}
	f.put('<', i, 1)
	return 1
}

// escape undoes what a JSON string escapes: \n, \" and \u00e9.
func (f *folder) escape(i int) int {
	if i+1 < len(f.in) {
		switch f.in[i+1] {
		case 'n', 't', 'r':
			f.put(' ', i, 2)
			return 2
		case '"', '/', '\\':
			f.put(f.in[i+1], i, 2)
			return 2
		case 'u':
			if i+6 <= len(f.in) {
				if v, err := strconv.ParseUint(string(f.in[i+2:i+6]), 16, 16); err == nil {
					f.put(rune(v), i, 6)
					return 6
				}
			}
		}
	}
	f.put('\\', i, 1)
	return 1
}

// emphasis drops a mark of Markdown: a run of one sign at the edge of a word.
func (f *folder) emphasis(i int) int {
	n := 1
	for i+n < len(f.in) && f.in[i+n] == f.in[i] {
		n++
	}
	before, after := i > 0 && wordRune(f.in[i-1]), i+n < len(f.in) && wordRune(f.in[i+n])
	inside := f.in[i] != '_' && before && after && !unicode.IsDigit(f.in[i-1]) && !unicode.IsDigit(f.in[i+n])
	if n <= 3 && (before != after || inside) && !(f.in[i] == '_' && f.endsHandle(i)) {
		return n
	}
	for k := range n {
		f.put(f.in[i+k], i+k, 1)
	}
	return n
}

// endsHandle reports whether rune i ends a user name behind an at sign: @jane_.
func (f *folder) endsHandle(i int) bool {
	from := i
	for from > 0 && (wordRune(f.in[from-1]) || f.in[from-1] == '_' || f.in[from-1] == '.') {
		from--
	}
	return from > 0 && from < i && f.in[from-1] == '@' && (from == 1 || !wordRune(f.in[from-2]))
}

// lineBreak joins a line to the next where a word or a number goes on: what
// ends with a letter, digit or comma has not ended.
func (f *folder) lineBreak(i int) int {
	n := 1
	for i+n < len(f.in) && (f.in[i+n] == ' ' || f.in[i+n] == '\t' || f.in[i+n] == '\r') {
		n++
	}
	last := len(f.out) - 1
	for last >= 0 && f.out[last].r == ' ' {
		last--
	}
	goesOn := last >= 0 && (wordRune(f.out[last].r) || f.out[last].r == ',' || f.out[last].r == '-')
	if goesOn && i+n < len(f.in) && wordRune(f.in[i+n]) {
		f.put(' ', i, n)
		return n
	}
	f.out = append(f.out, folded{'\n', int32(i), int32(i + 1)})
	return 1
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// alike are letters of Greek and Cyrillic and the Latin ones that they look like.
var alike = func() map[rune]rune {
	const other, latin = "аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅαορνυικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijshdqwABEKMHOPCTYXIJSaopvuikABEZHIKMNOPTYX"
	pairs, l := map[rune]rune{}, []rune(latin)
	for i, r := range []rune(other) {
		pairs[r] = l[i]
	}
	return pairs
}()

// lookAlikes puts Latin letters for those that only look so, in words that have
// Latin letters too.
func (f *folder) lookAlikes() {
	for i := 0; i < len(f.out); {
		j, latin, other := i, false, false
		for j < len(f.out) && (wordRune(f.out[j].r) || f.out[j].r == '\'' || f.out[j].r == '.' || f.out[j].r == '@') {
			latin = latin || unicode.Is(unicode.Latin, f.out[j].r)
			other = other || alike[f.out[j].r] != 0
			j++
		}
		for k := i; latin && other && k < j; k++ {
			if r := alike[f.out[k].r]; r != 0 {
				f.out[k].r = r
			}
		}
		i = max(j, i+1)
	}
}

// text lays the runes out as bytes.
func (f *folder) text() Text {
	var b strings.Builder
	t := Text{from: make([]int32, 0, len(f.out)), to: make([]int32, 0, len(f.out))}
	for _, x := range f.out {
		n, _ := b.WriteRune(x.r)
		for range n {
			t.from, t.to = append(t.from, x.from), append(t.to, x.to)
		}
	}
	t.S = b.String()
	return t
}

// Span turns byte borders into code points of the original. The end comes from
// the last byte inside, so that dropped characters after it stay outside.
func (t Text) Span(from, to int) (start, end int) {
	if t.from == nil {
		return from, to
	}
	return int(t.from[from]), int(t.to[to-1])
}

// compose joins a letter and an accent where Unicode has one letter for both.
func compose(letter, accent rune) (rune, bool) {
	s := norm.NFC.String(string(letter) + string(accent))
	r, size := utf8.DecodeRuneInString(s)
	return r, size == len(s) && r != utf8.RuneError
}

// plain is one rune as a scanner sees it, or -1 for one that cannot be seen.
func plain(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case r >= 0xC0 && r < 0x250 && r != 0xD7 && r != 0xF7:
		return r // Latin letters, by far the most frequent
	case strings.ContainsRune("’‘ʼ´＇", r):
		return '\''
	case strings.ContainsRune("“”„‟«»＂", r):
		return '"'
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
		return -1
	case unicode.Is(unicode.Nd, r):
		return '0' + digitValue(r)
	case unicode.IsSpace(r) || r >= 0x2600 && unicode.Is(unicode.So, r):
		return ' '
	case unicode.Is(unicode.Pd, r) || r == '\u2212': // minus sign
		return '-'
	}
	return compatible(r)
}

// compatible is the rune that Unicode takes for the same but for its looks, if it is
// one.
func compatible(r rune) rune {
	if k := norm.NFKC.String(string(r)); utf8.RuneCountInString(k) == 1 {
		r, _ = utf8.DecodeRuneInString(k)
	}
	return r
}

// digitValue is 0–9 for a decimal digit of any script: Unicode keeps each set of
// ten in one run that starts with zero, and runs may adjoin.
func digitValue(r rune) rune {
	for _, rng := range unicode.Nd.R16 {
		if r >= rune(rng.Lo) && r <= rune(rng.Hi) {
			return (r - rune(rng.Lo)) % 10
		}
	}
	for _, rng := range unicode.Nd.R32 {
		if r >= rune(rng.Lo) && r <= rune(rng.Hi) {
			return (r - rune(rng.Lo)) % 10
		}
	}
	return 0
}
