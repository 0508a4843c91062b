package detect

import (
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// userWords stand before the name that somebody has among strangers.
const userWords = "user username handle nick nickname nickiem nicku pseudo alias seller buyer screenname gamertag profile utilisateur vendeur acheteur profil usuario usuaria vendedor vendedora comprador perfil utente nickname venditore acquirente profilo gebruiker verkoper koper profiel użytkownik użytkownika użytkowniczka sprzedawca sprzedawcy sprzedający kupujący benutzer nutzer nutzerin verkäufer käufer telegram vinted reddit discord instagram tiktok twitter snapchat etsy ebay"

var userWordKeys = sync.OnceValue(func() map[uint64]bool { return keySet(userWords) })

// deskParts are in the names under which firms answer.
var deskParts = []string{"help", "support", "care", "service", "official", "hilfe", "team", "atencion", "ayuda", "ajuda", "assist", "info", "news"}

// userNames finds what people call themselves among strangers: @tolya_remont78, user
// minty.fresh_04, u/brokenboiler22. A name of letters alone is left to the names.
func (x *Sheet) userNames() {
	for i := range x.tok {
		switch {
		case x.is(i, "@") && !x.tok[i].Space:
			x.walletAddress(i)
		case x.is(i, "@") && i+1 < len(x.tok) && !x.tok[i+1].Space:
			x.userName(x.tok[i].From, x.tok[i+1].From)
		case x.word(i) == "u" && x.tok[i].Space && x.is(i+1, "/") && i+2 < len(x.tok) && !x.tok[i+1].Space && !x.tok[i+2].Space:
			x.userName(x.tok[i].From, x.tok[i+2].From)
		case x.tok[i].Kind == lex.Letters && userWordKeys()[x.tok[i].Key]:
			j := i + 1
			for hops := 0; hops < 3 && (x.is(j, ":\"'(") || oneOf(x.wordOr(j), "is as called named name namens als comme como come jako er user nazwie")); hops++ {
				j++
			}
			if j < len(x.tok) && !x.tok[j].Line {
				x.userName(x.tok[j].From, x.tok[j].From)
			}
		}
	}
}

// userName marks the user name whose own letters start at a byte, with what stands
// before them from another.
func (x *Sheet) userName(from, at int) {
	to := at
	for to < len(x.s) && (x.letterAt(to) || (x.s[to] == '_' || x.s[to] == '.' || x.s[to] == '-') && to > at && (x.letterAt(to+1) || x.s[to] == '_')) {
		to++
	}
	text := x.s[at:to]
	digits := digitsIn(text)
	switch {
	case len(text) < 4 || x.foreignAt(to) || to < len(x.s) && x.s[to] == '@' || x.taken(from, to) || upperOrDigit(text) || !strings.Contains(text, "_") && digits == 0:
		return
	case !strings.Contains(text, "_") && (isDigit(text[0]) || strings.Contains(text, "-") || digits < 2 && from == at):
		return // 5th, covid-19, a model
	case x.handled(x.tok[x.at(at)]) && x.tok[x.handleEnd(x.at(at))-1].To == to:
		return // a name: see handles
	}
	for _, part := range deskParts {
		if strings.Contains(strings.ToLower(text), part) {
			return
		}
	}
	x.add(from, to, OtherID, "user_name", 0.85)
}

// walletBanks are what stands behind the at sign of an address for payments in India.
const walletBanks = "okaxis okhdfcbank okicici oksbi ybl ibl axl apl upi paytm ptyes ptaxis pthdfc ptsbi axisbank hdfcbank icici sbi yapl rapl fbl kotak idfcbank barodampay airtel freecharge jupiteraxis ikwik"

// walletAddress marks such an address at the at sign at token i: anand.roop77@okaxis.
func (x *Sheet) walletAddress(i int) {
	if i == 0 || i+1 >= len(x.tok) || x.tok[i].Space || x.tok[i+1].Space || !oneOf(x.word(i+1), walletBanks) || x.is(i+2, ".") && i+3 < len(x.tok) && !x.tok[i+3].Space {
		return
	}
	from := x.back(x.tok[i].From, mailRune)
	if to := x.tok[i+1].To; from < x.tok[i].From && !x.taken(from, to) {
		x.add(from, to, Financial, "wallet", 0.95)
	}
}
