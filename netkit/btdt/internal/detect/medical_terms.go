package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// ailmentAt finds an ailment whose naming word is token i, and widens it to the
// words that belong to it.
func (x *Sheet) ailmentAt(i int) (ailment, bool) {
	a, ok := x.namedAt(i)
	a.core = [2]int{a.from, a.to}
	return a, ok
}

func (x *Sheet) namedAt(i int) (ailment, bool) {
	if x.firm(i) && x.tok[i].Flags&lex.Lab == 0 {
		return ailment{}, false
	}
	a := ailment{from: i, rule: "condition", score: 0.85}
	if to := x.codeAt(i); to > i {
		a.to, a.kind, a.rule, a.key = to, marked, "diagnosis_code", x.keyOf(i, to)
		if oneOf(x.wordOr(i-1), procedures) {
			a.from--
		}
		return a, true
	}
	if to := x.resultAt(i); to > i {
		a.to, a.kind, a.rule, a.key = to, marked, "test_result", x.keyOf(i, to)
		a.from = x.growLeft(i)
		return a, true
	}
	if to := x.bodyWeight(i); to > i {
		a.to, a.kind, a.rule, a.key = to, plain, "body_weight", x.keyOf(i, to)
		return a, true
	}
	if to := x.bornAtWeek(i); to > i {
		a.to, a.kind, a.rule, a.key = to, plain, "gestation", x.keyOf(i, to)
		return a, true
	}
	to, kind := x.phraseAt(i)
	if to == i {
		return x.brokenPart(i)
	}
	a.kind, a.key = kind, x.keyOf(i, to)
	a.from = x.growLeft(i)
	a.to = x.growRight(to)
	if dosed := x.dose(a.to); dosed > a.to {
		a.to, a.kind, a.rule = dosed, marked, "medicine"
	}
	return a, true
}

// firm tells whether token i is held as the name of something. What the tagger
// reads as medicine is none, unless an organisation has the same name: Dexcom is a
// firm and a sensor.
func (x *Sheet) firm(i int) bool {
	t := x.tok[i]
	if !x.held[i] || t.Case == lex.Lower {
		return false
	}
	if t.Flags&lex.Care != 0 && t.Flags&lex.Org == 0 && tag.Kind(x.labels[i]) != tag.NameFirst {
		return false
	}
	if x.labels[i] != tag.MedicalFirst && x.labels[i] != tag.MedicalNext {
		return true
	}
	return t.Flags&lex.Org != 0 && (t.Flags&(lex.Care|lex.Ill|lex.Lab) == 0 || t.Case != lex.Caps && x.hints(i-1)&possessive == 0 && !x.is(i-2, "'") && x.dose(i+1) == i+1)
}

// bodyWeight is where the kilos end that somebody weighs, i where it is not told.
func (x *Sheet) bodyWeight(i int) int {
	if x.tok[i].Kind != lex.Digits || !oneOf(x.wordOr(i+1), "kg kilo kilos kilogram kilograms stone lbs pounds pfund livres libras quilos chili kilogramów") {
		return i
	}
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if oneOf(x.word(j), "weighs weighed weigh weight wiegt wog wiege pèse pesait pesa pesaba peso pesava pesare weegt woog waży ważył ważyła ważę") {
			return i + 2
		}
	}
	return i
}

// bornAtWeek is where the weeks end that stand behind a birth: "born at 27 weeks".
// It is i where there are none.
func (x *Sheet) bornAtWeek(i int) int {
	if x.tok[i].Kind != lex.Digits || !x.weeks(i) || x.is(i+1, "%") {
		return i
	}
	end := i + 2
	if x.is(i+1, ".") {
		end++
	}
	for j := max(0, i-4); j < min(len(x.tok), end+3); j++ {
		if oneOf(x.word(j), "welt geburt kam schwanger born né née nacido nacida nació nasceu nascido nascida nato nata geboren urodzony urodzona birth prematuro prematura prématuré") {
			return end
		}
	}
	return i
}

