package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// parties are words for the one whom a case or a family story is about. With an
// article that means a certain one they are a person: "the claimant", "our
// youngest", "der Kläger".
const parties = "claimant plaintiff complainant appellant applicant petitioner insured youngest eldest oldest " +
	"kläger klägerin klägers antragsteller antragstellerin versicherte versicherter jüngster jüngste jüngsten ältester älteste ältesten " +
	"requérant requérante demandeur demanderesse plaignant plaignante assuré assurée aîné aînée cadet cadette benjamin benjamine " +
	"recurrente demandante solicitante reclamante asegurado asegurada pequeño pequeña mayor " +
	"recorrente autor autora requerente segurado segurada caçula beneficiária beneficiário " +
	"ricorrente assicurato assicurata piccolo piccola primogenito primogenita " +
	"eiser eiseres verzoeker verzoekster klager klaagster verzekerde jongste oudste " +
	"skarżący skarżąca powód powódka wnioskodawca wnioskodawczyni najmłodszy najmłodsza najstarszy najstarsza bratowa bratowej szwagierka szwagierki"

// certainly are articles and possessives that mean a certain one.
const certainly = "the der die dem den des la le l el los o a os il lo de mijn onze zijn haar"

// determined tells whether the word at token i means a certain one. Polish has no
// articles.
func (x *Sheet) determined(i int) bool {
	if x.tongue() == polish || x.sentenceStart(i) && x.hints(i+1)&has != 0 {
		return true // Insured is diabetic, as notes put it
	}
	j := i - 1
	if x.is(j, "'") {
		j--
	}
	return j >= 0 && (oneOf(x.word(j), certainly) || oneLetter(x.word(j), "oaloaA") || x.word(j) == "O" || x.word(j) == "L" || x.hints(j)&possessive != 0)
}

// relative tells whether the word at token i leads a clause about somebody named
// before it: "a moça de quem falo", "mijn schoonzus, bij wie". Without a word before
// its preposition it means whoever.
func (x *Sheet) relative(i int) bool {
	return i > 1 && !x.tok[i-1].Line && (oneOf(x.word(i-1), "de em com bij van aan met con di da su en") || oneLetter(x.word(i-1), "a")) && !x.stops(i-2) && (x.is(i-2, ",") || x.hints(i-2)&(told|rules|could) == 0 && x.tok[i-2].Kind == lex.Letters)
}
