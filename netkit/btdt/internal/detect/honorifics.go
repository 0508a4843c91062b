package detect

import (
	"slices"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// stoppedTitles are honorifics when a full stop stands behind them.
const stoppedTitles = "sr srs sres dra dras ing arq eng enga adv lic arch rag geom avv adw mec inż mgr insp cllr capt sgt lt rev"

var stoppedTitleKeys = sync.OnceValue(func() map[uint64]bool { return keySet(stoppedTitles) })

// titleBefore tells whether an honorific stands right before a token.
func (x *Sheet) titleBefore(i int) bool {
	stop := x.is(i-1, ".")
	if stop {
		i--
	}
	return i > 0 && !x.tok[i].Line && (titleKeys()[x.tok[i-1].Key] || stop && stoppedTitleKeys()[x.tok[i-1].Key])
}

// honorificsBefore walks left over Mr., Frau Dr., los señores and the like.
func (x *Sheet) honorificsBefore(i int) int {
	for i > 0 && !x.tok[i].Line {
		j := i - 1
		if x.is(j, ".") && j > 0 && !x.tok[j].Line {
			j--
		}
		if j > 1 && x.is(j-1, ".") && !x.tok[j].Space && oneOf(x.word(j), "ssa ra na") || x.ordinalLetter(j) {
			j -= 2 // dott.ssa, Eng.ª
		}
		if !x.honorific(j, i) || x.taken(x.tok[j].From, x.tok[j].To) {
			break
		}
		i = x.articleBefore(j)
	}
	if i > 0 && i < len(x.tok) && x.honorific(i, i+1) {
		return x.articleBefore(i) // the tagger took it for part of the name
	}
	return i
}

// ordinalLetter tells whether token i is the letter of an abbreviation like Eng.º.
func (x *Sheet) ordinalLetter(i int) bool {
	return i > 1 && i < len(x.tok) && x.is(i-1, ".") && !x.tok[i].Space && !x.tok[i-1].Space && (x.word(i) == "o" || x.word(i) == "a")
}

// honorific tells whether token j is one, with what it belongs to at token i.
func (x *Sheet) honorific(j, i int) bool {
	key, capital := x.tok[j].Key, x.tok[j].Case != lex.Lower
	return honorificKeys()[key] || (capital || j+1 < i) && shortKeys()[key] || capital && elderKeys()[key]
}

// address tells whether a word of a name is a form of address and names nobody.
func (x *Sheet) address(i int) bool {
	key := x.tok[i].Key
	return honorificKeys()[key] || (shortKeys()[key] || elderKeys()[key]) && x.tok[i].Flags&(lex.Given|lex.Surname) == 0 || oneOf(x.word(i), "la el los las il lo les os as den")
}

// articleBefore takes the article of an honorific that has one: la señora, de heer.
func (x *Sheet) articleBefore(i int) int {
	if i == 0 || x.tok[i].Line || x.speech == lex.English {
		return i
	}
	articles := "la el los las il lo les"
	switch w := x.word(i); {
	case oneOf(w, "senhor senhora senhores doutor doutora engenheiro engenheira"):
		articles = "o a os as"
	case oneOf(w, "heer heren familie"):
		articles = "de den"
	}
	if slices.Contains(strings.Fields(articles), strings.ToLower(x.word(i-1))) {
		return i - 1
	}
	return i
}

// Honorifics go with the name, and so do offices and ranks before it that are
// written with a capital; officer, nurse, clerk and the like are roles and stay.
const (
	honorifics = strongTitles + " messrs drs dra professor sir madam dame lord lady reverend " +
		"herren familie eheleute ehepaar doktor " +
		"messieurs mesdames mmes mlles maître mre docteur docteure professeur famille époux " +
		"señores señoras srita sres don dña doctor doctora licenciado licenciada ingeniero ingeniera profesor profesora " +
		"senhores dona dom doutor doutora engenheiro engenheira seu " +
		"signori sigra signa dottor dottore ingegner geom geometra ragionier profssa " +
		"heer heren mejuffrouw dokter suor " +
		"pan panią panem panowie panie państwo państwa państwu państwem mgr inż mec mecenas mecenasa adw dyr doktora profesora " +
		"smt shri shrimati alhaji alhaja hajiya barr engr otunba oloye datuk cik excmo excma exmo exma ilmo ilma pbro hno hna fray frei hj hjh dre dres sor"

	// short ones mean other words as well: they want a capital or a full stop.
	short = "drs md mohd atty pd p fr hr pr me mag dipl ing lic rag arch arq adv eng enga ir bc dipl asp st sierż kom nadkom podkom rpr r sr sra m mm d da km rev revd fr br hon cllr capt captain cpt maj major col colonel lt lieutenant sgt sergeant cst const constable ust tn ny gen general pc dci cdr commander insp ra rain mstr master mra ks ssa stssa cav cond canon father sister brother pastor bishop imam rabbi sheikh mallam chief kapitän pfarrer pater schwester père padre suor hermana irmã zuster"

	// elders and offices are forms of address when they have a capital: Aunt Rose,
	// Judge Broussard.
	elders = "auntie aunt aunty uncle nana gran grandma grandpa granny opa oma tante onkel oom oncle tonton tata tía tío tia tio zia zio nonna nonno babcia ciocia wujek ouma oupa gogo papi mamie mémé pépé agent baron baroness countess comrade barrister deacon deaconess judge justice senator alderman alderwoman superintendent attorney detective inspector deputy mayor councilman councilwoman congressman congresswoman commissioner magistrate governor corporal marshal trooper principal coach hofrat hofrätin oberarzt oberärztin juge commissaire brigadier juez jueza juíza desembargador giudice maresciallo wethouder burgemeester sędzia prokurator aspirant"
)

var (
	honorificKeys = sync.OnceValue(func() map[uint64]bool { return keySet(honorifics) })
	shortKeys     = sync.OnceValue(func() map[uint64]bool { return keySet(short) })
	elderKeys     = sync.OnceValue(func() map[uint64]bool { return keySet(elders) })
)