// brokenPart reads what happened to a part of the body behind it: "two of my toes
// were amputated", "sa hanche est cassée". The word of harm is token i.
func (x *Sheet) brokenPart(i int) (ailment, bool) {
	if f, n := x.classAt(i); n != 1 || f&lex.Hurt == 0 {
		return ailment{}, false
	}
	j := i - 1
	for hops := 0; hops < 3 && j > 0 && !x.tok[j+1].Line && (x.hints(j)&(has|told) != 0 || oneOf(x.word(j), "be been badly nearly almost being left remained stayed resté restée restés rimasto rimasta quedó quedado ficou gebleven bleef geblieben blieb jest są")); hops++ {
		j--
	}
	if j == i-1 && x.tongue() != german && x.tongue() != dutch || j < 0 || !x.has(j, lex.Part) || x.hints(j-1)&(possessive|joining) == 0 && !x.has(j-1, lex.Mark) {
		return ailment{}, false
	}
	return ailment{from: x.growLeft(j), to: i + 1, key: x.keyOf(j, i+1), kind: plain, rule: "injury", score: 0.8}, true
}

// classAt is what the longest phrase of medicine at token i is, and its length in
// tokens; 0 where there is none.
func (x *Sheet) classAt(i int) (lex.Flags, int) {
	if i >= len(x.tok) || x.firm(i) {
		return 0, 0
	}
	if f, n := lex.Phrase(x.tok, i); n > 0 && f&lex.Medicine != 0 {
		return f & lex.Medicine, n
	}
	t := x.tok[i]
	if t.Kind == lex.Sign || t.Kind == lex.Placeholder {
		return 0, 0
	}
	f := t.Flags & lex.Medicine
	if f == 0 && t.To-t.From < 6 || x.otherwise(i, f) {
		return 0, 0
	}
	if f&^(lex.Sick|lex.Mark) == 0 && f&lex.Sick != 0 && t.Flags&lex.Clinical == 0 {
		f ^= lex.Sick | lex.Act // learned from a line, where it stood beside other words
	}
	if t.To-t.From <= 4 && t.Case != lex.Caps && t.Flags&(lex.Word|lex.Foreign) != 0 && f&(lex.Part|lex.Mark|lex.Hurt) == 0 {
		return 0, 0 // als and add are words, ALS and ADD conditions
	}
	if t.Kind == lex.Letters && f&(lex.Ill|lex.Care|lex.Sick|lex.Act|lex.Hurt) == 0 && (medicalEnd(x.word(i)) || medicalCompound(x.word(i))) {
		f |= lex.Ill
	}
	if f == 0 {
		f = x.hyphened(i)
	}
	return f, min(int(f), 1)
}

// hyphened is what a word of two parts is by the part that is one of medicine:
// Libre-Sensor, black-outs. A unit or a charity is none.
func (x *Sheet) hyphened(i int) lex.Flags {
	head, last, ok := cutLast(x.word(i), '-')
	if ok && strings.EqualFold(head, "ex") {
		return lex.Of(lex.Key(last)) & lex.Medicine
	}
	if !ok || x.tok[i].Kind != lex.Letters || len(head) < 4 && !isCaps(head) || len(last) < 3 || hintKeys()[lex.Key(last)]&organ != 0 {
		return 0
	}
	if whole := lex.Of(lex.Key(head+last)) | lex.Of(lex.Join(lex.Key(head), lex.Key(last))); whole&(lex.Ill|lex.Care) != 0 {
		return whole & lex.Medicine
	}
	if f := lex.Of(lex.Key(last)); f&lex.Ill != 0 || oneOf(last, "syndrom syndroom syndrome") {
		return f&lex.Medicine | lex.Ill
	}
	if f := lex.Of(lex.Key(head)); f&(lex.Ill|lex.Care) != 0 && f&(lex.Word|lex.Foreign) == 0 {
		return f & lex.Medicine
	}
	return 0
}

