package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// plural tells whether an English word that is a name as well stands before things
// in the plural that could be a verb: pat answers such as these.
func (x *Sheet) plural(i int) bool {
	return x.speech == lex.English && x.has(i, lex.Word) && i+2 < len(x.tok) && oneOf(x.word(i+1), "answers calls claims promises replies") && oneOf(x.word(i+2), "such like on to from of are were in for get go")
}

// tallies stand before what is counted or before times of the year.
const tallies = "nächsten nächste letzten letzte diesen diese kommenden vergangenen próximo último pasado proximo prochain dernier volgende vorige scorso prossimo zeszły następny jedes jeder jede jedem jeden zwei drei vier fünf sechs sieben acht neun zehn elf zwölf beide beiden mehrere viele alle seit since until till im am zum vom beim je pro ab since depuis desde dal vanaf sinds od dos tres deux trois tre twee drie dwa trzy meine ganze volle dritten zweiten ersten"

var tallyKeys = sync.OnceValue(func() map[uint64]bool { return keySet(tallies) })

// counted tells whether a noun or month, though a name as well, is counted or
// dates something: jedes Mal, seit Mai.
func (x *Sheet) counted(i int) bool {
	return i > 0 && x.has(i, lex.Month|lex.Noun|lex.Foreign) && !x.tok[i].Line && tallyKeys()[x.tok[i-1].Key]
}

// oneOfMany tells whether an English article stands before a name that is no
// family: the Priory, the Duke.
func (x *Sheet) oneOfMany(i int) bool {
	if i > 0 && strings.EqualFold(x.word(i-1), "a") && x.speech == lex.English && i+1 < len(x.tok) && x.tok[i+1].Kind == lex.Letters && x.tok[i+1].Case == lex.Lower && x.has(i+1, lex.Word) && !x.has(i+1, lex.Say) && !oneOf(x.word(i+1), "from in at on of who with by for to or and") {
		return true // a Christian charity
	}
	return i > 0 && !x.tok[i].Line && x.speech == lex.English && oneOf(x.word(i-1), "the an") && !strings.HasSuffix(x.word(i), "s") && !(i+1 < len(x.tok) && oneOf(x.word(i+1), "family household clan girls boys brothers sisters twins kids children siblings estate"))
}

// namedThings carry the names of people: storms, programs, ships.
const namedThings = "dispositif réforme amendement barème plan plano doctrina sentencia súmula acórdão riforma lodo sentenza ustawa storm hurricane cyclone typhoon chatbot bot assistant robot ferry ship sturm sturmtief orkan hurrikan zyklon tief assistentin tempête cyclone ouragan ferry navire borrasca huracán tormenta asistente buque crucero tempestade depressão furacão assistente navio tempesta ciclone uragano traghetto nave storm orkaan schip huragan orkan bot czatbot prom statek wichura"

var namedThingKeys = sync.OnceValue(func() map[uint64]bool { return keySet(namedThings) })

// namedThing tells whether token i is the name of such a thing.
func (x *Sheet) namedThing(i int) bool {
	return i > 0 && !x.tok[i].Line && namedThingKeys()[x.tok[i-1].Key]
}
