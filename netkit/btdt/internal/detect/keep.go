package detect

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// particle knows the small words inside of names.
func particle(w string) bool {
	switch strings.ToLower(w) {
	case "de", "da", "do", "dos", "das", "di", "del", "della", "dello", "dei", "degli", "von", "van", "der", "den", "ter", "ten", "te", "la", "le", "les", "du", "des", "el", "al", "bin", "ibn", "bint", "binti", "zu", "zum", "zur", "af", "av", "y", "e", "i", "und", "vom", "'t", "het", "op", "lo", "dal", "san", "st", "mac", "mc", "ap", "ben":
		return true
	}
	return false
}

// keep labels the words and holds what must stay: laws and cases, organisations
// and regulators, also those named after people, places, roles.
func (x *Sheet) keep() {
	x.labels = make([]uint8, len(x.tok))
	x.lead = tag.Default().Label(x.s, x.tok, x.Field, x.labels)
	for i := 0; i < len(x.tok); i++ {
		if f, n := lex.Phrase(x.tok, i); n > 0 && f&(lex.Org|lex.Law|lex.Keep|lex.Role|lex.Seen) != 0 && x.tok[i].Case != lex.Lower && !x.possessor(i, n) && !x.namesake(i, n) && !x.surnameOf(i, n) && !x.saintly(i, n) && !(x.politeBefore(i) && x.lead[i] > 0) {
			x.hold(i, i+n)
			i += n - 1
			continue
		}
		x.holdWord(i)
	}
	for i := range x.tok {
		if x.tok[i].Kind == lex.Letters && x.tok[i].Case != lex.Lower && !x.holdSite(i) {
			x.holdThing(i)
		}
	}
}

// possessor tells whether a firm like Leon's is a person here.
func (x *Sheet) possessor(i, n int) bool {
	return n == 3 && x.is(i+1, "'") && x.tok[i].Flags&lex.Given != 0 && tag.Kind(x.labels[i]) == tag.NameFirst && x.lead[i] > 100
}

// namesake tells whether a firm that bears the name of a person, two words at i, is
// that of somebody's kin or is told the role of: my brother John Lewis; Thomas
// Cook, the claims adjuster.
func (x *Sheet) namesake(i, n int) bool {
	last := i + n - 1
	if n != 2 || !x.has(i, lex.Given) || !x.has(last, lex.Surname) || x.has(last, lex.OrgWord) || x.has(last+1, lex.OrgWord) {
		return false
	}
	if x.politeBefore(i) {
		return true
	}
	if x.has(i-1, lex.Role) && !x.tok[i].Line && x.tok[i-1].Case == lex.Lower && !oneOf(x.word(i-1), traded) {
		return true // my landlord Thomas Cook
	}
	return x.has(i-1, lex.Kin) && !x.tok[i].Line && (x.tok[i-1].Case == lex.Lower || i > 1 && kinPossessiveKeys()[x.tok[i-2].Key]) || x.explained(last) || x.relationOf(i, last)
}

// surnameOf tells whether the tagger is sure that a phrase of n words at i is part of a
// longer name, a given name before it or a surname behind: Bilal El Idrissi, Rubén
// Darío Cejas.
func (x *Sheet) surnameOf(i, n int) bool {
	if next := i + n; next < len(x.tok) && x.labels[i] == tag.NameFirst && x.labels[next] == tag.NameNext && x.lead[next] > 900 && x.has(i, lex.Given) && x.has(next, lex.Surname) && !x.has(next, ordinary) {
		return true
	}
	return x.labels[i] == tag.NameNext && x.lead[i] > 900 && x.has(i-1, lex.Given) && x.tok[i-1].Flags&(lex.Word|lex.Org|lex.Seen|lex.OrgWord) == 0
}

// firmPhrase tells whether the two words at i are the name of a firm.
func (x *Sheet) firmPhrase(i int) bool {
	f, n := lex.Phrase(x.tok, i)
	return n == 2 && f&(lex.Org|lex.Seen) != 0
}

// traded are roles that a firm has as well.
const traded = "employer insurer lender provider supplier carrier owner broker retailer dealer agent seller buyer operator contractor maker manufacturer sponsor designer chain store brand"

func (x *Sheet) hold(from, to int) {
	for i := max(0, from); i < min(to, len(x.tok)); i++ {
		x.held[i] = true
	}
}