func isCaps(w string) bool { return w == strings.ToUpper(w) && len(w) > 1 }

// otherwise weeds out words that are medical in one language and something else
// in others.
func (x *Sheet) otherwise(i int, f lex.Flags) bool {
	w, t := x.word(i), x.tok[i]
	switch {
	case f&(lex.Ill|lex.Care) != 0 && t.To-t.From <= 3 && t.Case != lex.Caps:
		return !oneOf(w, "hiv vih rak zez lit")
	case w == "rąk" || w == "Rąk":
		return true // hands, not cancer
	case f&lex.Part != 0 && oneOf(w, "been long teen lies rug main sein dos rein reins rate kin pet bras"):
		return x.tongue() != dutch && x.tongue() != french
	}
	return false
}

// phraseAt reads a chain of medical words from token i on: "removal of a kidney
// stone", "fracture of the left wrist", "prothèse totale de hanche". It returns
// where the chain ends, i for none, and how much it tells.
func (x *Sheet) phraseAt(i int) (int, ailmentKind) {
	var seen lex.Flags
	end, bridge := i, 0
	for j := i; j < len(x.tok) && j < i+16; {
		f, n := x.classAt(j)
		switch {
		case n > 0 && (f&^lex.Mark != 0 || end > i):
			if bridge > 0 && f&^lex.Lab == 0 {
				return end, kindOf(seen)
			}
			if f&^(lex.Mark|lex.Lab) == 0 && bridge > 0 {
				j += n // an adjective behind a preposition waits for its noun
				continue
			}
			seen |= f
			j += n
			end, bridge = j, 0
			if seen&^lex.Part == 0 && seen&lex.Part != 0 {
				continue
			}
		case end > i && seen&^lex.Part != 0 && bridge < 3 && x.bridges(j):
			bridge++
			j++
		default:
			j = len(x.tok)
		}
	}
	kind := kindOf(seen)
	if to := x.syndrome(i); kind != plain && to > i {
		return max(to, end), plain
	}
	if kind == 0 {
		return i, 0
	}
	return end, kind
}

// sorts are words for an illness that an adjective makes a certain one, in the
// languages that put it behind.
const sorts = "syndrome trouble troubles maladie maladies síndrome trastorno trastornos enfermedad doença doenças transtorno perturbação sindrome malattia disturbo disturbi zespół choroba choroby chorobę zaburzenie zaburzenia lésion lésions lesión lesiones lesão lesione insuffisance insuficiencia insuficiência insufficienza niewydolność"

// syndrome reads an illness that its adjective names: "syndrome anxio-dépressif".
// It is i where none stands there.
func (x *Sheet) syndrome(i int) int {
	if !oneOf(x.word(i), sorts) || i+1 >= len(x.tok) || x.tok[i+1].Line {
		return i
	}
	if t := x.tok[i+1]; t.Kind == lex.Letters && t.Case == lex.Lower && x.hints(i+1) == 0 && (x.unknownAdjective(i+1) || t.Flags&(lex.Clinical|lex.Sick) != 0 || cutsHyphen(x.word(i+1))) {
		return i + 2
	}
	return i
}

func cutsHyphen(w string) bool { return strings.Contains(w, "-") }

// kindOf tells how much words of some classes tell together, 0 for nothing.
func kindOf(seen lex.Flags) ailmentKind {
	switch {
	case seen&(lex.Ill|lex.Care|lex.Sick) != 0, seen&(lex.Act|lex.Hurt) != 0 && seen&lex.Part != 0:
		return plain
	case seen&lex.Act != 0:
		return vague
	}
	return 0
}

// bridges tells whether token i may stand between a treatment and a part of the
// body.
func (x *Sheet) bridges(i int) bool {
	return !x.tok[i].Line && (x.hints(i)&(joining|possessive) != 0 || x.is(i, "'"))
}

