package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// clash is a word that gives a hint in some languages and means something else in
// others: "nicht" is a Dutch cousin and denies in German, "są" and "sa" have the
// same key.
type clash struct {
	hint hint
	in   uint16 // a bit for each language that it gives the hint in
}

// clashing marks the words that a clash is known of.
const clashing hint = 1 << 31

// clashWords are the words of hints that count in some languages alone.
var clashWords = []struct {
	hint  hint
	in    []tongue
	words string
}{
	{possessive, []tongue{english}, "his her our hers"},
	{possessive, []tongue{french}, "mes sa ses nos"},
	{possessive, []tongue{spanish}, "mis"},
	{possessive, []tongue{italian}, "sue mie"},
	{possessive, []tongue{dutch}, "haar onze ons hun"},
	{pronoun, []tongue{german}, "er ich sie enkel"},
	{pronoun, []tongue{dutch}, "nicht pap ze"},
	{pronoun, []tongue{polish}, "on ona go mu ja mam nim"},
	{pronoun, []tongue{italian}, "lei io ho genero ero manco"},
	{pronoun, []tongue{portuguese}, "eu parti neto neta"},
	{pronoun, []tongue{spanish}, "crío cría"},
	{anyone, []tongue{dutch}, "wie"},
	{anyone, []tongue{italian}, "chi"},
	{topic, []tongue{english}, "on"},
	{topic, []tongue{polish}, "na"},
	{topic, []tongue{german}, "wie"},
	{topic, []tongue{french}, "sur"},
	{rules, []tongue{polish}, "są jest"},
	{rules, []tongue{spanish}, "dan"},
	{every, []tongue{english}, "no"},
	{every, []tongue{german, dutch}, "alle andere"},
	{told, []tongue{french}, "eu"},
	{told, []tongue{english, dutch}, "was had"},
	{told, []tongue{german}, "war stand fiel"},
	{told, []tongue{dutch}, "nam werden"},
	{told, []tongue{spanish}, "dio"},
	{could, []tongue{german}, "man"},
	{could, []tongue{dutch}, "als u je"},
	{has, []tongue{spanish, portuguese, italian}, "es"},
	{has, []tongue{dutch}, "met"},
	{has, []tongue{polish}, "u z ze ma"},
	{suffers, []tongue{german}, "leiden"},
	{suffers, []tongue{italian}, "assume"},
}

var clashKeys = sync.OnceValue(func() map[uint64][]clash {
	keys := map[uint64][]clash{}
	for _, c := range clashWords {
		var in uint16
		for _, t := range c.in {
			in |= 1 << t
		}
		for w := range strings.FieldsSeq(c.words) {
			keys[lex.Key(w)] = append(keys[lex.Key(w)], clash{c.hint, in})
		}
	}
	return keys
})

// unclashed takes from the hints of token i those that it does not give in the
// language of the text.
func (x *Sheet) unclashed(i int, h hint) hint {
	t := x.tongue()
	if x.mute {
		return h &^ clashing
	}
	for _, c := range clashKeys()[x.tok[i].Key] {
		if c.in&(1<<t) == 0 {
			h &^= c.hint
		}
	}
	return h &^ clashing
}