// holdWord holds what one word gives away.
func (x *Sheet) holdWord(i int) {
	t := x.tok[i]
	name := tag.Kind(x.labels[i]) == tag.NameFirst
	inside := name && (x.labels[i] == tag.NameNext || i+1 < len(x.tok) && x.labels[i+1] == tag.NameNext)
	switch {
	case t.Kind != lex.Letters:
	case t.Case == lex.Lower && x.word(i) == "corner" && x.wordOr(i+1) == "of":
		x.holdCorner(i)
	case x.surnamed(i), x.givenAndSurname(i-1) && x.employer(i+1) && x.capital(i+2):
	case t.Flags&(lex.Org|lex.Seen) != 0 && t.Case == lex.Capital && x.rankBefore(i):
	case t.Flags&(lex.Org|lex.Law) != 0 && t.Case != lex.Lower && (!name || t.Flags&(lex.Given|lex.Surname) == 0 && !inside && !x.titleBefore(i)):
		x.held[i] = true
	case t.Flags&(lex.Seen|lex.Org|lex.Law) == lex.Seen && name && (x.lead[i] > 0 && x.personal(i) || x.lead[i] > 200 && x.has(i-1, lex.Role) && x.tok[i].Space && !x.tok[i].Line || x.lead[i] > 300 && x.has(i, lex.Given|lex.Surname) && x.acts(i)):
	case t.Flags&lex.Seen != 0 && t.Case != lex.Lower && (!name || t.Flags&lex.Given == 0 && !inside && !x.titleBefore(i)):
		x.held[i] = true
	case x.initial(i) && name && x.lead[i] > 300 && x.has(i-1, lex.Given):
	case versus(x.word(i)) && x.capital(i+1) || versus(x.word(i)) && x.is(i+1, ".") && x.capital(i+2):
		x.holdCase(i)
	case x.inRe(i):
		x.holdRe(i)
	case facilityKeys()[t.Key] && !oneOf(x.wordOr(i-1), "historia história historial") && !(t.Case == lex.Lower && x.employer(i+1)) && (t.Case != lex.Lower || x.speech != lex.English && x.word(i) != "via") && x.holdRight(i):
	case t.Flags&lex.LawWord != 0 && x.lawNamed(i):
	case t.Flags&lex.OrgWord != 0 && t.Case != lex.Lower:
		x.holdOrg(i)
	}
}

// facilities are the words after which Romance and Slavic languages put the
// person that a place is named after.
const facilities = "hospital ospedale policlinico hôpital szpital teatro théâtre collège lycée école escuela escola scuola szkoła liceum aeropuerto aeroporto lotnisko colonia barrio clínica clinica clinique universidad universidade università université instituto istituto institut instytut fundación fundação fondazione fondation fundacja residencia residentie résidence residenza centro centre centrum parque parc parco park estadio stadio stadion plaza piazza praça place plac avenida avenue viale calle rue via rua boulevard allée quai chaussée paseo corso travessa alameda ulica aleja straat basisschool bibliothek biblioteca museo musée museum clsc circulaire charte vve rsa editorial editions editora casa fonds uni hochschule gesamtschule grundschule realschule berufsschule kita kindergarten seniorenheim pflegeheim altenheim crèche ehpad maternelle colegio colégio collegio guardería ambulatorio creche agrupamento verpleeghuis zorgcentrum woonzorgcentrum kinderdagverblijf lyceum ziekenhuis liceum przedszkole przychodnia technikum stiftung gymnasium klinikum"

// facilityKeys, as titleKeys, is asked for every word and so is a set.
var facilityKeys = sync.OnceValue(func() map[uint64]bool { return keySet(facilities) })

// keySet makes a set of a blank-divided list.
func keySet(list string) map[uint64]bool {
	set := map[uint64]bool{}
	for w := range strings.FieldsSeq(list) {
		set[lex.Key(w)] = true
	}
	return set
}

// holdRight holds the capitals behind such a word: clínica Dr. Marcial Fallas.
func (x *Sheet) holdRight(i int) bool {
	to := i + 1
	if to < len(x.tok) && politeKeys()[x.tok[to].Key] {
		return false // Im Pflegeheim Frau Meyer gefragt
	}
	for to < len(x.tok) && to-i < 7 && !x.tok[to].Line {
		if x.capital(to) || x.is(to, ".") && x.tok[to-1].Flags&lex.Title != 0 || x.capital(to+1) && (particle(x.word(to)) || x.is(to, "'-")) {
			to++
			continue
		}
		break
	}
	if to == i+1 {
		return false
	}
	x.hold(i, to)
	return true
}

func versus(w string) bool { return w == "v" || w == "vs" || w == "V" || w == "c" || w == "contra" }

// capital tells whether token i is a word with a capital.
func (x *Sheet) capital(i int) bool {
	return i >= 0 && i < len(x.tok) && x.tok[i].Kind == lex.Letters && x.tok[i].Case != lex.Lower
}

