package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// ones and the numbers that one of so many is told with.
const (
	ones     = "one un une uno una um uma een ein eine einer jeder jede jeden jedna 1"
	ratios   = "in sur su op von em na"
	soMany   = "two three four five six seven eight nine ten zwei drei vier fünf sechs sieben acht neun zehn deux trois quatre cinq sept huit neuf dix dos tres cuatro cinco seis siete ocho nueve diez dois três quatro sete oito nove dez due tre quattro cinque sei sette otto nove dieci twee drie vier vijf zes zeven tien dwóch trzech czterech pięciu dziesięciu"
	ordinals = "zweite dritte vierte fünfte sechste achte zehnte trzeci trzecia czwarty piąty szósty dziesiąty"
)

// statistic tells whether the sentence from from to to counts people: "un Français
// sur cinq", "een op de acht", "jeder fünfte".
func (x *Sheet) statistic(from, to int) bool {
	for i := from; i+1 < to; i++ {
		if oneOf(x.word(i), "jeder jede jedes co") && oneOf(x.word(i+1), ordinals) && !oneOf(x.wordOr(i+2), "woche monat tag jahr mal tydzień dzień miesiąc rok") {
			return true
		}
		if !oneOf(x.word(i), ones) && !(x.tok[i].Kind == lex.Digits && x.word(i) == "1") {
			continue
		}
		for j := i + 1; j < min(to-1, i+4); j++ {
			k := j + 1
			if oneOf(x.wordOr(k), "de cada the every") {
				k++
			}
			each := k > j+1 && oneOf(x.word(k-1), "cada every")
			many := oneOf(x.wordOr(k), soMany) || k < to && x.tok[k].Kind == lex.Digits && k == j+1 && x.number(k) < 101 && x.dateAt(k) == 0
			if (each || oneOf(x.word(j), ratios)) && many && !x.ofThings(k+1) && !x.somebodyWithin(k+1, to) {
				return true
			}
		}
	}
	return false
}

// uncounted are what "one in three" counts of no people, months aside.
const uncounted = "hour hours day days week weeks month months year years hospitals wards visits stairs stunden tage tagen wochen monate monaten jahre jahren krankenhäuser jours semaines mois ans hôpitaux días semanas meses años hospitales dias anos hospitais giorni settimane mesi anni ospedali uur dagen weken maanden jaar ziekenhuizen trappen dni tygodni miesięcy lat szpitali"

// ofThings tells whether times or things are counted at token i: one stay in two
// hospitals, een brief op drie mei.
func (x *Sheet) ofThings(i int) bool { return x.has(i, lex.Month) || oneOf(x.wordOr(i), uncounted) }

// somebodyWithin tells whether a person comes in behind a ratio: one in four has it,
// but I have epilepsy.
func (x *Sheet) somebodyWithin(from, to int) bool {
	for i := from; i < to; i++ {
		if x.has(i, lex.Kin) || x.hints(i)&pronoun != 0 && x.pronounAt(i) || x.firstPerson(i) {
			return true
		}
	}
	return false
}

// machines are what people say of that it is ill.
const machines = "dossier chatbot bot server website app system computer software compressor engine boiler akte verfahren expediente procedimiento processo pratica fascicolo sprawa akta zaak"

// machineIll tells whether a thing is what an ailment is said of: "le dossier est
// dans le coma".
func (x *Sheet) machineIll(a *ailment) bool {
	for i := a.from - 1; i >= 0 && i >= a.from-6 && !x.stops(i) && !x.is(i, ",;:"); i-- {
		if x.personAt(i) {
			return false
		}
		if oneOf(x.word(i), machines) {
			h := x.hints(i + 1)
			return h&(has|suffers) != 0 || oneOf(x.wordOr(i+1), "is was est était está estava è era ist war liegt ligt lag jest był")
		}
	}
	return false
}

// losses are what a commission tells in percent.
const losses = "disability incapacity impairment invalidity invalidité incapacité discapacidad incapacidad minusvalía invalidez incapacidade deficiência invalidità inabilità arbeidsongeschikt arbeidsongeschiktheid niepełnosprawności uszczerbku gdb"

