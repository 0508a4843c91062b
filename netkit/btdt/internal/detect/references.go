package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// maxCue is the number of tokens in the longest cue.
const maxCue = 6

// quest is the search for the value of one cue.
type quest struct {
	cue
	first, end int  // tokens of the cue
	sure       bool // a number word or a sign says that a value follows
	far        bool // something stands between: the value must look like a code
	words      bool // and that are words
}

// references finds what stands behind a word that announces a reference, a
// policy, an account, a card or a document, or right before it.
func (x *Sheet) references() {
	for i := 0; i < len(x.tok); i++ {
		c, n := x.cueAt(i)
		if n == 0 {
			continue
		}
		q := quest{cue: c, first: i, end: i + n, sure: x.numberBefore(i)}
		if to := x.behind(q); to > 0 {
			i = max(i, x.at(to)-1)
			continue
		}
		x.ahead(q)
		i += n - 1
	}
}

// cueAt finds the longest cue that starts at token i.
func (x *Sheet) cueAt(i int) (best cue, size int) {
	if x.word(i) == "№" {
		return cue{OtherID, false}, 1
	}
	if x.tok[i].Kind != lex.Letters && x.tok[i].Kind != lex.Mixed || x.tok[i].Case == lex.Caps && x.startsCode(i) {
		return
	}
	m := cues()
	key := x.tok[i].Key
	for j := i; j < len(x.tok) && j < i+maxCue; j++ {
		if x.is(j, ".") && (x.abbreviated(j) || j+1 < len(x.tok) && !x.tok[j+1].Space && x.tok[j+1].Kind != lex.Digits) {
			continue // Ref. No. is Ref No, Best.-Nr is Best-Nr
		}
		if j > i {
			key = lex.Join(key, x.tok[j].Key)
		}
		if c, ok := m[key]; ok {
			best, size = c, j-i+1
		}
	}
	if size == 2 && x.word(i) == "a" && oneOf(x.wordOr(i+1), "number") {
		return cue{}, 0 // a number that he gave is no A-Number
	}
	if size == 1 && x.tok[i].Case == lex.Lower && oneOf(x.word(i), acronyms) {
		return cue{}, 0
	}
	if size > 0 {
		return
	}
	if kind := compound(x.word(i)); kind != "" {
		return cue{kind, true}, 1
	}
	if c, ok := x.tail(i); ok {
		return c, 1
	}
	if kind := x.paper(i); kind != "" {
		return cue{kind, false}, 1
	}
	if isNumberLetter(x.word(i)) && x.is(i+1, ".") && x.wordOr(i+2) == "o" && !x.tok[i+2].Space {
		return cue{OtherID, false}, 3 // n.º
	}
	if isNumberLetter(x.word(i)) && (x.is(i+1, "°º") || x.is(i+1, ".") && i > 0 && oneOf(x.word(i-1), "al il col sub dal del nel nr")) {
		return cue{OtherID, false}, 2
	}
	if bareNumberKeys()[x.tok[i].Key] || x.word(i) == "ID" || x.word(i) == "Id" {
		return cue{OtherID, false}, 1
	}
	return
}

// acronyms announce something in capitals alone; in small letters they are words
// of some language.
const acronyms = "tip sin tan pan cin cie uid ine nis rio nam nas bin arn ni nir stp eni team csv tie cni rg cf ci ein nif rut rit ruc ean tw ot os hc nb sns nip nss cns pis nit rum spi cif urn crn tin dea mbi pod fin rib eth cups nda fir umr sdd cron rad"

// bareNumberKeys are the words that announce a number of nobody knows what.
var bareNumberKeys = sync.OnceValue(func() map[uint64]bool {
	return keySet("number no nr número numero nummer numer numéro num núm item shoulder numbers numeru numerem numerze numerami números numeri nummern")
})

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

// maxSkipped words without meaning of their own may stand between cue and value.
const maxSkipped = 3

// behind looks for the value of a cue behind it.
func (x *Sheet) behind(q quest) int {
	skipped := 0
	for i, hops := q.end, 0; i < len(x.tok) && hops < 8; i, hops = i+1, hops+1 {
		if q.kind == Phone && (x.tok[i].Kind == lex.Digits || x.is(i, "(+")) {
			if to := x.phone(x.tok[i].From); to > 0 {
				return to
			}
		}
		over, stop := x.passes(i, hops, &q)
		if stop {
			return 0
		}
		if over {
			continue
		}
		if x.tok[i].Kind == lex.Placeholder && !strings.HasPrefix(x.word(i), "["+Name) {
			return x.tok[i].To // taken already
		}
		if to := x.take(i, q); to > 0 {
			return x.further(to, q)
		}
		if skipped++; skipped > maxSkipped || !x.skips(i) {
			return 0
		}
		if skipped == 1 && x.numberOf(q, i) {
			continue
		}
		q.far, q.words = true, true
	}
	return 0
}

