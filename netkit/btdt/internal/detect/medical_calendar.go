package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// feasts are days that have a name instead of a number.
const feasts = "maundy thursday, palm sunday, shrove tuesday, midsummer, boxing day, gründonnerstag, heilige drei könige, christmas, christmas day, christmas eve, new year's eve, new year's day, new year, easter, easter sunday, easter monday, good friday, ash wednesday, whit monday, thanksgiving, thanksgiving day, labor day, memorial day, independence day, the fourth of july, halloween, valentine's day, mother's day, father's day, st patrick's day, bonfire night, pancake day, " +
	"heiligabend, weihnachten, silvester, neujahr, karfreitag, ostersonntag, ostermontag, ostern, pfingsten, pfingstmontag, nikolaus, nikolaustag, rosenmontag, himmelfahrt, fronleichnam, " +
	"noël, veille de noël, réveillon, lundi de pâques, pâques, toussaint, jour de l'an, pentecôte, ascension, quatorze juillet, " +
	"nochebuena, nochevieja, navidad, año nuevo, día de reyes, reyes, viernes santo, jueves santo, domingo de ramos, día de muertos, " +
	"natal, véspera de natal, noite de natal, páscoa, sexta-feira santa, carnaval, dia de reis, passagem de ano, ano novo, " +
	"natale, vigilia di natale, pasqua, pasquetta, ferragosto, santo stefano, capodanno, epifania, san silvestro, " +
	"kerst, kerstavond, eerste kerstdag, tweede kerstdag, koningsdag, pasen, paasmaandag, tweede paasdag, pinksteren, hemelvaart, hemelvaartsdag, oudjaarsdag, nieuwjaarsdag, sinterklaas, " +
	"wigilia, wigilię, boże narodzenie, sylwester, sylwestra, wielkanoc, trzech króli, boże ciało, zaduszki, wielki piątek"

// weekdays with the forms that they have behind a preposition.
const weekdays = "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira lunedì martedì mercoledì giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag poniedziałek wtorek środę środa czwartek piątek sobotę sobota niedzielę niedziela"

var (
	feastCues   = sync.OnceValue(func() phrases { return phrasesOf(feasts) })
	weekdayKeys = sync.OnceValue(func() map[uint64]bool { return keySet(weekdays) })
)

// namedDay is the number of tokens of a day without a month at token i: "Boxing
// Day", "Tuesday the 4th", "martes 4". A weekday alone is none.
func (x *Sheet) namedDay(i int) int {
	t := x.tok[i]
	if t.Kind != lex.Letters {
		return 0
	}
	if end := x.cue(feastCues(), i); end > 0 && (t.Case != lex.Lower || x.tongue() != english && t.To-t.From > 4) {
		if end < len(x.tok) && x.tok[end].Kind == lex.Digits && isYear(x.word(end)) {
			end++
		}
		return end - i
	}
	if !weekdayKeys()[t.Key] {
		return 0
	}
	j := i + 1
	for hops := 0; hops < 3 && j < len(x.tok) && (x.is(j, ",") || oneOf(x.word(j), "the der dem den le el il de dia día dnia")); hops++ {
		j++
	}
	if j >= len(x.tok) || x.tok[j].Line {
		return 0
	}
	if n := x.dateAt(j); n > 0 {
		return j + n - i
	}
	if d := x.number(j); d >= 1 && d <= 31 && (x.tok[j].Kind == lex.Mixed && ordinal(x.word(j)) || x.tok[j].Kind == lex.Digits && !x.is(j+1, ":%€$£") && !oneOf(x.wordOr(j+1), "am pm uhr h heures hours euros")) {
		return j + 1 - i
	}
	return 0
}