// growLeft takes in what tells how or where before an ailment: "severe", "type 2",
// "stage III", "left".
func (x *Sheet) growLeft(i int) int {
	floor := 0
	if n := len(x.ailments); n > 0 {
		floor = x.ailments[n-1].to
	}
	from := i
	for grown := true; grown && i-from < 8; {
		grown = false
		for k := from - 1; k >= floor && from-k <= 4 && !x.tok[k+1].Line; k-- {
			f, n := x.classAt(k)
			if n >= from-k && f&(lex.Mark|lex.Part) != 0 || k == from-1 && x.unknownAdjective(k) || k >= from-2 && x.weeks(k) {
				from, grown = k, true
				break
			}
		}
	}
	return from
}

// countWords are numbers in words as far as weeks of a pregnancy go.
const countWords = "three four five six seven eight nine ten eleven twelve drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig trois quatre cinq six sept huit neuf dix onze douze vingt tres cuatro cinco seis siete ocho nueve diez once doce veinte três quatro sete oito nove dez doze vinte tre quattro cinque sei sette otto nove dieci undici dodici venti drie vier vijf zes zeven acht negen tien elf twaalf twintig trzy cztery pięć sześć siedem osiem dziewięć dziesięć"

// weeks tells whether a number stands at token i and a span of time behind it:
// 20 weeks pregnant.
func (x *Sheet) weeks(i int) bool {
	if x.tok[i].Kind == lex.Digits && x.is(i+1, ".%") {
		return x.is(i+1, "%") || oneOf(x.wordOr(i+2), "schwangerschaftswoche ssw woche")
	}
	return (x.tok[i].Kind == lex.Digits || oneOf(x.word(i), countWords)) && oneOf(x.wordOr(i+1), "percent prozent procent weeks months week semaines mois semanas meses settimane mesi weken maanden")
}

// unknownAdjective tells whether a word in small letters is in no list of
// ordinary words and ends as adjectives of medicine do.
func (x *Sheet) unknownAdjective(i int) bool {
	t := x.tok[i]
	if t.Kind != lex.Letters || t.Case != lex.Lower || t.To-t.From < 6 || t.Flags&(lex.Word|lex.Foreign|lex.Kin|lex.Role) != 0 {
		return false
	}
	return t.Flags&lex.Medicine != 0 || lastly(x.word(i), "al ic ar ous oid ary ive ique ale aire ico ica ale aler ische ischer ischen iger igen ige")
}