// numberOf tells whether the word at i says of what the sign for number before it
// is one, whatever that may be: n° de minute, nr serwisowy, nº de mutualista. The
// Spanish no means a number only with its de, for most often it is a not.
func (x *Sheet) numberOf(q quest, i int) bool {
	sign := x.word(q.first)
	if x.tok[i].Case != lex.Lower || q.strong || q.kind != OtherID || !isNumberLetter(sign) && !oneOf(sign, "no nr núm num") || oneOf(x.word(i), "page página pagina vert verde pages") {
		return false
	}
	of := x.is(i-1, "'") || oneOf(x.word(i-1), "de del di do da du des della")
	return of || !oneOf(sign, "no")
}

// passes tells whether token i belongs between a cue and its value, and whether
// the search ends at it.
func (x *Sheet) passes(i, hops int, q *quest) (over, stop bool) {
	t, w := x.tok[i], x.word(i)
	switch {
	case t.Kind == lex.Sign && w == "." && !x.abbreviated(i):
		return false, true
	case t.Kind == lex.Sign && strings.Contains(":#=(-\"'.º°/", w):
		q.sure = q.sure || w == ":" || w == "#" || w == "=" || w == "º" || w == "°"
	case t.Kind == lex.Sign && w == "№":
		q.sure = true
	case x.modelNumber(i, q):
		// the plate may follow
	case q.strong && w == "?" && x.is(i+1, "\"'"):
		q.far = true // "What's your order number?" "700-2214-B."
	case w == ",":
		q.far = q.far || !q.strong || hops > 0
	case oneOf(w, numberWords) && !x.valueAhead(i, q.kind):
		q.sure = true
	case isNumberLetter(w) && i+1 < len(x.tok) && x.is(i+1, ".°º:"):
		q.sure = true
	case q.strong && t.Case == lex.Lower && oneOf(w, quoting) && !oneOf(x.word(q.first), gauges):
	case t.Case == lex.Caps && i+1 < len(x.tok) && x.tok[i+1].Kind == lex.Digits && x.tok[i+1].To-x.tok[i+1].From > 2 && !x.shouted():
		return false, false // DO 1180-442-77
	case t.Kind == lex.Letters && (t.Case == lex.Lower || t.To-t.From > 1 && x.spaceAfter(i)) && strings.Contains(joiners, " "+strings.ToLower(w)+" "):
	default:
		return false, false
	}
	return true, false
}

// quoting words say what a number is, between it and its word.
const quoting = "said says read reads reading stated shows showed displays displayed given gave quoted called namely stands hieß steht stand angegeben genannt porte portait indiquait indique affichait decía dice pone ponía ponen rezaba dizia diz indica recava reca riporta dice diceva vermeldt luidt luidde stond podano podany podana nadano nadany brzmiała otrzymała otrzymał nosi"

// gauges are read, and what they read is no number of theirs.
const gauges = "meter meters zähler compteur contador contatore contatori licznik licznika wodomierz odometer teller"

// skips tells whether token i may stand between a cue and its value: a word that
// announces nothing else and is no law, or what was taken out already.
func (x *Sheet) skips(i int) bool {
	t := x.tok[i]
	if t.Kind == lex.Placeholder {
		return true
	}
	if t.Kind != lex.Letters || t.Flags&(lex.LawWord|lex.Law|lex.Month) != 0 || lawNumberKeys()[t.Key] || x.taken(t.From, t.To) {
		return false
	}
	if x.startsCode(i) {
		return false
	}
	_, n := x.cueAt(i)
	return n == 0
}

// startsCode tells whether token i is the start of a code and no word: SIN/3095.
func (x *Sheet) startsCode(i int) bool {
	return i+2 < len(x.tok) && x.is(i+1, "-/_") && !x.tok[i+1].Space && !x.tok[i+2].Space && x.tok[i+2].Kind != lex.Letters
}

// spaceAfter tells whether a space or a colon follows token i.
func (x *Sheet) spaceAfter(i int) bool {
	return i+1 < len(x.tok) && (x.tok[i+1].Space || x.is(i+1, ":"))
}

// valueAhead tells a number word such as NO that starts a code ("NO-1123") or a
// plate.
func (x *Sheet) valueAhead(i int, kind string) bool {
	if i+1 >= len(x.tok) || x.tok[i].Case != lex.Caps {
		return false
	}
	return !x.tok[i+1].Space && x.is(i+1, "-") || kind == Vehicle && x.tok[i+1].Kind == lex.Digits
}

func isNumberLetter(w string) bool { return w == "n" || w == "N" || w == "º" || w == "°" }

// abbreviated tells whether the full stop at token i ends an abbreviation
// ("no.", "Az.", "ref.") and not the sentence.
func (x *Sheet) abbreviated(i int) bool {
	if i == 0 || x.tok[i].Space || i+1 >= len(x.tok) {
		return false
	}
	w := x.word(i - 1)
	return len(w) == 1 || oneOf(w, numberWords) || oneOf(w, abbreviations) || strings.HasSuffix(w, "nr") || compound(w) != ""
}

