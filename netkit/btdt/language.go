package btdt

import (
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// UnknownLatin names a language in Latin letters of which the word table hardly knows
// a word.
const UnknownLatin = "unknown"

// Unread is a language that the scrubber cannot read. Of its texts only what has a
// form was looked for, such as numbers and mail addresses, but no names.
type Unread struct {
	Language string   `json:"language"` // English name, or unknown for one in Latin letters
	Paths    []string `json:"paths"`
}

// A text is in a language that is not known where at most so many in a hundred of its
// words in small letters are ordinary in one language: of the development sets no
// playbook has fewer than 41, of single texts in fourteen other languages none but the
// Catalan one has more than 33. In a text of few words at most a quarter may be ordinary:
// no such text of the development sets has less than 30 of a hundred. Shorter ones follow
// the playbook.
const (
	knownPercent = 37
	fewPercent   = 25
	enoughInText = 12 // words that tell the language of a text
	fewInText    = 8
	enoughInBook = 8
)

// strangeText reports whether the words of a text tell that its language is not known.
func strangeText(words, known int) bool {
	return words >= enoughInText && known*100 < knownPercent*words || words >= fewInText && known*100 <= fewPercent*words
}

// judgeLanguages notes the texts that cannot be read.
func (b *book) judgeLanguages() {
	words, known := 0, 0
	for _, s := range b.passages {
		w, k := s.sheet.Latin()
		words, known = words+w, known+k
	}
	strange := words >= enoughInBook && known*100 < knownPercent*words
	for _, s := range b.passages {
		name, most := lex.Foreign(string(s.raw))
		w, k := s.sheet.Latin()
		switch {
		case name != "":
			s.language, s.formsOnly = name, most && name != lex.Cyrillic
		case w > 0 && s.field != "sub_category" && (strange && k*100 < knownPercent*w || strangeText(w, k)):
			s.language, s.formsOnly = UnknownLatin, true
		case strange && w < enoughInBook && s.field != "sub_category":
			s.formsOnly = true // too short to tell, and around it is a strange language
		}
	}
}

// unread lists the languages that cannot be read and that the author has not answered
// for.
func (b *book) unread(answered []string) (all []Unread) {
	for _, s := range b.passages {
		if s.language == "" || slices.ContainsFunc(answered, func(a string) bool { return strings.EqualFold(a, s.language) }) {
			continue
		}
		k := slices.IndexFunc(all, func(u Unread) bool { return u.Language == s.language })
		if k < 0 {
			k = len(all)
			all = append(all, Unread{Language: s.language})
		}
		all[k].Paths = append(all[k].Paths, s.path)
	}
	return all
}
