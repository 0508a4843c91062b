package main

import (
	"math/rand/v2"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// Sample is a text with the labels that each token may have.
type Sample struct {
	Text    string
	Tokens  []lex.Token
	Field   string
	Allowed []tag.Set
}

// labelOf maps the kinds of marks to labels. Kinds that are not listed need no
// tagger: whatever it says of them is right.
var labelOf = map[string]tag.Label{
	"NAME": tag.NameFirst, "ADDRESS": tag.Address, "MEDICAL": tag.Medical, "CASE_REF": tag.CaseRef, "POLICY_REF": tag.PolicyRef,
	"ACCOUNT": tag.Account, "DOB": tag.DOB, "VEHICLE": tag.Vehicle, "OTHER_ID": tag.OtherID, "TRACKING": tag.OtherID,
	"NATIONAL_ID": tag.NationalID, "SSN": tag.NationalID, "PASSPORT": tag.NationalID, "PHONE": tag.Phone,
	"FINANCIAL": tag.Financial, "IBAN": tag.Financial, "CARD": tag.Financial,
}

var keptLabelOf = map[string]tag.Label{
	"ORG": tag.Org, "REGULATOR": tag.Org, "PRODUCT": tag.Org, "LAW": tag.Law, "CASELAW": tag.Law, "LOC": tag.Place, "ROLE": tag.Role,
	"MONEY": tag.Number, "DATE": tag.Number, "FORM": tag.Number, "CLAUSE": tag.Number, "CODE": tag.Number, "PHONE": tag.Number, "MEDGEN": tag.General,
}

// sample gives every token of a line the labels that it may have. With a source of
// chance some marked words forget their classes, so that the tagger learns to do
// without the lists.
func (l line) sample(random *rand.Rand) Sample {
	tokens := lex.Split(l.text, nil)
	lex.Settle(tokens, 0)
	s := Sample{Text: l.text, Tokens: tokens, Field: l.field, Allowed: make([]tag.Set, len(tokens))}
	for i := range s.Allowed {
		s.Allowed[i] = tag.Only(tag.Other)
	}
	for _, m := range l.marks {
		allowed := m.allowed(l.text[m.from:m.to])
		forget := random != nil && random.IntN(100) < forgotten
		inside := false
		for i, t := range tokens {
			if t.To <= m.from || t.From >= m.to {
				continue
			}
			s.Allowed[i] = allowed
			if inside && allowed == tag.Only(tag.NameFirst) {
				s.Allowed[i] = tag.Only(tag.NameNext)
			}
			if forget {
				tokens[i].Flags &^= forgettable
			}
			inside = true
		}
	}
	for i := range tokens {
		if random != nil && s.Allowed[i] == tag.Only(tag.Other) && random.IntN(100) < unknown {
			tokens[i].Flags = 0
		}
	}
	return s
}

// forgotten is how many marks of a hundred lose their classes in a copy of a line,
// unknown how many of the words outside of marks.
const (
	forgotten = 20
	unknown   = 20
)

const forgettable = lex.Given | lex.Surname | lex.Place | lex.Org | lex.Law | lex.Phrase | lex.Keep

// allowed are the labels that a mark may have.
func (m mark) allowed(text string) tag.Set {
	if !m.keep {
		if label, ok := labelOf[m.kind]; ok {
			return tag.Only(label)
		}
		return tag.All
	}
	if label, ok := keptLabelOf[m.kind]; ok {
		return tag.Only(label)
	}
	if m.kind == "KEEP" && strings.ContainsAny(text, "0123456789") {
		return tag.Only(tag.Number)
	}
	return tag.Kept
}
