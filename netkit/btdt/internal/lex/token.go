package lex

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of a token.
type Kind uint8

// Kinds of tokens.
const (
	Letters     Kind = iota + 1 // O'Brien, Jean-Luc, claim
	Digits                      // 2024
	Mixed                       // 23k, EXK7731902
	Sign                        // one character of anything else
	Placeholder                 // [NAME_1]
)

// Case is how the letters of a token are written.
type Case uint8

// Cases. Caps has at least two letters, all capital.
const (
	Lower Case = iota
	Capital
	Caps
	Inner // McDonald, iPhone: a capital inside
)

// Token is a word, number or sign of a text. Offsets are bytes.
type Token struct {
	From, To int
	Kind     Kind
	Case     Case
	Space    bool // white space before it
	Line     bool // a line starts with it
	Key      uint64
	Flags    Flags
}

// placeholders are the words that may stand in brackets.
const placeholders = " NAME CASE_REF POLICY_REF ACCOUNT MEDICAL EMAIL PHONE ADDRESS DOB NATIONAL_ID FINANCIAL VEHICLE NETWORK OTHER_ID "

// PlaceholderAt returns the length of the placeholder that s starts with, or 0:
// [NAME], [NAME_12].
func PlaceholderAt(s string) int {
	if len(s) < 5 || s[0] != '[' {
		return 0
	}
	end := strings.IndexByte(s[:min(len(s), 24)], ']')
	if end < 0 {
		return 0
	}
	word := s[1:end]
	if i := strings.LastIndexByte(word, '_'); i > 0 && word[i+1:] != "" && strings.Trim(word[i+1:], "0123456789") == "" {
		word = word[:i]
	}
	if word == "" || strings.ContainsAny(word, " ") || !strings.Contains(placeholders, " "+word+" ") {
		return 0
	}
	return end + 1
}

// Split cuts a folded text into tokens, appending to the given slice.
func Split(s string, tokens []Token) []Token {
	before := len(tokens)
	space, line := true, true
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			space, line = true, line || r == '\n'
			i++
			continue
		}
		t := Token{From: i, Space: space, Line: line}
		switch {
		case r == '[' && PlaceholderAt(s[i:]) > 0:
			t.To, t.Kind = i+PlaceholderAt(s[i:]), Placeholder
		case letter(r) || r >= '0' && r <= '9':
			word(s, &t)
		default:
			t.To, t.Kind = i+n, Sign
			t.Key = Key(s[i:t.To])
		}
		tokens = append(tokens, t)
		i, space, line = t.To, false, t.Line && r == '>' // quoted mail
	}
	settle(tokens[before:])
	return tokens
}

func letter(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || unicode.Is(unicode.M, r)
}

// word reads letters and digits, with hyphens and apostrophes between letters.
func word(s string, t *Token) {
	i, letters, digits, upper, lower, hyphen := t.From, 0, 0, 0, 0, 0
	first := true
	inner := false
	for i < len(s) {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r >= '0' && r <= '9':
			digits++
		case letter(r):
			letters++
			if unicode.IsUpper(r) {
				upper++
				inner = inner || !first && lower > 0
			} else {
				lower++
			}
		case (r == '-' || r == '\'') && digits == 0 && joins(s, t.From, i):
			hyphen = i
			i++
			first = true
			continue
		default:
			r = -1
		}
		if r < 0 {
			break
		}
		first = false
		i += n
	}
	t.To = i
	t.Kind = Mixed
	if digits == 0 {
		t.Kind = Letters
	} else if letters == 0 {
		t.Kind = Digits
	}
	t.Case = caseOf(s[t.From:], upper, letters, inner)
	t.Key = Key(s[t.From:t.To])
	t.Flags = Of(t.Key)
	if t.Kind == Letters {
		t.Flags = judged(s[t.From:t.To], t, hyphen > 0)
	}
}

// caseOf tells how a word is written that has so many capitals among its letters.
func caseOf(w string, upper, letters int, inner bool) Case {
	start, _ := utf8.DecodeRuneInString(w)
	switch {
	case upper == letters && letters > 1:
		return Caps
	case unicode.IsUpper(start) && !inner:
		return Capital
	case upper > 0 && (inner || !unicode.IsUpper(start)):
		return Inner
	}
	return Lower
}

