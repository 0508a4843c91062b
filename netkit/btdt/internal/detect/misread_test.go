package detect

import (
	"strings"
	"testing"
)

// Words beside which a given name is another word, and their likes that are people.
func TestMisread(t *testing.T) {
	for _, c := range [][3]string{
		{"steps", "Limpida e serena, la richiesta deve stare in una pagina.", ""},
		{"steps", "Serena e cortese, la lettera ha funzionato.", ""},
		{"steps", "Serena e mio fratello hanno firmato.", "Serena"},
		{"steps", "Ernst bleiben, Frank und frei reden bringt nichts.", ""},
		{"steps", "Frank und Ilse unterschrieben beide.", "Frank|Ilse"},
		{"steps", "Joost mag weten waarom de brief bleef liggen.", ""},
		{"steps", "Joost belde de helpdesk vier keer.", "Joost"},
		{"steps", "Ho inviato la diffida tramite PEC.", ""},
		{"steps", "Depo was on Zoom and took an hour.", ""},
		{"what_failed", "Driving to Austin in person without an appointment.", ""},
		{"steps", "Een review over het filiaal aan de Willem Alexanderlaan.", ""},
		{"steps", "El Excmo. Ayuntamiento contestó tarde.", ""},
		{"key_contacts", "Inspector General; Title IX Coordinator", ""},
		{"key_contacts", "Surgeon General", ""},
		{"steps", "Resi 450 euro dopo il rimborso.", ""},
		{"steps", "Sol de agosto y sin aire: nadie medió.", ""},
		{"steps", "Rein rechtlich schuldet der Vermieter die Zinsen.", ""},
		{"steps", "The bill for April was wrong by half.", ""},
		{"steps", "Carmen de recepción me dio la copia.", "Carmen"},
		{"steps", "Wil je bezwaar maken, doe het binnen zes weken.", ""},
		{"steps", "Konrad hin oder her, ohne Beleg zahlt niemand.", ""},
		{"steps", "May and June rent was returned in full.", ""},
		{"steps", "June at the desk found the invoice.", "June"},
		{"steps", "Miles and points were put back at once.", ""},
		{"steps", "Grace and her sister went to the hearing.", "Grace"},
		{"steps", "Clara e meu pai assinaram a carta.", "Clara"},
		{"steps", "Trips to Victoria and Austin were both rebooked.", ""},
		{"steps", "Salary for May and June was withheld.", ""},
		{"steps", "Chatting with Ava, the bot of the bank.", ""},
		{"steps", "Hola equipo; Hi Team, any news?", ""},
		{"steps", "Sage, mint and parsley were billed as shrubs.", ""},
		{"steps", "Patience et courage au guichet, rien de plus.", ""},
		{"steps", "Prudence et son frère ont signé la lettre.", "Prudence"},
		{"steps", "Jade, corail ou ambre, la liste doit être complète.", ""},
		{"steps", "Iris, le robot, ne comprend pas la question.", ""},
		{"steps", "Iris, la voisine, a vu le camion.", "Iris"},
		{"steps", "Helena, a rua, ficou três dias às escuras.", ""},
		{"steps", "Es antwortete ein Automat namens Jonas.", ""},
		{"steps", "Es antwortete ein Lehrling namens Jonas.", "Jonas"},
		{"steps", "Ruby carpet in the lobby was ruined by the leak.", ""},
		{"steps", "Ruby rang the depot about the leak.", "Ruby"},
		{"steps", "Taylor, Gibson and Martin guitars need a paper at the border.", ""},
		{"steps", "Gareth and Tamsin weeks ago had signed it.", "Gareth|Tamsin"},
		{"steps", "We met Rosa, the church secretary, on Monday.", "Rosa"},
		{"steps", "Ask for Petra, the garage manager.", "Petra"},
		{"steps", "Petra, the chatbot, did not understand.", ""},
		{"steps", "Pearl, pensioner, lost the lot.", "Pearl"},
		{"steps", "Nuala, Tamsin and Gareth signed the petition.", "Nuala|Tamsin|Gareth"},
	} {
		if got := strings.Trim(strings.Join(people(c[0], c[1]), "|"), " ,-"); got != c[2] {
			t.Errorf("%s\n got %q\nwant %q", c[1], got, c[2])
		}
	}
}

