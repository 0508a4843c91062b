// Package tag labels the words of a text: what identifies somebody, and what looks
// like it but is not (organisations, laws, places, roles, sums and dates). It is a
// linear model over hashed features of a word and its neighbours, trained as a
// structured averaged perceptron (Collins 2002) and decoded by Viterbi. Its weights
// are whole numbers, so that every machine labels alike.
package tag

// Label is what a token is part of.
type Label uint8

// Labels. A name has two, so that a row of names falls apart; the other kinds hardly
// ever touch.
const (
	Other Label = iota
	NameFirst
	NameNext
	Address
	Medical
	CaseRef
	PolicyRef
	Account
	DOB
	Vehicle
	OtherID
	NationalID
	Phone
	Financial
	Org
	Law
	Place
	Role
	Number // a sum, a date, a form, a public number
	General

	Labels = 20
)

// labelTypes are the types of findings that labels stand for; labels of what stays
// have none.
var labelTypes = [Labels]string{
	NameFirst: "NAME", NameNext: "NAME", Address: "ADDRESS", Medical: "MEDICAL", CaseRef: "CASE_REF", PolicyRef: "POLICY_REF",
	Account: "ACCOUNT", DOB: "DOB", Vehicle: "VEHICLE", OtherID: "OTHER_ID", NationalID: "NATIONAL_ID", Phone: "PHONE", Financial: "FINANCIAL",
}

// Type is the type of findings that a label stands for, "" for what stays.
func (l Label) Type() string { return labelTypes[l] }

// Private reports whether what has the label must go.
func (l Label) Private() bool { return l >= NameFirst && l <= Financial }

// Set is a set of labels.
type Set uint32

// All are all labels, Kept those of what stays.
const (
	All  Set = 1<<Labels - 1
	Kept Set = 1<<Other | (1<<Labels - 1<<Org)
)

// Only is the set of one label.
func Only(l Label) Set { return 1 << l }

// Has reports whether a label is in the set.
func (s Set) Has(l Label) bool { return s>>l&1 == 1 }

// Follows reports whether label b may stand after a: the next word of a name needs
// another before it.
func Follows(a, b Label) bool { return b != NameNext || a == NameFirst || a == NameNext }

// Numeric reports whether the label is that of a number: its parts have digits.
func (l Label) Numeric() bool { return l >= CaseRef && l <= Financial }
