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
		{"steps", "Sol de recepción me dio la copia.", "Sol"},
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
	} {
		if got := strings.Trim(strings.Join(people(c[0], c[1]), "|"), " ,-"); got != c[2] {
			t.Errorf("%s\n got %q\nwant %q", c[1], got, c[2])
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
	} {
		if got := strings.Trim(strings.Join(people(c[0], c[1]), "|"), " ,-"); got != c[2] {
			t.Errorf("%s\n got %q\nwant %q", c[1], got, c[2])
		}
	}
}