// lastly tells whether a word ends in one of a blank-divided list of endings.
func lastly(w, ends string) bool {
	for end := range strings.FieldsSeq(ends) {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// growRight takes in what tells more behind an ailment: a stage, a side, a level
// of the spine.
func (x *Sheet) growRight(i int) int {
	for i < len(x.tok) && !x.tok[i].Line {
		f, n := x.classAt(i)
		switch {
		case x.timesAWeek(i) > i:
			i = x.timesAWeek(i)
		case n > 0 && f&lex.Mark != 0:
			i += n
		case x.hints(i)&stage != 0 && i+1 < len(x.tok) && x.grade(i+1):
			i += 2
		case x.tok[i].Kind == lex.Mixed && x.tok[i].To-x.tok[i].From == 2 && isDigit(x.s[x.tok[i].From]) && strings.ContainsAny(x.word(i)[1:], "abc"):
			i++ // CKD 3b
		case x.is(i, ",") && i+1 < len(x.tok) && oneOf(x.word(i+1), "severe moderate mild") && x.hints(i+2)&conjunction != 0:
			i += 2 // as manuals write it: opioid use disorder, severe
		case oneOf(x.word(i), "recipient survivor sufferer victim patient"):
			i++
		case x.gestation(i) > i:
			i = x.gestation(i)
		case x.spinal(i):
			i++
			if x.is(i, "/-") && i+1 < len(x.tok) && x.spinal(i+1) {
				i += 2
			}
		default:
			return i
		}
	}
	return i
}

// timesAWeek is where it ends how often something is had: "three times a week",
// "four days a week". It is i where that is not told.
func (x *Sheet) timesAWeek(i int) int {
	if x.tok[i].Kind != lex.Digits && !oneOf(x.word(i), "once twice three four five six several every daily weekly zweimal dreimal viermal täglich deux trois quatre dos tres cuatro duas três quatro due tre quattro twee drie vier dwa trzy cztery") {
		return i
	}
	end := x.howOften(i)
	if end > i+1 && oneOf(x.word(end-1), "week day month woche tag monat semaine jour mois semana día mes dia mês settimana giorno mese maand dag tygodniu tydzień dniu dzień miesiąc daily weekly") {
		return end
	}
	return i
}

// gestation reads "de 31 semanas", "of 29 weeks" behind a pregnancy or an early
// birth. It is i where there is none.
func (x *Sheet) gestation(i int) int {
	j := i
	for hops := 0; hops < 2 && j < len(x.tok) && (oneOf(x.word(j), "of de di at von van las alle às in na der") || oneLetter(x.word(j), "aà") || x.word(j) == "à"); hops++ {
		j++
	}
	if j+1 < len(x.tok) && (x.tok[j].Kind == lex.Digits || oneOf(x.word(j), countWords)) && oneOf(x.word(j+1), "weeks months semaines mois semanas meses settimane mesi weken maanden wochen monaten monate") {
		return j + 2
	}
	return i
}

// grade tells whether token i is a stage: 3, IV, 3a, B, II/III.
func (x *Sheet) grade(i int) bool {
	t, w := x.tok[i], x.word(i)
	switch {
	case t.To-t.From > 4:
		return false
	case t.Kind == lex.Digits, t.Kind == lex.Mixed:
		return true
	}
	return t.Kind == lex.Letters && t.Case != lex.Lower && strings.Trim(w, "IVX") == "" || len(w) == 1 && w >= "A" && w <= "D"
}

// spinal tells whether token i is a level of the spine: L4, C6, S1, L4-L5.
func (x *Sheet) spinal(i int) bool {
	w := x.word(i)
	return x.tok[i].Kind == lex.Mixed && len(w) >= 2 && len(w) <= 3 && strings.ContainsAny(w[:1], "LCTS") && isDigit(w[1])
}

// medicalEnds are endings that only words of medicine have, by their last two
// letters.
var medicalEnds = sync.OnceValue(func() map[[2]byte][]string {
	ends := map[[2]byte][]string{}
	for end := range strings.FieldsSeq(strongEnds) {
		k := [2]byte{end[len(end)-2], end[len(end)-1]}
		ends[k] = append(ends[k], end)
	}
	return ends
})

// strongEnds, without accents on their last letters.
const strongEnds = "rthritis astritis titis ditis olitis nitis ritis litis citis carcinoma sarcoma melanoma lymphoma blastoma adenoma myeloma glioma karzinom sarkom melanom lymphom blastom adenom " +
	"ectomy ectomie ectomia ektomie ektomia ektomii oplasty oplastik oplastie oplastia oscopy oskopie oscopie oscopia oskopia ostomy ostomie ostomia plegia plegie " +
	"opathy opathie opatia neuralgia fibrosis stenosis thrombosis sclerosis cirrhosis arthrosis arthrose artrose artrosi artrosis stenose thrombose trombose trombosi fibrose sklerose sclerose zirrhose cirrose cirrosi " +
	"izumab ximab tuzumab limumab olumab inumab kinumab umabe imab imabe tinib ciclib sartan artana vastatin vastatina vastatine prazole prazol cillin cilina cilline cillina floxacin floxacino oxacin gliptin gliptina gliflozin glutide glutid glutida xaban xabana cycline ciclina zyklin dipine dipin dipina lukast triptan setron parib tegravir navir vudine zosin azepam zolam oxetine oxetin oxetina afaxin afaxine afaxina statyna mycin micina mycine aparin aparina heparina gabalin gabaline gabalina dronate dronat metformin prednisolon cortison salazine thiazide thiazid " +
	"entzündung infarkt karzinom insuffizienz fraktur frakturen prothese prothesen amputation thrombose embolie krebs hernie migräne ontsteking kanker infarct fractuur carcinoom zwakte rruptur ruptuur " +
	"zapalenie nowotwór"

// medicalEnd tells whether a word of some length has such an ending.
func medicalEnd(w string) bool {
	if len(w) < 8 {
		return false
	}
	for _, end := range medicalEnds()[[2]byte{w[len(w)-2] | 0x20, w[len(w)-1] | 0x20}] {
		if len(w) > len(end)+1 && strings.EqualFold(w[len(w)-len(end):], end) {
			return true
		}
	}
	return false
}

// compoundEnds are the second halves of German and Dutch compounds; the first
// must be a part of the body or another word of medicine.
const compoundEnds = "operation operationen op bruch brüche riss risse schmerz schmerzen transplantierter transplantierte operierter operierte kranker kranke patient patientin tumor tumore verletzung verletzungen störung störungen erkrankung erkrankungen krankheit transplantation schwäche lähmung ruptur spiegelung syndrom blutung leiden beschwerden implantat implantate ersatz therapie infektion infekt sucht abhängigkeit plastik punktion resektion biopsie entfernung rekonstruktion schaden luxation prellung zerrung stauchung versagen vergiftung allergie metastasen metastase steine stein implantation vergrößerung verkleinerung verengung trauma behandlung " +
	"operatie operaties breuk breuken pijn pijnen klachten letsel stoornis aandoening aandoeningen ziekte transplantatie falen verlamming syndroom bloeding vervanging verwijdering resectie scheur verslaving reconstructie verkleining amputatie allergie embolie trombose problemen patiënt patiënte lijder gezwel stenen foto"

// medicalCompound tells whether a word joins a part of the body and what is wrong with
// it or done to it: Hüftoperation, Knie-OP, schouderoperatie.
func medicalCompound(w string) bool {
	if len(w) < 6 {
		return false
	}
	low := strings.ToLower(w)
	if head, last, ok := cutLast(low, '-'); ok && len(head) > 1 {
		const what = lex.Act | lex.Hurt | lex.Ill | lex.Care
		return lex.Of(lex.Key(last))&what != 0 && stemFlags(head)&(lex.Part|lex.Ill|lex.Care) != 0
	}
	if len(w) < 8 {
		return false
	}
	for _, end := range compoundTails()[[2]byte{low[len(low)-2], low[len(low)-1]}] {
		if head, ok := strings.CutSuffix(low, end); ok && len(head) > 2 && stemFlags(head)&(lex.Part|lex.Ill) != 0 {
			return true
		}
	}
	return false
}

func cutLast(s string, sep byte) (head, last string, ok bool) {
	i := strings.LastIndexByte(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

var compoundTails = sync.OnceValue(func() map[[2]byte][]string {
	ends := map[[2]byte][]string{}
	for end := range strings.FieldsSeq(compoundEnds) {
		k := [2]byte{end[len(end)-2], end[len(end)-1]}
		ends[k] = append(ends[k], end)
	}
	return ends
})

// stemFlags looks up the first half of a compound, with the letters that join
// halves or without.
func stemFlags(head string) lex.Flags {
	f := lex.Of(lex.Key(head)) | lex.Of(lex.Key(head+"e"))
	for _, joint := range []string{"s", "n", "en", "es", "er"} {
		if stem, ok := strings.CutSuffix(head, joint); ok && len(stem) > 2 {
			f |= lex.Of(lex.Key(stem))
		}
	}
	return f
}
