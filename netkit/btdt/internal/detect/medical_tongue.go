package detect

import (
	"math/bits"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// tongue is the language that a text is written in, as far as its small words
// tell.
type tongue uint8

const (
	unknown tongue = iota
	english
	german
	french
	spanish
	portuguese
	italian
	dutch
	polish
	tongues
)

// smallWords are words that stand in nearly every sentence of a language and in
// hardly any of the others.
var smallWords = [tongues]string{
	english:    "the and of to is was for that with my they had not it by from which she he who her his i",
	german:     "der die das und nicht ist mit ein eine einen den dem wir ich sich auf auch wurde wegen meine mein für zur beim",
	french:     "la un a est son ses mais ou plus il chez mme en de lui ne qu cette où le les des du et est une dans pour que qui pas sur au aux mon ma par avec elle avait été",
	spanish:    "la un a en de el los las y una del que por con mi lo para su dos al tiene está pero le se así también cómo más muy",
	portuguese: "o os não uma do da dos das em no na com que minha meu foi ao são à por",
	italian:    "la un a il gli che di una è per non del della con mia mio le nel dal ha sono al",
	dutch:      "het een van en dat niet met voor op zijn mijn te heeft bij werd ik naar de",
	polish:     "w i na nie z się jest do że po ma od przez za jak był mój moja o u",
}

var tongueKeys = sync.OnceValue(func() map[uint64][]tongue {
	keys := map[uint64][]tongue{}
	for t, words := range smallWords {
		for w := range strings.FieldsSeq(words) {
			keys[lex.Key(w)] = append(keys[lex.Key(w)], tongue(t))
		}
	}
	return keys
})

// tongue guesses the language of the text, once.
func (x *Sheet) tongue() tongue {
	if x.language != unknown || len(x.tok) == 0 {
		return x.language
	}
	var count [tongues]int
	best := english
	for i, t := range x.tok {
		if t.Kind != lex.Letters {
			continue
		}
		if x.word(i) == "I" {
			continue
		}
		if k := lettersOf(x.word(i)); k != unknown {
			if count[k] += 2; count[k] > count[best] {
				best = k
			}
		}
		if k := ownTongue(t); k != unknown {
			if count[k]++; count[k] > count[best] {
				best = k
			}
		}
		for _, k := range tongueKeys()[t.Key] {
			if count[k]++; count[k] > count[best] {
				best = k
			}
		}
	}
	x.language, x.mute = best, count[best] == 0
	return best
}

// lettersOf is the language that alone has some letter of a word, unknown where
// none does.
func lettersOf(w string) tongue {
	for _, r := range w {
		switch r {
		case 'ą', 'ę', 'ł', 'ś', 'ź', 'ż', 'ć', 'ń':
			return polish
		case 'ß':
			return german
		case 'ã', 'õ':
			return portuguese
		case 'ñ':
			return spanish
		case 'œ', 'û', 'î', 'ù':
			return french
		}
	}
	return unknown
}

// ownTongue is the language that a word in small letters is an ordinary word of,
// unknown where several have it.
func ownTongue(t lex.Token) tongue {
	if t.Case != lex.Lower || t.To-t.From < 3 {
		return unknown
	}
	switch of := uint64(t.Flags & lex.Languages); {
	case of == 0 && t.Flags&(lex.Word|lex.Foreign) == lex.Word:
		return english
	case t.Flags&lex.Word != 0 || bits.OnesCount64(of) != 1:
		return unknown
	default: // tongues stand in the order of the flags
		return german + tongue(bits.TrailingZeros64(of)-bits.TrailingZeros64(uint64(lex.German)))
	}
}
