package main

import (
	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
	"github.com/agentnet/netctl/netkit/btdt/internal/tag"
)

// labelOf maps the kinds of marks to the first label of a kind. Kinds that are
// not listed (money, dates, references) need no tagger.
var labelOf = map[string]uint8{
	"NAME": tag.NameFirst, "ADDRESS": tag.AddressFirst, "MEDICAL": tag.MedicalFirst,
	"ORG": tag.OrgFirst, "REGULATOR": tag.OrgFirst, "PRODUCT": tag.OrgFirst,
	"LAW": tag.LawFirst, "CASELAW": tag.LawFirst, "LOC": tag.PlaceFirst, "ROLE": tag.RoleFirst,
}

// sample gives every token of a line its label.
func (l line) sample() tag.Sample {
	tokens := lex.Split(l.text, nil)
	s := tag.Sample{Text: l.text, Tokens: tokens, Field: l.field, Labels: make([]uint8, len(tokens))}
	for _, m := range l.marks {
		first, ok := labelOf[m.kind]
		if !ok {
			continue
		}
		inside := false
		for i, t := range tokens {
			if t.To <= m.from || t.From >= m.to {
				continue
			}
			s.Labels[i] = first
			if inside {
				s.Labels[i] = first + 1
			}
			inside = true
		}
	}
	return s
}