// percentOf is where a share of what somebody lost ends that token i starts: "65 % de
// discapacidad". It is i for none.
func (x *Sheet) percentOf(i int) int {
	if x.tok[i].Kind != lex.Digits || !x.is(i+1, "%") && !oneOf(x.wordOr(i+1), "percent prozent procent") {
		return i
	}
	j := i + 2
	for hops := 0; hops < 2 && j < len(x.tok) && (oneOf(x.word(j), "de di of da") || x.word(j) == "d" || x.is(j, "'")); hops++ {
		j++
	}
	if oneOf(x.wordOr(j), losses) {
		return j + 1
	}
	return i
}

// fever is where a temperature ends that only somebody ill has: "39,8 Grad", "39 de
// fiebre". It is i for none.
func (x *Sheet) fever(i int) int {
	if x.tok[i].Kind != lex.Digits || x.number(i) < 37 || x.number(i) > 42 {
		return i
	}
	j := i + 1
	if x.is(j, ",.") && j+1 < len(x.tok) && x.tok[j+1].Kind == lex.Digits && !x.tok[j+1].Space {
		j += 2
	} else if oneOf(x.wordOr(j), "grad degrees graden stopni gradi") {
		return i // water may have 40 degrees
	}
	if oneOf(x.wordOr(j), "grad degrees graden stopni gradi fieber koorts gorączki") {
		return j + 1
	}
	if oneOf(x.wordOr(j), "de di of") && oneOf(x.wordOr(j+1), "fiebre fièvre febre febbre fever") {
		return j + 2
	}
	return i
}

// curing are treatments that tell nothing by themselves.
const curing = "reha rehab rehabilitation anschlussheilbehandlung rehabilitación rehabilitaciones fisioterapia logopedia reabilitação riabilitazione rééducation kinésithérapie kiné cure kur revalidatie fysiotherapie rehabilitacja rehabilitację rehabilitacji physio physiotherapy"

// treatedFor takes in the treatment that stands before what it is for: "la
// rehabilitación tras el ictus". The ailment starts at token i.
func (x *Sheet) treatedFor(i int) int {
	j := i - 1
	for hops := 0; hops < 2 && j > 1 && !x.tok[j+1].Line && x.tok[j].Case == lex.Lower && (x.hints(j)&(joining|possessive) != 0 || x.article(j)) && !oneOf(x.word(j), afters); hops++ {
		j--
	}
	if j < 1 || x.tok[j+1].Line || !oneOf(x.word(j), afters) || !oneOf(x.word(j-1), curing) {
		return i
	}
	if n := len(x.ailments); n > 0 && x.ailments[n-1].to > j-1 {
		return i
	}
	return j - 1
}

// afters stand between a treatment and what it follows or is for.
const afters = "after following nach wegen après pour tras por após depois dopo per na po"

// counts are what statistics count people in.
const counts = "million millions millionen millones milhões milioni miljoen milionów statistics statistik cbs tno istat rki insee"

// census tells whether the sentence from from to to is one of statistics.
func (x *Sheet) census(from, to int) bool {
	for i := from; i < to; i++ {
		if oneOf(x.word(i), counts) || oneOf(x.word(i), "percent prozent procent cento ciento cent third tiers drittel terço terzo tercio derde") && (x.hints(i+1)&(has|suffers) != 0 || i+3 < to && (x.anyoneAt(i+2) || x.anyoneAt(i+3))) {
			return true
		}
	}
	return false
}

// amongAilments tells whether an ailment stands in a list of several, with nothing
// told of any.
func (x *Sheet) amongAilments(a *ailment) bool {
	for k := range x.ailments {
		b := &x.ailments[k]
		if b.from >= a.to && x.listed(a.to, b.from) || b.to <= a.from && x.listed(b.to, a.from) {
			return !x.is(b.from-1, ":")
		}
	}
	return false
}
