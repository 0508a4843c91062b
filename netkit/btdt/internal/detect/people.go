package detect

import (
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

const (
	// strongTitles stand before a name and hardly anything else.
	strongTitles = polite + " miss mx dr prof fräulein mademoiselle sra srta doña sig signorina dott dottssa dottoressa avv dhr mevr mw puan encik mtra mtro profa"

	// ranks stand before a name too, but before other words as well.
	ranks = "pastor deputy constable sergeant inspector officer judge justice lord lady dame councillor cllr nurse rev reverend father imam rabbi captain colonel lieutenant detective insp sgt barr engr auntie aunt aunty uncle nana gran grandma grandpa opa oma tante onkel oom oncle tonton tata tía tío tia tio zia zio nonna nonno babcia babci ciocia ciocię wujek wujka don doña dona seu abuela abuelo ouma oupa gogo alhaji hajiya shri smt sri haji puan encik datuk drs mgr me maître mre kapitän schwester pfarrer pater padre hermana irmã suor zuster kapelaan capitán capitan capitano capitaine capitão teniente sargento coronel comandante tenente maresciallo brigadiere colonnello adjudant pr"

	// professions are shortened so, in small letters, before a name alone.
	professions = "eng ing arq arch geom rag avv mec adw inż asp sierż kom kpt por płk lic ldo lda lcda lcdo abg abog"

	// naming words announce a name.
	naming = "named surname surnamed namens genannt heißt heiße hieß nommé nommée prénommé prénommée dénommé llamado llamada apellido apellidado chamado chamada apelido chiamato chiamata cognome genaamd geheten achternaam nazwisko nazwisku imię imieniem tal certo certain nazywa nazywam"
)

var (
	rankKeys       = sync.OnceValue(func() map[uint64]bool { return keySet(ranks) })
	professionKeys = sync.OnceValue(func() map[uint64]bool { return keySet(professions) })
	namingKeys     = sync.OnceValue(func() map[uint64]bool { return keySet(naming) })
)

var titleKeys = sync.OnceValue(func() map[uint64]bool { return keySet(strongTitles) })

// nameByRule looks for people that the tagger did not see.
func (x *Sheet) nameByRule(i int, used []bool) {
	t := x.tok[i]
	if t.Kind != lex.Letters || x.taken(t.From, t.To) || x.smallWord(i) && !particle(x.word(i)) {
		return
	}
	if to := x.initialled(i); to > 0 {
		x.person(i, to, "initials", 0.8, used)
		return
	}
	if x.held[i] && t.Case == lex.Capital && rankKeys()[t.Key] && x.surnameAt(i+1) && !x.has(i+2, lex.OrgWord) && !x.capital(i+2) && !used[i+1] {
		x.person(i+1, i+2, "rank", 0.8, used) // District Judge Farquharson
		return
	}
	if x.held[i] {
		if t.Case == lex.Capital && t.Flags&lex.Given != 0 && x.loose(i) && (x.aimedAt(i, i+1) || x.speaker(i, i+1) || x.withKin(i)) {
			x.person(i, i+1, "frame", 0.75, used) // no firm is shouted at
		}
		return
	}
	switch {
	case t.Flags&lex.Title != 0 && titleKeys()[t.Key]:
		x.titled(i, used)
	case t.Case == lex.Lower && x.is(i+1, ".") && professionKeys()[t.Key] && x.ranked(i, used):
	case (rankKeys()[t.Key] || t.Case != lex.Lower && shortKeys()[t.Key] && x.is(i+1, ".") || honorificKeys()[t.Key]) && x.ranked(i, used):
	case x.elderly(i) && !used[i+1]:
		x.person(i+1, i+2, "rank", 0.8, used)
	case x.surnamed(i):
		x.person(i, x.fullName(i), "honorific", 0.95, used)
	case x.rankBefore(i) && t.Flags&(lex.Org|lex.Seen) != 0:
		x.person(i, i+1, "rank", 0.8, used)
	case t.Case == lex.Capital && x.namesake(i, 2) && x.capital(i+1) && x.unheld(i) && x.unheld(i+1) && x.firmPhrase(i):
		x.person(i, i+2, "namesake", 0.8, used)
	case x.saintly(i+1, 2):
		x.person(i, i+3, "known_names", 0.8, used)
	case x.employer(i+2) && x.capital(i+3) && x.givenAndSurname(i):
		x.person(i, i+2, "known_names", 0.8, used)
	case x.familyOf(i):
		x.person(i, i+1, "relation", 0.8, used)
	case x.couple(i):
		x.person(i, i+1, "couple", 0.75, used)
		x.person(i+2, i+3, "couple", 0.75, used)
	case x.called(i) && x.is(i+1, `"`) && x.nameLike(i+2) && !used[i+2] && x.is(i+3, `"`):
		x.person(i+2, i+3, "named", 0.85, used)
	case x.called(i) && x.nameLike(i+1) && !used[i+1]:
		x.person(i+1, i+2, "named", 0.85, used)
	case t.Flags&lex.Role != 0 && (x.surnameAt(i+1) || x.strangeName(i+1) || x.wordNamed(i+1)) && !used[i+1]:
		x.person(i+1, i+2, "role", 0.75, used)
	case t.Case != lex.Lower && t.Flags&lex.Given != 0 && (x.pairAt(i) || x.newSurname(i) || x.nearPair(i)):
		x.person(i, i+2, "known_names", 0.8, used)
	case t.Case != lex.Lower && t.Flags&lex.Given != 0 && t.Flags&lex.Word == 0 && x.spelled(i) > 0:
		x.person(i, x.spelled(i), "known_names", 0.8, used)
	case t.To-t.From == 1 && t.Case != lex.Lower && x.is(i+1, ".") && i+2 < len(x.tok) && x.nameWord(i+2) && !x.tok[i+2].Line && !x.shortForm(x.dottedStart(i)):
		x.person(i, i+3, "initial", 0.8, used)
	case x.genitive(i):
		x.person(i, i+1, "genitive", 0.8, used)
	case x.particled(i) > 0:
		x.person(i, x.particled(i), "particle", 0.8, used)
	case x.evident(i):
		x.person(i, i+1, "evident", 0.75, used)
	case x.soleGiven(i) && !x.namedThing(i) && !x.oneOfMany(i) && !(x.lead[i] < 0 && x.sentenceStart(i) && i+1 < len(x.tok) && x.tok[i+1].Kind == lex.Digits):
		x.person(i, i+1, "given_name", 0.75, used)
	case t.Flags&lex.Kin != 0 && x.capital(i+1) && !x.held[i+1] && !used[i+1] && t.Case == lex.Lower && x.tok[i+1].Case == lex.Capital && x.tok[i+1].Space && (x.tok[i+1].Flags&lex.Given != 0 && x.tok[i+1].Flags&(lex.Role|lex.Org|lex.Month|lex.Keep) == 0 || x.tok[i+1].Flags&^lex.Surname == 0):
		x.person(i+1, i+2, "relation", 0.85, used)
	default:
		if to := x.framed(i); to > 0 {
			x.person(i, to, "frame", 0.75, used)
		}
	}
}

// called tells whether the word i announces a name: named, heißt, calls herself.
func (x *Sheet) called(i int) bool {
	return x.tok[i].Case == lex.Lower && (namingKeys()[x.tok[i].Key] || oneOf(x.word(i), "himself herself themselves") && oneOf(x.wordOr(i-1), "called calls calling named introduced signed signs"))
}

// elderly tells whether a form of address for the old stands before a given name
// that is a firm or a word as well: Onkel Otto, Uncle Les.
func (x *Sheet) elderly(i int) bool {
	if !x.capital(i+1) || !x.has(i+1, lex.Given) || x.has(i+1, lex.OrgWord) {
		return false
	}
	name := x.tok[i+1]
	return name.Case == lex.Capital && name.Space && !name.Line && kinTitleKeys()[x.tok[i].Key]
}

// kinTitles are forms of address for the old.
const kinTitles = "aunty auntie aunt uncle gran grandma grandpa granny nana opa oma tante onkel oom tonton tata tía tío tia tio zia zio nonna nonno babcia ciocia wujek mamie papi papy mémé pépé dziadek"

var kinTitleKeys = sync.OnceValue(func() map[uint64]bool { return keySet(kinTitles) })

// strangeName tells whether token i, behind a role, is a word of another language
// or of none that the tagger sees as a name.
func (x *Sheet) strangeName(i int) bool {
	return x.capital(i) && x.tok[i].Case == lex.Capital && x.tok[i].Space && !x.tok[i].Line && !x.held[i] && x.tok[i].Flags&^lex.Languages&^lex.Foreign == 0 && !x.has(i, lex.Noun) && x.lead[i] > 0 && x.alone(i)
}

// wordNamed tells whether token i, behind a role in small letters, is a given name
// and an ordinary word, and all that stands there: scheduler Precious, 555-0179.
func (x *Sheet) wordNamed(i int) bool {
	return x.capital(i) && x.tok[i].Case == lex.Capital && x.tok[i].Space && !x.tok[i].Line && x.tok[i-1].Case == lex.Lower && x.unheld(i) && x.has(i, lex.Given) && !x.has(i, lex.Noun|lex.Month|lex.OrgWord|lex.Role) && x.lead[i] > -60 && (i+1 == len(x.tok) || x.is(i+1, ",;.()"))
}

// spelled is the token behind a given name, an initial or a Dutch or German
// particle, and a word with a capital: Tom I. Holzman, Maika van de Noort.
func (x *Sheet) spelled(i int) int {
	j := i + 1
	if x.initial(j) {
		if j++; x.is(j, ".") {
			j++
		}
	} else {
		for j < len(x.tok) && j < i+3 && oneOf(x.word(j), "van von de der den ter") && (j > i+1 || oneOf(x.word(j), "van von ter")) {
			j++
		}
	}
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Street | lex.Month
	if j == i+1 || !x.capital(j) || x.tok[j].Line || x.initial(j) || x.held[j] || x.tok[j].Flags&other != 0 || x.tok[j].Case == lex.Caps && !x.shouted() {
		return 0
	}
	return j + 1
}

// nameLike tells whether token i is a capitalised word that may be a name and
// hardly anything else.
func (x *Sheet) nameLike(i int) bool {
	if i >= len(x.tok) {
		return false
	}
	t := x.tok[i]
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Keep | lex.Month | lex.Org | lex.Law | lex.Street | lex.Title | lex.Kin
	if t.Kind != lex.Letters || t.Case != lex.Capital && t.Case != lex.Inner || t.Line || x.held[i] || t.Flags&other != 0 || functionKeys()[t.Key] || x.taken(t.From, t.To) {
		return false
	}
	return t.Flags&(lex.Word|lex.Foreign|lex.Place) == 0 || t.Flags&(lex.Given|lex.Surname) != 0
}

// ranked takes the name behind a rank or a relation that is used as a title.
func (x *Sheet) ranked(i int, used []bool) bool {
	j := i + 1
	if x.is(j, ".") {
		j++
		if x.ordinalLetter(j) {
			j++
		}
	}
	if x.is(i+1, ".") && x.initial(j) && !x.tok[j].Space && x.tok[i].To-x.tok[i].From == 1 {
		return false // d.P.R.
	}
	if j < len(x.tok) && x.tok[j].To-x.tok[j].From == 1 && !x.is(j+1, ".") || x.shortForm(i) || !x.nameLike(j) && !x.addressed(i, j) || used[j] || x.tok[i].Case == lex.Caps {
		return false
	}
	x.person(j, j+1, "rank", 0.8, used)
	return true
}

// addressed tells whether the capitalised word j, though an ordinary one, is the
// name behind an honorific: Eng. Penteado. German writes its nouns so.
func (x *Sheet) addressed(i, j int) bool {
	const other = lex.Noun | lex.OrgWord | lex.LawWord | lex.Role | lex.Keep | lex.Month | lex.Org | lex.Law | lex.Street | lex.Title | lex.Kin | lex.Place
	if j >= len(x.tok) || x.tok[j].Case != lex.Capital || x.tok[j].Line || x.held[j] || x.tok[j].Flags&other != 0 || functionKeys()[x.tok[j].Key] || officeKeys()[x.tok[j].Key] {
		return false
	}
	return honorificKeys()[x.tok[i].Key] && !x.tok[i].Line || shortKeys()[x.tok[i].Key] && j > i+1
}

// surnameLike tells whether an ordinary word may be the surname behind an
// honorific and a given name: Dr. Pirmin Achatz.
func (x *Sheet) surnameLike(i int) bool {
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Keep | lex.Month | lex.Org | lex.Law | lex.Street | lex.Title | lex.Kin | lex.Place | lex.Word
	if x.tok[i].Line || x.taken(x.tok[i].From, x.tok[i].To) || x.tok[i].Flags&(lex.Role|lex.Title|lex.Kin) != 0 {
		return false
	}
	return x.tok[i].Flags&other == 0 && !x.held[i] || x.politeBefore(i-1) && !x.capital(i+1) // Mrs Candace Church
}

// rows takes the words of a row in which another one is a person: Amara,
// Chisom and Kosi. It returns whether it found any.
func (x *Sheet) rows(used []bool) bool {
	more, small := false, x.small()
	for i, t := range x.tok {
		if t.Kind != lex.Letters || used[i] || !x.alone(i) {
			continue
		}
		left, right := x.joined(i, -1, used), x.joined(i, 1, used)
		if (left || right) && x.rowWord(i, left && right, small) {
			x.person(i, i+1, "listed", 0.75, used)
			more = true
		}
	}
	return more
}

// rowWord tells whether a word beside a person in a row, or between two, is one
// too. In a text of small letters it has none itself.
func (x *Sheet) rowWord(i int, between, small bool) bool {
	t := x.tok[i]
	switch {
	case small:
		return !x.taken(t.From, t.To) && !functionKeys()[t.Key] && t.Case == lex.Lower && t.To-t.From > 3 && (t.Flags&lex.Given != 0 || t.Flags == 0)
	case t.Case == lex.Capital && !t.Line && t.Flags&lex.Month != 0 && t.Flags&lex.Given != 0 && x.lead[i] > -200 && x.unheld(i):
		return true // Lorcan and Mei
	case between && t.Case == lex.Capital && !t.Line && x.loose(i) && !x.taken(t.From, t.To):
		return true // Morrison, Rogers and Torres
	case t.Case != lex.Capital || t.Line || !x.nameLike(i) && !(x.lead[i] > 100 && x.unheld(i) && t.Flags&lex.Word == 0):
		return false
	case t.Flags&lex.Place != 0:
		return between && t.Flags&lex.Given != 0
	}
	return t.Flags&(lex.Word|lex.Foreign) == 0 || t.Flags&lex.Given != 0 && !(x.sentenceStart(i) && x.lead[i] < -250) || x.lead[i] > 100
}

// unheld tells whether token i is free for a finding.
func (x *Sheet) unheld(i int) bool {
	return !x.held[i] && !x.taken(x.tok[i].From, x.tok[i].To)
}

// openers are small words that start a sentence before a name.
const openers = "con per da fu secondo para por según segundo selon avec pour chez par sans mit für bei von laut ohne met voor volgens z od do u dla według przez and but when if after before because with for from by so then also und aber wenn als ob oder maar toen als quando quand si se cuando ale gdy kiedy że"

var openerKeys = sync.OnceValue(func() map[uint64]bool { return keySet(openers) })

// alone tells whether no capitalised word touches token i.
func (x *Sheet) alone(i int) bool {
	return !(x.capital(i-1) && !x.tok[i].Line && !x.is(i-1, ",") && !(x.sentenceStart(i-1) && openerKeys()[x.tok[i-1].Key])) && !(x.capital(i+1) && !x.tok[i+1].Line) && !x.is(i+1, "&") && !x.is(i-1, "&")
}

// joined tells whether a comma or an "and" and then a person that stands alone
// is beside token i.
func (x *Sheet) joined(i, step int, used []bool) bool {
	j := i + step
	and := j >= 0 && j < len(x.tok) && (oneOf(x.word(j), "and und et og oraz och") || x.word(j) == "y" || x.word(j) == "e" || x.word(j) == "i" || x.word(j) == "en")
	if !and && !(x.is(j, ",") && (x.tok[i].Flags&lex.Given != 0 || x.lead[i] > 100 || x.tok[i].Flags == 0 && x.tok[i].Case == lex.Lower)) {
		return false
	}
	j += step
	return j >= 0 && j < len(x.tok) && used[j] && x.tok[j].Kind == lex.Letters && !x.tok[j].Line && x.alone(j)
}

// titled takes what stands behind an honorific: a surname, an initial with one,
// or in careless typing a word in small letters that is no other.
func (x *Sheet) titled(i int, used []bool) {
	j := i + 1
	if x.is(j, ".") {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Line || used[j] || x.held[j] || x.tok[j].Kind != lex.Letters || x.taken(x.tok[j].From, x.tok[j].To) {
		return
	}
	const other = lex.Word | lex.Foreign
	t := x.tok[j]
	switch {
	case t.Flags&(lex.Role|lex.OrgWord|lex.Title|lex.Kin) != 0 || officeKeys()[t.Key] && t.Flags&lex.Surname == 0:
	case x.initial(j) && x.is(j+1, ".") && x.capital(j+2):
		x.person(j, j+3, "honorific", 0.95, used)
	case t.Case != lex.Lower && (t.Flags&other == 0 || x.tok[i].Case != lex.Lower && t.Flags&(lex.Given|lex.Surname) != 0 || x.addressed(i, j) || t.Flags&lex.Noun != 0 && t.Flags&lex.Word == 0 && x.lead[j] > -450 && !x.capital(j+1)):
		x.person(j, x.fullName(j), "honorific", 0.95, used)
	case t.Case == lex.Lower && t.To-t.From > 3 && t.Flags&other == 0 && !particle(x.word(j)):
		x.person(j, j+1, "honorific", 0.8, used)
	}
}

// fullName is the token behind the capitalised words that go on a name at i.
func (x *Sheet) fullName(i int) int {
	to := i + 1
	for to < len(x.tok) && to-i < 4 && x.tok[to].Space && x.tok[to].Case == lex.Capital && (x.nameLike(to) && x.tok[to].Flags&lex.Place == 0 || to == i+1 && x.tok[i].Flags&lex.Given != 0 && x.surnameLike(to)) {
		to++
	}
	return to
}