// holdCase holds both sides of a case: Donoghue v Stevenson. One letter alone,
// as in "c", needs a capital on its left too.
func (x *Sheet) holdCase(i int) {
	from, to := i-1, i+1
	if x.is(from, ".") && x.has(from-1, lex.OrgWord) {
		from-- // Spokeo, Inc. v. Robins
	}
	if !x.capital(from) {
		return
	}
	if oneOf(x.word(i), "contra") && x.claimant(i) {
		return
	}
	if from > 1 && x.tok[from].Flags&lex.OrgWord != 0 && x.is(from-1, ",") && x.capital(from-2) {
		from -= 2
	}
	for hops := 0; from > 0 && hops < 4 && (x.capital(from-1) || x.is(from-1, "&") || particle(x.word(from-1))) && !x.tok[from].Line; hops++ {
		from--
	}
	if x.is(to, ".") {
		to++
	}
	for hops := 0; to < len(x.tok) && hops < 8 && (x.capital(to) || x.is(to, "&'") || x.is(to, ".") && x.initial(to-1) || x.capital(to+1) && (particle(x.word(to)) || x.word(to) == "of")) && !x.tok[to].Line; hops++ {
		to++
	}
	x.hold(from, to)
}

// claimant tells whether who stands before "contra" at i makes a complaint of
// his own, which is no case of a court: la reclamación de Ana Gil contra Naturgy.
func (x *Sheet) claimant(i int) bool {
	j := i - 1
	for j > 0 && i-j < 5 && x.capital(j) {
		j--
	}
	return j > 0 && oneOf(x.word(j), "de del di do da") && oneOf(x.word(j-1), "reclamación reclamo queja recurso denuncia demanda reclamação queixa denúncia ricorso")
}

// initial tells whether token i is one capital letter.
func (x *Sheet) initial(i int) bool { return x.capital(i) && utf8.RuneCountInString(x.word(i)) == 1 }

const lawFirst = "loi ley lei legge wet lex decreto décret gesetz ustawa directive richtlinie regulation"

// lawNamed holds the name beside a word of law: the Baker Act, Loi Hamon.
func (x *Sheet) lawNamed(i int) bool {
	if oneOf(x.word(i), lawFirst) {
		to := i + 1
		for to < len(x.tok) && to-i < 5 && (x.capital(to) || x.is(to, "-") || particle(x.word(to)) && x.capital(to+1)) {
			to++
		}
		if to > i+1 {
			x.hold(i, to)
			return true
		}
	}
	if x.tok[i].Case == lex.Lower || oneOf(x.word(i), "letter bill will notice order plan case") {
		return false
	}
	return x.holdLeft(i, x.tok[i].Flags&(lex.Given|lex.Surname) != 0)
}

// holdOrg holds the words before a word of an organisation: Grace Hospital,
// O'Brien & Sons Plumbing.
func (x *Sheet) holdOrg(i int) { x.holdLeft(i, true) }

// strongOrg are the words that make an organisation of whatever stands before.
const strongOrg = "inc llc llp ltd limited plc corp corporation gmbh ag kg ohg bv nv sa sas sarl srl spa sl ltda bank hospital clinic university college foundation insurance sons brothers bros associates partners solicitors plumbing roofing motors airlines stiftung klinik versicherung krankenhaus hospital banca banque banco assurances seguros hôpital"

// holdLeft holds capitals before token i up to the start of the phrase, unless
// the tagger sees a person there.
func (x *Sheet) holdLeft(i int, org bool) bool {
	from := i
	for hops := 0; from > 0 && hops < 6 && !x.tok[from].Line; hops++ {
		j := from - 1
		if x.employer(j) || x.is(j, "-") && x.tok[j].Space && x.tok[j+1].Space {
			break // Octopus Energy – Jess – Metering Team
		}
		if x.capital(j) || x.is(j, "&'-") || j > 0 && x.capital(j-1) && (x.tok[j].Kind == lex.Letters && oneOf(x.word(j), "of and for the de du della der und et y e") || x.word(j) == "s") {
			from = j
			continue
		}
		if x.is(j, ".") && j > 0 && x.capital(j-1) && x.tok[j-1].To-x.tok[j-1].From <= 2 {
			from = j
			continue
		}
		break
	}
	if from == i {
		x.held[i] = x.held[i] || !org || tag.Kind(x.labels[i]) != tag.NameFirst
		return false
	}
	strong := !org || oneOf(x.word(i), strongOrg) || x.tok[i].Flags&(lex.Given|lex.Surname|lex.Street) == 0
	for j := from; j < i; j++ {
		if x.tok[j].Flags&lex.Title != 0 && x.is(j+1, ".") || oneOf(x.word(j), "mr mrs ms frau herr dr") {
			strong, from = false, j // a person with an honorific stays one
		}
	}
	if !strong {
		for j := from; j < i; j++ {
			if tag.Kind(x.labels[j]) == tag.NameFirst {
				return false
			}
		}
	}
	x.hold(from, i+1)
	return true
}