// stems of words that tell of a treatment, compared by their first letters: the
// endings differ by person and case.
const stems = "uniklinik fitt anpass angepass appareill colocac colocad colocó coloqué dopasow wszczep założon zamontow aangemet geplaatst plaatsing montat unfall accident acidente incidente infortun ongeval ongeluk wypadk wypadek caiu cayó cadde caduta viel tomb przewróc ausgerutsch glissé slipped resbal escorreg scivol behandl behandel treatme traitem tratami tratame tratamie leczen trattam blutwert bloods bloodw analític festgest went hospic arrêt posé posée poste implant okul dentist tooth crown couronne element extra dismiss inject injekt iniez inyec injeç zastrzyk stent scanner radio écho angebr intern arrest hospital hospitali hôpital hôpitau szpital ospedal krankenh ziekenh admit admis operat operiert operier opér operad operaci operaç operacj opero opere operow surg chirurg cirug cirurg klinik clinic clínic kliniek przychodn ambulan emergenc intensiv intensif intensief intensyw reanim réanim rianim icu ingres internad internaç ricover dimess dimiss aufgenommen eingelief eingewies entlass opgenom opname ontslag ontslagen wypis przyjęt trafił przyjęc discharg biops scan mri ultraso diagnos diagnóst rozpozn zdiagn stwierdz vastgest gebaar entbind entbund urodz birth deliver labour labor parto accouch bevall bevie geburt poród porodz porod narodz mastect chemo chimio quimio chemio kemo radioth bestrahl bestral dialys diális dializ infus perfus transfus transpl trasplan trapian implant therap térap terap kinesit rehab rééduc physio fysio impf vaccin vacun szczep examin untersuch exam examen onderzo badan termin appointm sprechst visit theatre sectioned fractur fraktur złama broke brach cassé rompi quebr rott gebrok złam fell stürz sturz caí caduta caduto caduta gevall upad upadł collaps kollab relaps rückfall rechute recaíd recaída nawrót seizure anfall crise crisis convuls atak attack infarkt infarc stroke schlaganf ictus avc udar beroer miscarr fehlgeb fausse abort aborto poron miskra overdos died starb mort murió morreu morto overle zmarł wound amput stent pacemak test getest testé prescri verschr recet receit przepis voorges transplan thérap séance session sesión sessão seduta zabieg operow"

// strongStems tell of a stay or an operation by themselves; a person must be near.
const strongStems = "uniklinik inpatient krankgesch arrêt malattia zwolnien ziekgem baja baixa signed arrêt-maladie interné hospital hôpital szpital ospedal krankenh ziekenh ingres internad ricover dimess dimiss entlass eingelief eingewies opgenom ontslag wypis intensiv intensif operated operiert opéré operad operat geopere operow discharg rianim réanim surgery underwent sectioned sedated klinik przyjęt zabieg alta"

// stemHead is how many bytes of a stem find it.
const stemHead = 3

var (
	stemsByHead       = sync.OnceValue(func() map[string][]string { return byHead(stems) })
	strongStemsByHead = sync.OnceValue(func() map[string][]string { return byHead(strongStems) })
)

func byHead(list string) map[string][]string {
	heads := map[string][]string{}
	for w := range strings.FieldsSeq(list) {
		heads[w[:stemHead]] = append(heads[w[:stemHead]], w)
	}
	return heads
}

// stemmed tells whether token i starts with one of some stems.
func (x *Sheet) stemmed(i int, heads map[string][]string) bool {
	t := x.tok[i]
	if t.Kind != lex.Letters || t.To-t.From < stemHead {
		return false
	}
	w := strings.ToLower(x.word(i))
	if len(w) < stemHead {
		return false
	}
	for _, stem := range heads[w[:stemHead]] {
		if strings.HasPrefix(w, stem) {
			return true
		}
	}
	return false
}

// treatment tells whether token i is a word of treatment.
func (x *Sheet) treatment(i int) bool {
	return x.stemmed(i, stemsByHead()) || oneOf(x.word(i), treatWords) || oneOf(x.word(i), seenWords)
}
