package detect

import "github.com/agentnet/netctl/netkit/btdt/internal/lex"

// institutions are places of a firm or an office: what stands right behind them is
// where everybody may go. Words that a private person has too, such as office or
// shop, are not among them.
const institutions = "headquarters headquartered hq branch branches showroom courthouse filiale zweigstelle geschäftsstelle hauptsitz firmensitz zentrale hauptverwaltung firmenzentrale siège succursale agence guichet agences sede sedes sucursal sucursales oficina oficinas filiali sportello agenzia agência balcão loja hoofdkantoor filiaal balie bankfiliaal vestiging oddział oddziale oddziału placówka placówce placówki siedziba siedzibie siedziby centrala"

// betweenPlace may stand between an institution and where it is.
const betweenPlace = "is at in on of the der die das den dem des am an im zur liegt unter de du la le les des est situé située en el los central centrale social sociale legale di del della dei in da do dos das op aan het van te przy na ul w bank banku centralna główna"

// publicPlace tells whether the address from one token to another is that of a
// branch or headquarters named right before it, with no person between.
func (x *Sheet) publicPlace(from, to int) bool {
	for i := from; i < min(to+1, len(x.tok)); i++ {
		if x.tok[i].Case == lex.Lower && oneOf(x.word(i), "junction roundabout interchange intersection") {
			return true // where roads meet nobody lives
		}
	}
	if x.lonePhase(from, to) || x.cedex(from, to) || x.officeAddress(from) || x.theirBox(from) {
		return true
	}
	for j, hops := from-1, 0; j >= 0 && hops < 6 && !x.tok[j+1].Line; j, hops = j-1, hops+1 {
		w := x.word(j)
		switch {
		case oneOf(w, institutions):
			return !oneOf(x.wordOr(j-1), ownWords) && !x.taken(x.tok[j].From, x.tok[from].From)
		case x.tok[j].Kind == lex.Sign && !x.is(j, ",(:-"):
			return false
		case x.tok[j].Kind == lex.Letters && x.tok[j].Case == lex.Lower && !oneOf(w, betweenPlace) && x.tok[j].To-x.tok[j].From > 1:
			return false
		}
	}
	return false
}

// cedex tells whether an address is one that the French post gives to offices and
// firms alone: TSA 27601, 59973 Tourcoing Cedex.
func (x *Sheet) cedex(from, to int) bool {
	if x.word(from) != "TSA" && x.word(from) != "CS" && x.word(from) != "BP" {
		return false
	}
	for i := from; i < to; i++ {
		if oneOf(x.word(i), "cedex") {
			return true
		}
	}
	return false
}

// boxOfOffice is where the box begins in an address that the tagger began at the
// office or firm that has it: Aetna Appeals, PO Box 14463.
func (x *Sheet) boxOfOffice(from, to int) int {
	office := false
	for k := from; k+1 < to && k < from+6; k++ {
		switch {
		case x.postBox(k) > 0:
			if office && x.is(k-1, ",") {
				return k
			}
			return from
		case x.officeWord(k):
			office = true
		case !x.capital(k) && !x.is(k, ","):
			return from
		}
	}
	return from
}

// theirBox tells whether the box at token from is that of whom somebody writes to:
// write to them at PO Box 1285.
func (x *Sheet) theirBox(from int) bool {
	if x.postBox(from) == 0 || !oneOf(x.wordOr(from-1), "at") || !oneOf(x.wordOr(from-2), "them") {
		return false
	}
	for i := from - 3; i >= 0 && i > from-30; i-- {
		if x.has(i, lex.Kin) || x.nameAt(i) || oneOf(x.word(i), "parents tenants neighbours neighbors family") {
			return false // they may be people
		}
	}
	return true
}

// ownWords before an institution say that the place is somebody's own.
const ownWords = "my our his her their meine meiner unsere unserer mon notre mi nuestra nuestro minha nossa mia nostra mijn onze moja mojej nasza naszej"

// lonePhase tells Phase 2, Road 4 of an estate: it holds no house.
func (x *Sheet) lonePhase(from, to int) bool {
	for i := from; i < to; i++ {
		if x.tok[i].Kind == lex.Letters && !oneOf(x.word(i), "phase road street sector block") {
			return false
		}
	}
	return oneOf(x.word(from), "phase")
}
