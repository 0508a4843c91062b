package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// maxCue is the number of tokens in the longest cue.
const maxCue = 6

// references finds what stands behind a word that announces a reference, a
// policy, an account, a card or a document.
func (x *Sheet) references() {
	for i := 0; i < len(x.tok); i++ {
		c, n := x.cueAt(i)
		if n == 0 {
			continue
		}
		if to := x.behind(i+n, c, x.numberBefore(i)); to > 0 {
			i = max(i, x.at(to)-1)
		} else {
			i += n - 1
		}
	}
}

// cueAt finds the longest cue that starts at token i.
func (x *Sheet) cueAt(i int) (best cue, size int) {
	if x.tok[i].Kind != lex.Letters && x.tok[i].Kind != lex.Mixed {
		return
	}
	m := cues()
	key := x.tok[i].Key
	for j := i; j < len(x.tok) && j < i+maxCue; j++ {
		if j > i {
			key = lex.Join(key, x.tok[j].Key)
		}
		if c, ok := m[key]; ok {
			best, size = c, j-i+1
		}
	}
	if size == 0 && numberWord(x.word(i)) {
		return cue{CaseRef, true}, 1
	}
	if size == 0 && bareNumberKeys()[x.tok[i].Key] {
		return cue{OtherID, false}, 1
	}
	return
}

// bareNumberKeys are the words that announce a number of nobody knows what.
var bareNumberKeys = sync.OnceValue(func() map[uint64]bool {
	return keySet("number no nr número numero nummer numer item shoulder")
})

// numberWord knows the compounds that German and Dutch build freely:
// Widerspruchsnummer, Inkasso-Nr, dossiernr.
func numberWord(w string) bool {
	if len(w) < 7 {
		return false
	}
	low := strings.ToLower(w)
	return strings.HasSuffix(low, "nummer") || strings.HasSuffix(low, "-nr") || strings.HasSuffix(low, "zeichen") && len(w) > 9 || strings.HasSuffix(low, "nr")
}

// numberBefore tells whether a number word stands shortly before token i, as in
// "número de expediente".
func (x *Sheet) numberBefore(i int) bool {
	for j := max(0, i-3); j < i; j++ {
		if oneOf(x.word(j), numberWords) || x.word(j) == "№" {
			return true
		}
	}
	return false
}

// behind looks for the value of a cue that ends before token i.
func (x *Sheet) behind(i int, c cue, numbered bool) int {
	sure := numbered
	for hops := 0; i < len(x.tok) && hops < 6; hops++ {
		t, w := x.tok[i], x.word(i)
		switch {
		case t.Kind == lex.Sign && strings.Contains(":#=(-\"'„“«.º°/", w):
			if w == "." && !x.abbreviated(i) {
				return 0
			}
			sure = sure || w == ":" || w == "#" || w == "=" || w == "º" || w == "°"
		case t.Kind == lex.Sign && w == "№":
			sure = true
		case w == "," && c.strong && hops == 0:
		case oneOf(w, numberWords) && !x.valueAhead(i):
			sure = sure || w != "of"
		case isNumberLetter(w) && i+1 < len(x.tok) && x.is(i+1, ".°º:"):
			sure = true
		case strings.Contains(joiners, " "+strings.ToLower(w)+" ") && t.Kind == lex.Letters:
		default:
			return x.take(i, c, sure)
		}
		i++
	}
	return 0
}

// valueAhead tells a number word such as NO that starts a code ("NO-1123").
func (x *Sheet) valueAhead(i int) bool {
	return i+1 < len(x.tok) && !x.tok[i+1].Space && x.is(i+1, "-") && x.tok[i].Case == lex.Caps
}

func isNumberLetter(w string) bool { return w == "n" || w == "N" || w == "º" || w == "°" }

// abbreviated tells whether the full stop at token i ends an abbreviation
// ("no.", "Az.", "ref.") and not the sentence.
func (x *Sheet) abbreviated(i int) bool {
	if i == 0 || x.tok[i].Space || i+1 >= len(x.tok) {
		return false
	}
	w := x.word(i - 1)
	return len(w) == 1 || oneOf(w, numberWords) || oneOf(w, abbreviations)
}

