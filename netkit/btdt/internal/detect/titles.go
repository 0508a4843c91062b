package detect

import (
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// surnamed tells whether a capitalised word behind an honorific is a surname for
// that alone, whatever else it means: Mr Law, Miss Sisters, pan Styczeń. Offices
// are addressed so too, and German writes every noun with a capital.
func (x *Sheet) surnamed(i int) bool {
	t := x.tok[i]
	const other = lex.Role | lex.Title | lex.Kin | lex.Org | lex.Law
	if t.Case != lex.Capital || t.Line || !x.politeBefore(i) || t.Flags&other != 0 && t.Flags&lex.Surname == 0 || functionKeys()[t.Key] || officeKeys()[t.Key] {
		return false
	}
	const name = lex.Given | lex.Surname
	if t.Flags&name == 0 && x.capital(i+1) && !x.tok[i+1].Line && !x.has(i+1, name) {
		return false // Mrs Bouquet Florists
	}
	return !x.has(i+1, lex.OrgWord) && !x.is(i+1, "&")
}

// polite are the honorifics that stand before a person alone. "Dr" and "Prof"
// open the names of clinics as well.
const polite = "mr mrs ms mdm monsieur madame mme mlle herr herrn frau señor señora señorita senhor senhora signor signora meneer mevrouw pani pana panu"

var politeKeys = sync.OnceValue(func() map[uint64]bool { return keySet(polite) })

// politeBefore tells whether one stands before token i. "Miss" is a verb as well,
// "pan" a thing.
func (x *Sheet) politeBefore(i int) bool {
	if i < 1 || x.tok[i].Line {
		return false
	}
	j := i - 1
	if x.is(j, ".") && j > 0 {
		j--
	}
	switch x.word(j) {
	case "Miss":
		return x.speech == lex.English
	case "pan", "Pan", "panem", "panu":
		return x.tok[i].Flags&lex.Polish != 0
	}
	return politeKeys()[x.tok[j].Key] && x.tok[j].Kind == lex.Letters
}

// offices are addressed like people: Mr Speaker, Pan Prezes.
const offices = "speaker chair chairman chairwoman chairperson president secretary minister ambassador mayor registrar ombudsman commissioner chancellor governor clerk moderator " +
	"minister ministerin präsident präsidentin direktor direktorin bürgermeister bürgermeisterin kanzler kanzlerin rektor rektorin vorsitzende vorsitzender kollege kollegin nachbar nachbarin anwalt anwältin " +
	"maire directeur directrice président présidente ministre préfet procureur juge greffier conseillère conseiller " +
	"juez jueza director directora presidente presidenta alcalde alcaldesa ministro ministra fiscal notario gerente " +
	"diretor diretora juiz juíza prefeito prefeita delegado delegada promotor promotora síndico síndica vereador vereadora " +
	"direttore direttrice sindaco giudice prefetto notaio procuratore presidente " +
	"voorzitter directeur burgemeester minister rechter notaris " +
	"prezes prezesie dyrektor dyrektorze minister prezydent prezydencie sędzia sędzio burmistrz wójt starosta kierownik kierowniczka prokurator"

var officeKeys = sync.OnceValue(func() map[uint64]bool { return keySet(offices) })

// office tells whether a name is a form of address and an office and no person:
// Herr Minister; or, as in "monsieur de la SDE", a firm that he is from.
func (x *Sheet) office(from, to int) bool {
	words, title := 0, x.titleBefore(from) || from > 0 && x.honorific(from-1, from)
	for i := from; i < to; i++ {
		t := x.tok[i]
		if t.Kind != lex.Letters || particle(x.word(i)) && (t.Case == lex.Lower || i == from && x.sentenceStart(i)) {
			continue
		}
		if t.Flags&lex.Title != 0 || x.honorific(i, i) {
			title = true
			continue
		}
		if words++; t.Flags&lex.Surname != 0 || !officeKeys()[t.Key] && !(t.Case == lex.Caps && x.abbreviation(t) && i > 0 && particle(x.word(i-1)) && !x.shouted()) {
			return false
		}
	}
	return words == 1 && title || words == 0 && oneOf(x.word(to-1), "excmo excma exmo exma ilmo ilma")
}

// smallTitle tells whether token i, in a text of small letters, is an honorific
// with its article: el lic armando, a dona bela.
func (x *Sheet) smallTitle(i int) bool {
	return i >= 0 && oneOf(x.word(i), "lic adv ing arq eng profe profa dona doña don seu dra mtro mtra") && (oneOf(x.wordOr(i-1), "el la del al do da") || x.wordOr(i-1) == "o" || x.wordOr(i-1) == "a" || oneOf(x.word(i), "dona doña seu") && i+1 < len(x.tok) && x.lead[i+1] > 250) && x.small()
}

// rankBefore tells whether a rank stands before a firm that is a surname too: el
// capitán Santander.
func (x *Sheet) rankBefore(i int) bool {
	return i > 0 && !x.tok[i].Line && x.tok[i-1].Case == lex.Lower && rankKeys()[x.tok[i-1].Key] && x.word(i-1) != "me" && tag.Kind(x.labels[i]) == tag.NameFirst
}
