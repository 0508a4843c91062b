package lex

// Flags are the classes of a word or phrase; a word may be in several.
type Flags uint64

// Classes of words. Phrase, Common and Elsewhere depend on the text around a word;
// the others come from the word table.
const (
	Given Flags = 1 << iota
	Surname
	Place
	Org     // the name of an organisation or product
	OrgWord // bank, hospital, GmbH
	Law     // the name of a law or of a case
	LawWord // act, code, directive
	Role    // adjuster, Sachbearbeiter, ombudsman
	Month
	Ill    // conditions, symptoms
	Care   // medicines and procedures
	Part   // parts of the body
	Act    // what is done to a body or wrong with it: dialysis, MRI, biopsy
	Hurt   // the same in words that mean other things too: surgery, tear, removal
	Mark   // how ill: chronic, left, stage III
	Lab    // what a laboratory measures
	Street // street, rue, platz
	Title  // Mr, Frau, Dr
	Kin    // wife, tenant, claimant: a person stands beside it
	Say    // what people do beside their name: said, promised, unterschrieb
	Keep   // never a name
	Start  // a longer phrase starts with this word

	CaseCue    // stands before the reference of a case: claim number, Aktenzeichen
	PolicyCue  // before a policy or member number
	AccountCue // before an account or customer number
	IDCue      // before a national number
	VehicleCue // before a plate or vehicle number
	MoneyCue   // before an account at a bank or a card
	PhoneCue   // before a telephone number
	OtherCue   // before another number that is someone's
	WeakCue    // may stand before a number of somebody: case, policy
	BornCue    // before a date of birth
	Pronoun    // he, her, mein: a person is told of
	LinkKey    // chooses a page for anybody in a link: lang, page

	Phrase    // part of a phrase of the table
	Common    // an ordinary word of the language of the text
	Elsewhere // an ordinary word of another language
)

// Languages that a word is an ordinary word of. Anywhere is set where the lists do
// not say which.
const (
	English Flags = 1 << (48 + iota)
	German
	French
	Spanish
	Portuguese
	Italian
	Dutch
	Polish
	Anywhere

	Languages = English | German | French | Spanish | Portuguese | Italian | Dutch | Polish
)

// Names of the classes in lists and rules.
var classNames = map[string]Flags{
	"given": Given, "surname": Surname, "place": Place, "org": Org, "orgword": OrgWord, "law": Law, "lawword": LawWord,
	"role": Role, "month": Month, "ill": Ill, "care": Care, "part": Part, "act": Act, "hurt": Hurt, "mark": Mark, "lab": Lab,
	"street": Street, "title": Title, "kin": Kin, "say": Say, "keep": Keep,
	"casecue": CaseCue, "policycue": PolicyCue, "accountcue": AccountCue, "idcue": IDCue, "vehiclecue": VehicleCue,
	"moneycue": MoneyCue, "phonecue": PhoneCue, "othercue": OtherCue, "weakcue": WeakCue, "borncue": BornCue, "pronoun": Pronoun, "linkkey": LinkKey,
	"phrase": Phrase, "common": Common, "elsewhere": Elsewhere,
	"en": English, "de": German, "fr": French, "es": Spanish, "pt": Portuguese, "it": Italian, "nl": Dutch, "pl": Polish, "anywhere": Anywhere,
}

// Class is the class of a name in lists and rules, or 0.
func Class(name string) Flags { return classNames[name] }

// Medicine are the classes of a word or phrase of medicine.
const Medicine = Ill | Care | Part | Act | Hurt | Mark | Lab

// Cues are the classes that announce a number of somebody.
const Cues = CaseCue | PolicyCue | AccountCue | IDCue | VehicleCue | MoneyCue | PhoneCue | OtherCue | WeakCue | BornCue