const abbreviations = "no nos nr nrs num ref refs réf az gz prot rif acct tel sygn expte exp kd kto pol vers st acc lic reg cert inv conf auth id rej ver cod códice núm ktr tkt ticketnr"

// take reads a value at token i and marks it when it can be one.
func (x *Sheet) take(i int, c cue, sure bool) int {
	from := x.tok[i].From
	to := x.value(i)
	if to == 0 {
		return 0
	}
	text := x.s[from:to]
	n := digitsIn(text)
	letters := strings.ContainsAny(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	switch {
	case n == 0:
		return 0
	case !c.strong && !sure && (n < 4 || n == 4 && isYear(text)):
		if !(letters && (n >= 2 || upperOrDigit(text) && n >= 1) && len(text) >= 5 && !strings.HasPrefix(text, "Form")) {
			return 0
		}
	case c.strong && !sure && n <= 2 && !letters || n < 2 && len(text) < 3:
		return 0
	case c.strong && !sure && n == 4 && isYear(text):
		return 0
	}
	if x.isDate(from, to) || x.isMoney(from, to) || x.lawBefore(from) && longestRun(text) < 6 {
		return 0
	}
	if x.countedThing(to) && n <= 3 {
		return 0
	}
	x.add(from, to, c.kind, "reference", 0.95)
	return to
}

func isYear(s string) bool {
	return len(s) == 4 && digitsIn(s) == 4 && (s[:2] == "19" || s[:2] == "20")
}

// value reads a code that starts at token i: groups of letters and digits with
// -, /, . or _ between, and further groups behind single spaces as long as they
// look like the same code. It returns the byte behind it, or 0.
func (x *Sheet) value(i int) int {
	at := x.tok[i].From
	to, ok := x.codeGroup(at)
	if !ok {
		// A code may start with letters that stand alone: "KH 2023", "QQ 12 34".
		if to == 0 || to-at > 4 || !upper(x.s[at:to]) || to+1 >= len(x.s) || x.s[to] != ' ' || !isDigit(x.s[to+1]) {
			return 0
		}
	}
	for to+1 < len(x.s) && x.s[to] == ' ' {
		next, digits := x.codeGroup(to + 1)
		if next == 0 {
			break
		}
		group := x.s[to+1 : next]
		if !x.continues(group, digits, to, next) {
			break
		}
		to = next
	}
	return to
}

// continues tells whether a group behind a space belongs to the code before it.
func (x *Sheet) continues(group string, digits bool, to, next int) bool {
	n := digitsIn(group)
	switch {
	case !digits: // letters alone: 12 C 345/23k, LK51 XYZ
		return len(group) <= 3 && upper(group) && !x.wordFollows(next) && group != "I" && !isUnitWord(group)
	case n == len(group): // digits alone
		return (isDigit(x.s[to-1]) || x.capsGroupEnds(to)) && !(n == 4 && isYear(group) && !isDigitEnd(x.s[:to], 3)) && !x.countedThing(next) && !(n <= 2 && x.wordFollows(next))
	}
	return n*2 >= len(group) || upperOrDigit(group) && !x.isDate(to+1, next)
}

// capsGroupEnds tells whether a short group of capitals ends at a byte, as NYL in
// "NYL 33 819 204".
func (x *Sheet) capsGroupEnds(to int) bool {
	i := to
	for i > 0 && x.s[i-1] >= 'A' && x.s[i-1] <= 'Z' {
		i--
	}
	return i < to && to-i <= 4 && (i == 0 || !x.letterAt(i-1))
}

func isDigitEnd(s string, n int) bool {
	for i := len(s) - 1; i >= 0 && n > 0; i, n = i-1, n-1 {
		if !isDigit(s[i]) {
			return false
		}
	}
	return n == 0
}

// wordFollows tells whether an ordinary word, in small letters, stands behind.
func (x *Sheet) wordFollows(to int) bool {
	i := x.at(to)
	return i < len(x.tok) && x.tok[i].Kind == lex.Letters && x.tok[i].Case == lex.Lower && x.tok[i].Space
}

// countedThing tells whether what follows is a unit: the number counts days,
// pages or money and is no code.
func (x *Sheet) countedThing(to int) bool {
	if to < len(x.s) && strings.HasPrefix(x.s[to:], "%") {
		return true
	}
	i := x.at(to)
	return i < len(x.tok) && (x.tok[i].Flags&lex.Month != 0 && x.tok[i].Kind == lex.Letters || isUnitWord(x.word(i)) || x.is(i, "%€$£"))
}

const units = "days day weeks week months month years year hours hour minutes business working calendar pages page times people letters calls steps percent am pm eur usd gbp chf pln zł euro euros dollars pounds tage tagen wochen monate monaten jahre jahren stunden uhr seiten jours jour semaines mois ans heures pages días día semanas meses años horas euros dias semanas anos reais giorni giorno settimane mesi anni ore euro dagen weken maanden jaar uur werkdagen dni dzień tygodni tygodnie miesięcy lat godzin złotych kwh m3 mg ml km"

func isUnitWord(w string) bool { return oneOf(w, units) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// codeGroup reads one group without spaces from a byte; ok tells whether it
// holds a digit. A group of prose (small letters without a digit) is none.
func (x *Sheet) codeGroup(i int) (to int, ok bool) {
	start, digit := i, false
	if i < len(x.s) && x.s[i] == '#' {
		i++
	}
	for i < len(x.s) {
		c := x.s[i]
		switch {
		case isDigit(c):
			digit = true
		case x.letterAt(i):
		case strings.IndexByte("-/._:+*#", c) >= 0 && i > start && x.letterAt(i+1) && (c != ':' || isDigit(x.s[i+1])):
		case c == '/' && i > start && i+2 < len(x.s) && x.s[i+1] == '/' && x.letterAt(i+2):
			i++
		case c == '*' || c == '-' && i+1 < len(x.s) && x.s[i+1] == '-':
		case c >= 0x80:
			return 0, false // a word with other letters
		default:
			return ended(start, i, digit)
		}
		i++
	}
	return ended(start, i, digit)
}

func ended(start, i int, digit bool) (int, bool) {
	if i == start {
		return 0, false
	}
	return i, digit
}

func upper(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return s != ""
}

func upperOrDigit(s string) bool {
	for i := range len(s) {
		if s[i] >= 'a' && s[i] <= 'z' {
			return false
		}
	}
	return s != ""
}

// lawBefore tells whether a number at a byte is a place in a law or a form:
// § 12, Art. 15, Form 1099, Directive 93/13.
func (x *Sheet) lawBefore(from int) bool {
	i := x.at(from) - 1
	for hops := 0; i >= 0 && hops < 6; i, hops = i-1, hops+1 {
		w := x.word(i)
		if w == "§" || oneOf(w, lawNumberWords) {
			return true
		}
		if !(x.is(i, ".()°º#§") || oneOf(w, "no nr n o nº eu ue eg ec eec ewg ce of über to cms irs nos")) && x.tok[i].Kind != lex.Digits {
			return false
		}
	}
	return false
}

const lawNumberWords = "cfr c.f.r usc u.s.c usca art arts article articles artikel artículo artigo articolo artykuł section sections sec secs code part rule rules regulation directive verordnung richtlinie règlement directive reglamento directiva regulamento diretiva regolamento direttiva verordening richtlijn rozporządzenie dyrektywa form forms formular formulaire formulario formulário modulo modello modelo formulier formularz chapter title act law pub paragraph para abs absatz ley lei legge wet loi gesetz ustawa dekret decreto décret bgb iso din reg part clause cl pl stat lbl annex ordinance §§ schedule portaria decreto-lei dl rdl rd lc resp eresp sts stc sap cass civ bgh bverfg bag bsg bfh olg adi resolução resolución circular instrução dlgs vo rl bfhe recomendação nom poz"
