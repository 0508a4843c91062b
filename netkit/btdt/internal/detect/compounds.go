package detect

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// compoundKinds tell by a part of a compound what its number is of; anything
// else is a reference of a case.
var compoundKinds = []struct{ kind, parts string }{
	{Account, "kunde konto kto depot darlehen kredit mandat beitrag teilnehmer klant rekening debiteur lening nutzer benutzer"},
	{PolicyRef, "versicherung police polizze polis vertrag mitglied verzeker contract lid"},
	{NationalID, "ausweis pass steuer sozial rente führerschein bürger burger identi ahv kranken rijbewijs paspoort vreemdeling personal"},
	{Vehicle, "fahrgestell kennzeichen kenteken chassis"},
	{Financial, "karte kaart iban"},
	{OtherID, "sendung serien serie geräte zähler meter zending pakket tracking"},
	{Phone, "telefon telefoon handy mobil fax ruf"},
}

// compound knows the words that German and Dutch build freely, and gives the
// kind of what they announce: Widerspruchsnummer, Inkasso-Nr, Ticket-ID.
func compound(w string) string {
	if len(w) < 6 {
		return ""
	}
	low := strings.ToLower(w)
	stem := ""
	for _, end := range []string{"nummer", "nummern", "-nr", "nr", "zeichen", "-id", "-code", "-no", "kennung", "kennziffer", "kennzahl", "-az", "-ref", "referenz"} {
		if s, ok := strings.CutSuffix(low, end); ok && len(s) > 1 && (end != "nr" || len(s) > 3) && (end != "zeichen" || len(s) > 3) {
			stem = s
			break
		}
	}
	if stem == "" {
		return ""
	}
	for _, k := range compoundKinds {
		for part := range strings.FieldsSeq(k.parts) {
			if strings.HasPrefix(stem, part) {
				return k.kind
			}
		}
	}
	return CaseRef
}

// tail is the cue that ends a word made with a dash: UWV-kenmerk, Allianz-Police.
func (x *Sheet) tail(i int) (cue, bool) {
	_, last, ok := cutLast(x.word(i), '-')
	if !ok || len(last) < 4 {
		return cue{}, false
	}
	c, ok := cues()[lex.Key(last)]
	return c, ok
}

// paperEnds are what compounds of German and Dutch end with that have a number.
var paperEnds = []struct{ end, kind string }{
	{"vertrag", PolicyRef}, {"police", PolicyRef}, {"contract", PolicyRef}, {"polis", PolicyRef}, {"konto", Account}, {"kredit", Account}, {"darlehen", Account},
	{"rechnung", CaseRef}, {"bescheid", CaseRef}, {"antrag", CaseRef}, {"auftrag", CaseRef}, {"bestellung", CaseRef}, {"buchung", CaseRef}, {"beschwerde", CaseRef}, {"anzeige", CaseRef}, {"meldung", CaseRef}, {"befehl", CaseRef}, {"akte", CaseRef},
	{"factuur", CaseRef}, {"claim", CaseRef}, {"dossier", CaseRef}, {"aanvraag", CaseRef}, {"klacht", CaseRef},
}

// paper gives the kind of what such a compound announces: Pachtvertrag, huurcontract.
func (x *Sheet) paper(i int) string {
	w := x.word(i)
	if len(w) < 9 || x.speech == lex.English {
		return ""
	}
	for _, p := range paperEnds {
		if len(w) > len(p.end)+2 && strings.HasSuffix(w, p.end) {
			return p.kind
		}
	}
	return ""
}

// thingWord tells whether the word i, as no list has it, is the compound of an office
// or a thing. Surnames are built like things as well: Goldacker, Winterfeld.
func (x *Sheet) thingWord(i int) bool {
	return institution(x.word(i)) || x.lead[i] < surelyNamed && !x.has(i-1, lex.Kin) && x.twoNouns(i)
}

// surelyNamed is the lead of a word that the tagger is sure enough of.
const surelyNamed = 120

// binders join the words of a German or Dutch compound.
var binders = []string{"", "s", "n", "en", "es", "e", "-"}

// twoNouns tells whether the word i of a German or Dutch text is two of its words in
// one: Zuckerfest, privacyklacht. With an s at its end it may be of a person.
func (x *Sheet) twoNouns(i int) bool {
	low := strings.ToLower(x.word(i))
	if len(low) < 9 || low[len(low)-1] == 's' || x.speech == lex.English || x.has(i, lex.Given|lex.Surname) {
		return false
	}
	heads, tails := lex.German, lex.Noun
	if x.tongue() == dutch {
		heads, tails = lex.Dutch, lex.Dutch
	} else if x.tongue() != german {
		return false
	}
	for at := 4; at+4 <= len(low); at++ {
		if f := lex.Of(lex.Key(low[at:])); f&tails == 0 || f&lex.Given != 0 {
			continue
		}
		for _, b := range binders {
			if head, ok := strings.CutSuffix(low[:at], b); ok && len(head) > 3 && lex.Of(lex.Key(head))&heads != 0 {
				return true
			}
		}
	}
	return false
}
