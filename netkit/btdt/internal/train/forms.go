package main

import (
	"strings"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// formsOf gives the function that makes the forms of a term of a class in a
// language: plurals of medical words, cases of Polish ones, the term alone elsewhere.
func formsOf(lang string, class lex.Flags) func(string) []string {
	switch {
	case class&lex.Medicine == 0 || lang == "*":
		return func(term string) []string { return []string{term} }
	case lang == "pl":
		return polishForms
	case lang == "en":
		return drugForms
	case lang == "de":
		return germanForms
	}
	return plurals
}

// plurals adds the endings that the Romance and Germanic languages give a noun.
// A form that is no word does no harm: nobody writes it.
func plurals(term string) []string {
	forms := []string{term}
	if strings.Contains(term, " ") || utf8.RuneCountInString(term) < 6 {
		return forms
	}
	switch last := term[len(term)-1]; {
	case last == 's' || last >= '0' && last <= '9':
		return forms
	case strings.HasSuffix(term, "ung") || strings.HasSuffix(term, "ion") || last == 'z':
		forms = append(forms, term+"en")
	case last == 'e':
		forms = append(forms, term+"n")
	}
	return append(forms, term+"s")
}

// drugEnds are what the other languages put in place of the end of an English
// name of a medicine: metoprolol, metoprololo; riluzole, riluzol.
var drugEnds = []struct {
	end   string
	forms []string
}{
	{"ine", []string{"in", "ina", "yna"}}, {"ole", []string{"ol", "olo"}}, {"one", []string{"on", "ona"}}, {"ide", []string{"id", "ida", "yd"}},
	{"ate", []string{"at", "ato"}}, {"ene", []string{"en", "eno"}}, {"ol", []string{"olo"}}, {"am", []string{"amo"}}, {"mab", []string{"mabe"}},
	{"il", []string{"yl"}}, {"in", []string{"ina", "ine", "yna"}}, {"an", []string{"ana"}}, {"el", []string{"elo"}},
}

// foreignSpelling writes an English name as Polish, Spanish or Italian do.
var foreignSpelling = strings.NewReplacer("ca", "ka", "co", "ko", "cl", "kl", "cr", "kr", "x", "ks", "ph", "f", "th", "t", "qu", "kw")

// drugForms adds to the plurals of a word the names that a medicine has elsewhere.
func drugForms(term string) []string {
	forms := plurals(term)
	if strings.Contains(term, " ") || len(term) < 7 {
		return forms
	}
	for _, d := range drugEnds {
		if stem, ok := strings.CutSuffix(term, d.end); ok {
			forms = append(forms, foreignSpelling.Replace(term))
			for _, end := range d.forms {
				forms = append(forms, stem+end, foreignSpelling.Replace(stem)+end)
			}
			break
		}
	}
	return forms
}

// germanForms adds to the plurals of a word the cases of an adjective before it:
// multiple Sklerose, einer multiplen Sklerose.
func germanForms(term string) []string {
	adjective, noun, two := strings.Cut(term, " ")
	stem, e := strings.CutSuffix(adjective, "e")
	if !two || !e {
		return plurals(term)
	}
	return []string{term, stem + "en " + noun, stem + "er " + noun, stem + "em " + noun}
}

// polishEnds are the endings of the nominative, and what the other cases have in
// their place; the first that fits counts.
var polishEnds = []struct {
	end   string
	cases []string
}{
	{"nia", []string{"nia", "ni", "nię", "nią", "nie"}},
	{"ja", []string{"ja", "ji", "ję", "ją", "je"}},
	{"ia", []string{"ia", "ii", "ię", "ią", "i", "ie"}},
	{"ka", []string{"ka", "ki", "kę", "ką", "ce"}},
	{"ga", []string{"ga", "gi", "gę", "gą", "dze"}},
	{"ra", []string{"ra", "ry", "rę", "rą", "rze", "rej"}},
	{"ta", []string{"ta", "ty", "tę", "tą", "cie", "tej"}},
	{"wa", []string{"wa", "wy", "wę", "wą", "wie", "wej"}},
	{"ła", []string{"ła", "ły", "łę", "łą", "łej", "łego"}},
	{"na", []string{"na", "ny", "nę", "ną", "nie", "nej"}},
	{"a", []string{"a", "y", "ę", "ą", "ie", "ej"}},
	{"enie", []string{"enie", "enia", "eniu", "eniem", "eń"}},
	{"anie", []string{"anie", "ania", "aniu", "aniem"}},
	{"cie", []string{"cie", "cia", "ciu", "ciem"}},
	{"ie", []string{"ie", "ia", "iu", "iem", "iego"}},
	{"ość", []string{"ość", "ości", "ością"}},
	{"ień", []string{"ień", "nia", "niu", "niem", "nie"}},
	{"ół", []string{"ół", "ołu", "ołem", "ole"}},
	{"ek", []string{"ek", "ku", "ka", "kiem", "ki", "ków"}},
	{"ec", []string{"ec", "ca", "cem", "cu"}},
	{"ki", []string{"ki", "kiego", "kiemu", "kim", "ków"}},
	{"gi", []string{"gi", "giego", "gim"}},
	{"y", []string{"y", "ego", "emu", "ym", "ych"}},
	{"e", []string{"e", "ego", "emu", "ym", "ych"}},
	{"ł", []string{"ł", "łu", "łem", "le", "ły"}},
	{"r", []string{"r", "ra", "ru", "rem", "rze", "ry"}},
	{"k", []string{"k", "ka", "ku", "kiem", "kowi", "ki", "ków"}},
	{"l", []string{"l", "lu", "la", "lem", "le"}},
	{"t", []string{"t", "tu", "ta", "tem", "cie", "ty"}},
	{"", []string{"", "u", "a", "em", "ie", "y", "ów", "owi"}},
}

// polishForms declines the first two words of a term in step; what follows is
// nearly always a genitive and stays.
func polishForms(term string) []string {
	words := strings.Fields(term)
	if len(words) == 0 {
		return nil
	}
	forms := []string{term}
	rest := strings.Join(words[1:], " ")
	for _, first := range declined(words[0]) {
		forms = append(forms, strings.TrimSpace(first+" "+rest))
		if len(words) > 1 {
			tail := strings.Join(words[2:], " ")
			for _, second := range declined(words[1]) {
				forms = append(forms, strings.TrimSpace(first+" "+second+" "+tail))
			}
		}
	}
	return forms
}

// declined gives the forms of one word, itself for one that is too short to tell.
func declined(word string) []string {
	if utf8.RuneCountInString(word) < 4 || strings.ContainsAny(word, "0123456789") {
		return []string{word}
	}
	for _, e := range polishEnds {
		if stem, ok := strings.CutSuffix(word, e.end); ok {
			forms := make([]string, len(e.cases))
			for i, c := range e.cases {
				forms[i] = stem + c
			}
			return forms
		}
	}
	return []string{word}
}