const abbreviations = "doc aktenz aktz rep ext extn int wew dw ramal app klappe urk gesch vers schein pers kenn belegn no nos nr nrs num ref refs réf az gz prot rif acct tel sygn expte exp kd kto pol vers st acc lic reg cert inv conf auth id rej ver cod códice núm ktr tkt ticketnr matr mat op ag cta cont fatt ord dok zam zgł dec post ric sent exped proc recl fra fact pág abon cli matríc ident bezw"

// take reads a value at token i and marks it when it can be what the cue says.
func (x *Sheet) take(i int, q quest) int {
	from := x.tok[i].From
	to := x.value(i, q.cue)
	if to == 0 {
		return x.takeLocator(i, q)
	}
	text := x.s[from:to]
	booked := q.kind == CaseRef && locator(text) && (!q.words && x.is(i-1, ",") || i-q.end < 5 && oneOf(x.word(q.first), bookings))
	if q.model(x, i, text) || !q.fits(text) && !x.startsRow(from, to) || q.far && !booked && !coded(text) || q.far && !booked && !q.strong && !q.sure && digitsIn(text) < 6 && (q.words || !strings.ContainsAny(text, "-/")) {
		return 0
	}
	if x.publicCue(q.first) || x.boxed(from) || !q.sure && decimal(behindHead(text)) || fraction(text) || q.public(text) || x.Field == "legal_levers" && (!q.private(text) || x.word(q.first) == "RG") {
		return 0
	}
	if x.isDate(from, to) || x.isMoney(from, to) || !q.sure && q.kind != Vehicle && !x.is(i-1, "/") && x.sumInside(from, to) || x.publicNumber(from, text) || holdsLaw(text) {
		return 0
	}
	if q.kind == Financial && len(text) < 3 || q.end-q.first == 1 && !q.sure && oneOf(x.word(q.first), "ticket") && (len(text) < 4 || formed(text, "A999")) {
		return 0 // the number of a queue
	}
	if q.kind == Phone && !onlyDigitsAndSigns(text) || oneOf(x.word(q.first), quotes) && digitsIn(text) == len(text) || q.end-q.first < 3 && oneOf(x.word(q.first), codeOfWhat) && !locator(text) && !mingled(text) && !(strings.Contains(text, "-") && coded(text) && !onlyDigitsAndSigns(text) && !oneOf(x.wordOr(q.first-1), publicCodes)) {
		return 0
	}
	if !q.strong && x.lawAfter(to) || digitsIn(text) == len(text) && oneOf(x.wordOr(x.at(to)), "kwh mwh m3 smc km miles") {
		return 0
	}
	if q.kind == OtherID && !q.strong && (x.shortCode(q.first, text) || x.hotline(from, to)) {
		return 0
	}
	if !(q.strong && (q.end-q.first > 1 || q.kind == Vehicle && !onlyDigitsAndSigns(text)) || oneOf(x.word(q.first), codeOfWhat)) && x.lawBefore(from) && longestRun(text) < 6 {
		return 0
	}
	if (q.far || digitsIn(text) <= 3 || len(text) <= 5 && strings.Contains(text, "-")) && x.countedThing(to) || q.far && onlyDigitsAndSigns(text) && x.isPhone(from, to) || (q.far || !q.strong && q.kind == OtherID) && lawNumber(text) {
		return 0
	}
	if q.kind == Phone && oneOf(x.word(q.first), extensionWords) {
		from = x.tok[q.first].From // ext. 3309 is a number as a whole
	}
	x.add(from, to, q.kind, "reference", 0.95)
	return to
}

// quotes announce whatever is said next, so a number alone is none; codeOfWhat
// announce tariffs, errors and places as well, and only a word of letters and
// digits by turns belongs to someone.
const (
	quotes     = "quoting quoted"
	codeOfWhat = "code código codice codes"
	// publicCodes stand before a code that everybody shares.
	publicCodes = "error fault postal post zip area country cpt hcpcs procedure diagnosis building tax tariff sic naics reason denial revenue remark commodity colour color"
)

// model tells whether the value at token i names the type of a thing: moto (Honda
// CG 160), a Serie 4 SMS4HVW33G.
func (q quest) model(x *Sheet, i int, text string) bool {
	if q.kind == Vehicle && !q.sure {
		return x.capital(i-1) && x.has(i-1, lex.Org|lex.Seen) && len(text) <= 6 && digitsIn(text) <= 3
	}
	return !q.sure && !q.strong && oneOf(x.word(q.first), "serie series") && i == q.end && x.tok[i].Kind == lex.Digits && x.tok[i].To-x.tok[i].From < 3
}

// takeLocator takes the six letters that airlines call a booking by.
func (x *Sheet) takeLocator(i int, q quest) int {
	t := x.tok[i]
	if !q.strong || q.far || t.Kind != lex.Letters || t.Case != lex.Caps || t.To-t.From != 6 || t.Flags != 0 || x.shouted() {
		return 0
	}
	x.add(t.From, t.To, q.kind, "locator", 0.9)
	return t.To
}
