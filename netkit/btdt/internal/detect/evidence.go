package detect

import (
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// evidence is what the words beside a name of one word, token i, tell of whether
// it is a person, in the measure of the tagger: more than 0 for a person.
func (x *Sheet) evidence(i int) int32 {
	sum := int32(0)
	acts, owns := x.acts(i), x.possesses(i)
	name := x.tok[i].Flags & (lex.Given | lex.Surname)
	for _, cue := range []struct {
		there  bool
		weight int32
	}{
		{acts && (name&lex.Given != 0 || name != 0 && x.tok[i].Flags&lex.Polish == 0), 250},
		{acts && x.tok[i].Flags == 0, 100},
		{acts && name != 0 && x.sentenceStart(i) && x.romance(), 300},
		{x.withKin(i), 300},
		{x.speaksWith(i), 150},
		{x.explained(i), 250},
		{x.tradeBehind(i), 250},
		{x.relationBefore(i), 350},
		{x.fromDesk(i), 300},
		{owns, 150},
		{owns && x.tok[i].Flags&^(lex.Given|lex.Surname|lex.Start|lex.Languages) == 0 && name&lex.Given != 0, 400},
		{x.saluted(i), 300},
		{x.conversed(i), 250},
		{x.reported(i), 200},
		{x.aCertain(i), 350},
		{x.inService(i), -350},
		{x.doesIt(i), 150},
		{x.plural(i), -400},
		{x.entry(i), 200},
		{x.counted(i), -400},
		{x.oneOfMany(i), -350},
	} {
		if cue.there {
			sum += cue.weight
		}
	}
	return sum
}

// evident tells whether a capitalised word that the tagger took for no name is one
// by what stands beside it.
func (x *Sheet) evident(i int) bool {
	const other = lex.OrgWord | lex.LawWord | lex.Role | lex.Org | lex.Seen | lex.Law | lex.Street | lex.Title | lex.Kin
	t := x.tok[i]
	if t.Case != lex.Capital && t.Case != lex.Inner || t.To-t.From < 3 || t.Flags&other != 0 || t.Flags&(lex.Given|lex.Surname) == 0 && t.Flags != 0 || !x.alone(i) || functionKeys()[t.Key] || compoundThing(x.word(i)) || t.Flags == 0 && x.speech == lex.English && branded(x.word(i)) {
		return false
	}
	k := tag.Kind(x.labels[i])
	if k == tag.LawFirst || k == tag.AddressFirst || k == tag.MedicalFirst || t.Flags&(lex.Month|lex.Keep) != 0 && t.Flags&lex.Given == 0 {
		return false
	}
	if t.Flags&lex.Place != 0 && (t.Flags&lex.Given == 0 && !x.fromDesk(i) && !x.conversed(i) || i > 0 && (x.tok[i-1].Case == lex.Lower && particle(x.word(i-1)) || x.is(i-1, "'"))) {
		return false
	}
	e := x.evidence(i)
	return e >= 150 && x.lead[i]+e >= x.needed(i)
}

// personal tells whether a word stands as only a person does, whatever it names
// besides.
func (x *Sheet) personal(i int) bool {
	return x.withKin(i) || x.explained(i) || x.relationBefore(i) || x.saluted(i) || x.conversed(i)
}

// aCertain tells whether token i is told of as somebody that one need not know: een
// zekere Bakker, un tal Robles.
func (x *Sheet) aCertain(i int) bool {
	return i > 1 && !x.tok[i].Line && x.tok[i-1].Case == lex.Lower && oneOf(x.word(i-1), "certain certaine gewisser gewisse gewissen zekere tal tale certo certa cierto cierta") && (oneOf(x.word(i-2), "un une ein eine einem einen einer een um uma una") || x.word(i-2) == "a") ||
		i > 0 && oneOf(x.word(i-1), "niejaki niejaka niejakiego niejaką niejakiej niejakim")
}

// firmKinds are what a firm is to somebody, though a person may be it.
const firmKinds = "employer insurer lender provider supplier carrier airline manufacturer retailer bank operator developer arbeitgeber versicherer anbieter hersteller händler employeur assureur fournisseur fabricant enseigne prestataire aseguradora proveedor proveedora fabricante empresa seguradora operadora fornecedor empregadora assicurazione fornitore azienda werkgever verzekeraar leverancier aanbieder pracodawca ubezpieczyciel dostawca producent aerolínea broker lenders spedition"

// tradeBehind tells whether what somebody does for a living stands between commas
// behind token i: Echeverry, la enfermera, la atendió.
func (x *Sheet) tradeBehind(i int) bool {
	j := i + 3
	if x.is(j, "'") {
		j++
	}
	return j+1 < len(x.tok) && x.is(i+1, ",") && explainerKeys()[x.tok[i+2].Key] && x.tok[i+2].Case == lex.Lower && x.is(j+1, ",") &&
		x.tok[j].Flags&(lex.Role|lex.Kin) != 0 && x.tok[j].Flags&lex.OrgWord == 0 && !oneOf(x.word(j), firmKinds)
}

// inService tells whether token i, between commas, is whom somebody works for or
// has a contract with: his employer, Linamar, kept deducting.
func (x *Sheet) inService(i int) bool {
	if x.has(i, lex.Surname) && !x.has(i, lex.Word|lex.Foreign|lex.Org|lex.OrgWord|lex.Seen|lex.Place) {
		return false // her employer, Kowalski, is somebody
	}
	return i > 1 && x.is(i-1, ",") && !x.has(i, lex.Given) && oneOf(x.word(i-2), firmKinds)
}
