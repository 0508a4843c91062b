package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// grammarWords are the small words of a language that open sentences in it, many
// of which are the name of somebody in another: Chi ha, Nel 2023, Per favore, Ante
// la negativa, Ten wniosek.
var grammarWords = [tongues]string{
	english:    "gone given taken shown just only also even still each both such",
	german:     "es dies das der die den dem des wenn nur so er sie ihr wir wie soll von an am im da darin hält man mir schon allein weil alle bei bis beim ohne mal gleich ihnen denen deren dessen jene jeder manche solche welche wem wen etwa ebenso sogar selbst seit sobald sofern obwohl während mangels laut gemäß ab statt anstatt trotz je mehr sehr ganz gar eben halt auf aus nach zu vor mit um ob hin her",
	french:     "le la les un une ne son sa ses ma mon mes au aux du des elle on nous vous ils par pas si non oui rien tout tous chaque chez dès lors puis vu va né née été être avoir ayant or car cela ceci celui celle ceux donc enfin hier ici là même moins plus peu trop tant tel telle ni quand quel quelle sans sauf selon sous sur vers voici voilà en à de pour avec dans après avant",
	spanish:    "el la los las un una unos unas mi mis tu su sus al del con sin según ante bajo desde durante entre hacia hasta mediante para por salvo sobre tras si no ni que quien cual como cuando donde este esta estos estas ese esa esos esas aquel aquella ella ellas ellos ello uno nada nadie algo alguien cada todo todos otra otro aún así ya muy más menos tan tanto hay ha han he fue era es está son ver dar ir lo le les se nos me te sí solo también tampoco luego después antes ahora aquí allí ojalá ojo de en a",
	portuguese: "o a os as um uma uns umas na no nas nos da do das dos em sem com por para até após ante sob sobre entre desde durante conforme segundo não nem sim só se que quem qual como quando onde este esta estes estas esse essa esses essas aquele aquela nesta neste nessa nesse numa num dela dele cada todo toda todos tudo nada ninguém algo alguém outro outra há era foi está são tem têm ser ter ver dei fez já mais menos muito tão também ainda minha meu seu sua de ao aos à leia",
	italian:    "il lo la i gli le un uno una di a da in con su per tra fra del dello della dei degli delle al allo alla ai agli alle dal dallo dalla dai dagli dalle nel nello nella nei negli nelle sul sullo sulla sui sugli sulle col coi si no non né se che chi cui come quando dove quanto quale questo questa questi queste quello quella quelli ogni ognuno tutto tutta tutti nulla niente nessuno ho hai ha abbiamo hanno sono era erano sarà fu sia ora poi già mai più meno molto così anche ancora pure solo vi ci mi ti ne noi voi lui lei due tre quattro dì durante secondo prima dopo verso senza sotto sopra entro oltre tranne salvo almeno far fare",
	dutch:      "de het een van er om alleen kan na hoe nu elke wat ze dat ten wie mij ons hun haar zijn is was wilt bent ben zal zou moet mag geen niet wel ook al als maar want dus of en bij met uit tot op over onder tegen voor tussen sinds tijdens volgens zonder per via toch pas weer steeds vaak soms meer minder veel weinig toen dan daar hier waar waarom wanneer",
	polish:     "aby na ta to ten do te za jak nic on oni ani tak tej tym tych tutaj są był była było były mogą co coś kto który która które gdy gdyby jeśli jeżeli bo bez dla od po pod przed przez przy u w z ze o i a ale lub oraz czy że już tylko też także jeszcze potem wtedy teraz mój moja moje nasz nasi nasza ich jego jej wszystko wszyscy każdy każda inna inny sam oto tu tam",
}

var grammarKeys = sync.OnceValue(func() (keys [tongues]map[uint64]bool) {
	for t, words := range grammarWords {
		keys[t] = map[uint64]bool{}
		for w := range strings.FieldsSeq(words) {
			keys[t][lex.Key(w)] = true
		}
	}
	return keys
})

// smallWord tells whether token i is such a word of the language of the text that
// opens a sentence.
func (x *Sheet) smallWord(i int) bool {
	return x.tok[i].Case == lex.Capital && x.sentenceStart(i) && grammarKeys()[x.tongue()][x.tok[i].Key] && !x.titleBefore(i)
}

// grammatical tells whether it does so alone and the sentence goes on in small
// letters or with a number: Van € 1.140 naar € 893.
func (x *Sheet) grammatical(i int) bool {
	next := i + 1
	return next < len(x.tok) && !x.capital(next) && (x.tok[next].Kind == lex.Letters || x.tok[next].Kind == lex.Digits || x.is(next, "€$£")) && x.smallWord(i)
}
