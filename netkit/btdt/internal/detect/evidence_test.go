package detect

import (
	"strings"
	"testing"
)

// Names of one word that the words beside them give away.
func TestEvidence(t *testing.T) {
	for _, c := range [][2]string{
		{"Paz durmió dos noches en un hotel sin rampa.", "Paz"},
		{"Royal and his mom moved; the fine went to the city.", "Royal"},
		{"Salvador, o vendedor, já não trabalhava lá.", "Salvador"},
		{"Augusta, da farmácia, reclamou sozinha.", "Augusta"},
		{"The floor and Gretchen's half of the fence were paid.", "Gretchen"},
		{"Fu Carlo a notarlo: la data era di domenica.", "Carlo"},
		{"q dice doña yola q el recibo lo tiene su hijo", "doña yola"},
		{"spoke to rob in retentions, he knocked 30 off", "rob"},
		{"It was no use believing Mrs. Van Houten about Friday.", "Mrs. Van Houten"},
		{"Emailed Fiona & Declan, bcc my solicitor.", "Fiona|Declan"},
		{"O perito, eng. Barata, mediu tudo de novo.", "eng. Barata"},
		{"Grant granted the extension himself.", "Grant"},
		{"Atendió un tal Robles, que no dio número.", "Robles"},
		{"The adjuster (Young) measured nothing.", "Young"},
		{"Hab mit jana von der hotline gesprochen.", "jana"},
		{"Liguei ao Pinto, da EDP, e ele anulou a fatura.", "Pinto"},
		{"The letter is for the attention of Kowalenko only.", "Kowalenko"},
		{"Telefonat mit Sommer, Abteilung Kulanz: Erstattung zugesagt.", "Sommer"},
		{"He wrote: Dear Barry, could you turn it ten degrees?", "Barry"},
		{"They took a print of Babulal's thumb.", "Babulal"},
		{"Espinosa indicó una cesárea esa madrugada.", "Espinosa"},
		{"Feddersens Aufmaß ging an die Handwerkskammer.", "Feddersens"},
		{"Brehmes Antwort kam nach drei Wochen.", "Brehmes"},
		{"Die Rücktrittskosten wegen Paulas Umzug trug die Kasse.", "Paulas"},
		{"Le Gall a signé une procuration.", "Le Gall"},
		{"Dal Pozzo ha firmato una relazione di quattro pagine.", "Dal Pozzo"},
		{"La pratica era ferma sulla scrivania del funzionario Degli Esposti.", "Degli Esposti"},
		{"Onkel Otto zahlte nichts und behielt recht.", "Onkel Otto"},
		{"Texted Gaz, Shaz and Big Dave for statements.", "Gaz|Shaz|Big Dave"},
		{"I told the Hendersons next door to keep the key.", "the Hendersons"},
		{"Mapfre indemnizó a los hermanos Etxeberria por el turismo.", "los hermanos Etxeberria"},
	} {
		if got := strings.Join(people("steps", c[0]), "|"); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

// What is counted, dated or named after somebody is no person, nor a firm that says
// something or a thing in the plural.
func TestEvidenceAgainst(t *testing.T) {
	for _, text := range []string{
		"Anrufe bei der Hotline, die jedes Mal einen neuen Rückruf versprach.",
		"Die Versicherung zahlt die Rente seit Juli und ein Darlehen ab Mai.",
		"Toiture après la tempête Ciarán, réparée en mars.",
		"Daños de la borrasca Filomena pagados por el Consorcio.",
		"El asistente Carina remite al Departamento de Bajas.",
		"Mandar mensajes al asistente virtual «Eddie».",
		"His employer, Linamar, kept deducting the union fee.",
		"Der Mann am Herd ist kein Koch.",
		"Hinterlegter Mietzins freigegeben und alles bezahlt.",
		"Alergénios como o amendoim vão no rótulo.",
		"A Christian charity paid for the taxi.",
		"Nobody at the bank agreed. Bank said no.",
		"Pat answers from the desk are common.",
		"Le dispositif Pinel n'a rien à voir.",
		"The policy had lapsed, according to Aviva, in May.",
		"He was an inpatient at the Priory until Easter.",
		"Hanno firmato tutti il verbale.",
		"Deutschlands Gerichte und Lidls Antwort halfen nicht.",
		"La Caixa dijo que no y la Generalitat contestó tarde.",
	} {
		if got := people("steps", text); got != nil {
			t.Errorf("%s\n got %q, want nobody", text, got)
		}
	}
}

// Entries of key_contacts may be a given name and nothing more.
func TestEntries(t *testing.T) {
	for text, want := range map[string]string{
		"Wessex Water: Sue or Martin":              "Sue|Martin",
		"Octopus Energy – Jess – Metering Team":    "Jess",
		"Gangmasters inspector, Noel":              "Noel",
		"Claims Unit, Victoria; Trading Standards": "",
	} {
		if got := strings.Trim(strings.Join(people("key_contacts", text), "|"), " ,-"); got != want { // a sign goes with who falls away
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// A firm with the name of a person is one where kin or a role is told of.
func TestNamesakesOfFirms(t *testing.T) {
	for text, want := range map[string]string{
		"My brother John Lewis paid.":                 "John Lewis",
		"Mein Bruder Ernst Sutter zahlte.":            "Ernst Sutter",
		"My employer, Kowalski, never paid me.":       "Kowalski",
		"Mon voisin Thomas Cook a signé.":             "Thomas Cook",
		"David Lloyd, the claims adjuster, refused.":  "David Lloyd",
		"The adjuster, David Jones, refused twice.":   "David Jones",
		"The adjuster, Thomas Cook, refused twice.":   "Thomas Cook",
		"My landlord Thomas Cook refused.":            "Thomas Cook",
		"My brother, John Lewis, signed.":             "John Lewis",
		"The retailer, John Lewis, refused.":          "",
		"The supplier John Lewis refused.":            "",
		"My employer, John Lewis, paid.":              "",
		"Bought at John Lewis, the department store.": "",
		"The bank, Charles Schwab, refused.":          "",
	} {
		if got := strings.Join(people("steps", text), "|"); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}