// judged adds to the flags of a word of letters what its form tells.
func judged(w string, t *Token, joined bool) Flags {
	f := t.Flags
	if f&^Surname == 0 && t.Case == Capital {
		f |= inflected(w)
	}
	if f&(Given|Surname|Word|Foreign) == 0 && endsIn(w, 8, ordinaryEnds) {
		f |= Foreign
	}
	if clinical(w) {
		f |= Clinical
	}
	switch {
	case joined && contraction(w):
		f |= Word
	case f == 0 && t.Case == Capital && compound(w):
		f = Foreign
	case f == 0 && joined:
		f = partFlags(w)
	}
	return f
}

// longestCompound is more bytes than a word has that somebody wrote by hand.
const longestCompound = 80

// compound tells whether a word is a German noun behind another word:
// Wetterarchiv, Verbraucherverträge. Longer chains are none, and each of their
// ends would cost as much as the whole.
func compound(w string) bool {
	if len(w) > longestCompound {
		return false
	}
	for i := 4; i+4 <= len(w); i++ {
		if !utf8.RuneStart(w[i]) || Of(Key(w[i:]))&Noun == 0 {
			continue
		}
		if len(w)-i > 6 {
			return true
		}
		head := strings.TrimSuffix(w[:i], "s")
		if Of(Key(head))&(Noun|Word|Foreign) != 0 || Of(Key(w[:i]))&(Noun|Foreign) != 0 {
			return true
		}
	}
	return false
}

// caseEnds are endings that German and Polish add to names, and what a name has
// in their place.
var caseEnds = [][2]string{{"s", ""}, {"owi", ""}, {"em", ""}, {"iem", ""}, {"a", ""}, {"y", "a"}, {"ę", "a"}, {"ą", "a"}, {"ie", "a"}, {"i", "a"}, {"u", ""}}

// inflected is Given for a name with a case ending, as Paulas, Anny, Markiem, and
// Surname for one with an s.
func inflected(w string) Flags {
	for _, end := range caseEnds {
		if stem, ok := strings.CutSuffix(w, end[0]); ok && len(stem) >= 4 {
			if f := Of(Key(stem + end[1])); f&Given != 0 && f&(Word|Foreign|Place) == 0 {
				return Given
			}
		}
	}
	// Quandts Techniker, the Hutchinsons
	if stem, ok := strings.CutSuffix(w, "s"); ok && len(stem) >= 4 {
		if f := Of(Key(stem)); f&Surname != 0 && f&(Word|Foreign|Languages|Place) == 0 {
			return Surname
		}
	}
	return 0
}

// clinicalEnds are endings of conditions, procedures and medicines in the eight
// languages, without accents being regarded.
var clinicalEnds = []string{
	"itis", "ite", "osis", "ose", "pathy", "pathie", "patia", "patía", "algia", "algie", "emia", "aemia", "ämie", "émie", "plegia", "plégie", "trophy", "trophie", "trofia",
	"ectomy", "ektomie", "ectomie", "ectomía", "ectomia", "plasty", "plastik", "plastie", "plastia", "scopy", "skopie", "scopie", "scopia", "oscopía", "tomy", "tomie", "tomía", "graphy", "grafie", "grafía", "grafia", "gramm",
	"oma", "ome", "syndrom", "phobia", "phobie", "fobia", "plasia", "plasie", "stenosis", "stenose", "sclerosis", "sklerose", "sclérose", "infarkt", "karzinom", "fraktur", "bruch", "entzündung", "schwäche", "störung", "krankheit", "verletzung", "transplantation", "insuffizienz", "operation", "prothese", "therapie",
	"mab", "nib", "ciclib", "sartan", "statin", "statina", "statine", "prazole", "prazol", "cillin", "cilina", "cilline", "cillina", "oxacin", "gliptin", "gliflozin", "glutide", "glutid", "xaban", "cycline", "dipine", "dipin", "lukast", "triptan", "setron", "parib", "navir", "pril", "olol", "azepam", "azolam", "oxetine", "oxetin", "oxetina", "afaxin", "idone", "idon", "apine", "apin", "ylin", "zumab", "limus", "fenac", "profen", "profeno", "profène", "dronate", "parin", "coxib", "toin", "zepine",
	"ontsteking", "breuk", "ziekte", "stoornis", "operatie", "kanker", "aandoening", "zapalenie", "złamanie", "choroba", "zespół", "zwyrodnienie", "niewydolność",
}