// Behind an English noun that is a given name too stands another noun; behind a
// person a verb or a small word.
func TestThingAfter(t *testing.T) {
	for text, want := range map[string]bool{
		"Ruby carpet in the lobby was ruined by the leak.": true,
		"Jasmine tea was on the bill of the ward.":         true,
		"Ruby rang the depot about the leak.":              false,
		"Ruby withheld the deposit after the leak.":        false,
		"Ruby oversaw the works at the depot.":             false,
		"Ruby at the depot knew of the leak.":              false,
		"Ruby called the depot about the leak.":            false,
		"We saw that Ruby carpet was on the bill.":         false,
	} {
		x := Read(Input{Field: "steps", Text: text})
		at := max(0, x.at(strings.Index(x.s, "Ruby")))
		if got := x.thingAfter(at); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

// People beside short honorifics, offices, laws and words of signing.
func TestPeopleInFrames(t *testing.T) {
	for _, c := range [][3]string{
		{"steps", "Liguei para o Provedor e atendeu o sr. Abílio Rebordão.", "sr. Abílio Rebordão"},
		{"legal_levers", "Fair Housing Act request, since Odalys is paraplegic", "Odalys"},
		{"legal_levers", "Fair Housing Act request, since Brenntag is a firm", ""},
		{"key_contacts", "Versichertenältester Alois Obermoser", "Alois Obermoser"},
		{"steps", "The clerk gave it a stamp and the initials K.P.", "K.P"},
		{"key_contacts", `Immigration Officer "KW"; licensed adviser`, "KW"},
		{"steps", `Officer "HR" in the form means the department.`, ""},
		{"steps", "They signed the PDF and the NDA at once.", ""},
		{"steps", "District Judge Farquharson took four minutes.", "Judge Farquharson"},
		{"steps", "Els sprak met de huisarts over de code.", "Els"},
		{"steps", `Der Hausmeister, genannt "Schorschi", half.`, "Schorschi"},
		{"steps", `The agent called himself "Rocky" and hung up.`, "Rocky"},
		{"steps", "Liguei de manhã e falei com o Bento sobre a fatura.", "Bento"},
		{"steps", "A Socorro Amador le negaron la ayuda dos veces.", "Socorro Amador"},
		{"steps", "Grant Money to whom it was promised.", ""},
		{"steps", "Dr. Hagedorn, der Hausarzt, bestätigte den Befund.", "Dr. Hagedorn"},
		{"steps", "La señora Vidal contestó por escrito.", "La señora Vidal"},
		{"steps", "Md. Rafiqul Hossain signed the tenancy.", "Md. Rafiqul Hossain"},
		{"steps", "Volgens Dewitte had dokter Maes het goed getikt.", "Dewitte|dokter Maes"},
		{"steps", "Der Außendienstler, Herr Winter, wollte in Koblenz nachfragen.", "Herr Winter"},
		{"steps", `The parcel showed as signed for by "Patel" at noon.`, "Patel"},
		{"steps", "It belonged to number 33, to a Mr van Schalkwyk.", "Mr van Schalkwyk"},
		{"steps", "La historia clínica de Milagros llegó tarde.", "Milagros"},
		{"key_contacts", "defensora pública Iracema Montenegro; ANS", "Iracema Montenegro"},
		{"legal_levers", "Equality Act 2010, s. 20, because of Callum's ADHD", "Callum"},
		{"steps", "El padre, Rubén Darío Cejas, pidió copia de la comunicación.", "Rubén Darío Cejas"},
		{"steps", "A norma diz quando a febre obriga a repetir.", ""},
		{"steps", "Mark Oduya at the depot kept the key.", "Mark Oduya"},
		{"key_contacts", "Complaints; scheduler Precious, mornings only", "Precious"},
		{"steps", "Export CSVs and send DMs to all of them.", ""},
	} {
		if got := strings.Trim(strings.Join(people(c[0], c[1]), "|"), " ,-"); got != c[2] {
			t.Errorf("%s\n got %q\nwant %q", c[1], got, c[2])
		}
	}
}