// ordinaryEnds are endings of ordinary nouns, which German writes with a capital
// and joins without end.
var ordinaryEnds = []string{
	"ung", "ungen", "heit", "keit", "keiten", "schaft", "schaften", "tät", "ismus", "stelle", "stellen", "dienst", "dienste", "kasse", "amt", "antrag", "antrags", "vertrag", "vertrags", "bescheid", "bescheids", "zettel", "schutz", "frist", "klage", "gebühr", "gebühren", "recht", "rechts", "verfahren", "verfahrens", "liste", "karte", "kosten", "geld", "steuer", "stück", "zeit", "raum", "mittel", "blatt", "brief", "schein", "ausweis", "termin", "einspruch", "widerspruch", "leistung", "leistungen", "nachweis", "unterlagen", "formular", "rechnung", "anlage", "anspruch", "gericht", "gesetz", "ordnung", "vorschrift", "beitrag", "betrag", "pauschale", "pauschalen", "leiter", "leiterin", "haus", "wohnung", "zahlung", "gutachten", "gutachter", "mangel", "schaden", "schadens", "prüfung", "protokoll", "konto", "vollmacht", "auskunft", "meldung", "versicherung", "beschwerde", "stunde", "stunden", "teil", "buch", "sache", "gegenstand", "arbeiten", "arbeiter", "arbeiterin", "geber", "nehmer", "nehmerin", "berater", "beraterin",
	"tion", "tions", "tionen", "ment", "ments", "ness", "ship", "ción", "ciones", "ção", "ções", "zione", "zioni", "idad", "idade", "miento", "mento", "logie", "ología", "ologia", "ismo", "isme", "ość", "ości", "heid", "teit", "baar", "lijk",
}

// clinical tells whether a word of some length ends like a word of medicine.
func clinical(w string) bool { return endsIn(w, 7, clinicalEnds) }

// endsIn tells whether a word of at least size bytes has one of some endings and
// more than two bytes before it.
func endsIn(w string, size int, ends []string) bool {
	if len(w) < size {
		return false
	}
	for _, end := range ends {
		if len(w) > len(end)+2 && w[len(w)-1]|0x20 == end[len(end)-1]|0x20 && strings.EqualFold(w[len(w)-len(end):], end) {
			return true
		}
	}
	return false
}

// contraction tells whether a word is one with its verb, as in we'll and didn't.
func contraction(w string) bool {
	i := strings.LastIndexByte(w, '\'')
	if i < 1 {
		return false
	}
	switch strings.ToLower(w[i+1:]) {
	case "ll", "re", "ve", "m", "d":
		return true
	case "t":
		return w[i-1]|0x20 == 'n'
	}
	return false
}

// joins tells whether the hyphen or apostrophe at i belongs inside the word that
// starts at from. A possessive ending and an elided article do not.
func joins(s string, from, i int) bool {
	next, n := utf8.DecodeRuneInString(s[i+1:])
	if i == from || !letter(next) {
		return false
	}
	if s[i] == '-' {
		return true
	}
	after, _ := utf8.DecodeRuneInString(s[i+1+n:])
	if (next == 's' || next == 'S') && !letter(after) {
		return false // O'Brien's
	}
	head := s[from:i]
	return !(elided(head) && (!unicode.IsUpper(next) || head[0] >= 'a'))
}

// elided tells whether a word has lost its end to an apostrophe. Asked at each
// apostrophe of a chain, it looks at no more than the longest of such words.
func elided(head string) bool {
	if len(head) > len("lorsqu") {
		return false
	}
	switch strings.ToLower(head) {
	case "l", "d", "j", "m", "n", "s", "t", "c", "qu", "un", "dell", "all", "nell", "sull", "dall", "quell", "jusqu", "lorsqu", "puisqu":
		return true
	}
	return false
}

// partFlags is what a hyphenated word is by its parts: a name if one part is
// one, an ordinary word only if all are.
func partFlags(word string) Flags {
	any, all := Flags(0), ^Flags(0)
	for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '-' || r == '\'' }) {
		f := Of(Key(part))
		any |= f
		all &= f
	}
	return any&(Given|Surname|OrgWord|Street) | all&(Word|Foreign|Place)
}

// Phrase finds the longest known phrase that starts at tokens[i]: its flags and
// how many tokens it has, or 0.
func Phrase(tokens []Token, i int) (Flags, int) {
	if tokens[i].Flags&Start == 0 {
		return 0, 0
	}
	key, best, size := tokens[i].Key, Flags(0), 0
	for j := i + 1; j < len(tokens) && j < i+maxPhrase; j++ {
		key = Join(key, tokens[j].Key)
		if f := Of(key); f != 0 {
			best, size = f, j-i+1
		}
	}
	return best, size
}

const maxPhrase = 8
