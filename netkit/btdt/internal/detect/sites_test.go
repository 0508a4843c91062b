package detect

import (
	"strings"
	"testing"
)

func TestThingsThatReadAsNamesStay(t *testing.T) {
	for _, text := range []string{
		"Hand it in at Fidentia House, Walter Burke Way, before noon.", "The desk is in John Maddison Tower.", "Ask at Lalit Bhavan for the form.",
		"The Sunshine counter closes at four.", "The chatbot Holly loops.", "De chatbot Charlie verwijst door.", "L'assistente virtuale Lisa non capisce.",
		"Qualitäts- und Beschwerdemanagement der Klinik anschreiben.", `Im Kreditvertrag steht Punkt 4 "Entgelte" auf der zweiten Seite.`,
		"Order the Certificate of Roadworthiness from a tester.", "Podanie do Prorektora ds. Studenckich przez system.",
		"Bonificación de $1,497.00 M.N. y cambio de módem.", "Beratung gibt es jede Woche beim AStA.", "Richiesta allo sportello, piano terra, ala B.",
		"Keep the stub of the Economy Saver seat.", "Ask for the Rider and the rules.", "The Alderman's seminar was full.", "Tradeline updated in 26 days.",
		"Write to the officer, Dagoretti North, by post.", "Drei Wochen im Haus Der Marienhof genehmigt.", "Einspruch gegen den Bescheid vom Mai beantragen.",
		"Erna, der Chatbot, hilft nicht.", "Invoquer l'article 18 du RIO-UNIGE et le principe.", "Passage au guichet Uni Dufour ce matin.",
		"Exija el recibo en el mostrador.", "Invocar a lei no chat da empresa.",
		"Broschüre \"Classic\" beilegen und abwarten.", "Widerspruch mit Verweis auf § 8 der Krankentransport-Richtlinie des G-BA.",
		"Eine Mail an den Bürgerservice und ein Facebook-Post.", "Ward 54 office was shut.", "Citare Cass., Sez. Un., 13979/2007 nel ricorso.",
		"Naar de Geschilleninstantie Pensioenfondsen met de stukken.",
		"Beschwerde beim Schweizerischen Bankenombudsman in Zürich.", "Hulp van de Landelijke Studentenvakbond gevraagd.",
		"Appeal to the plan administrator, Studentcare, by registered mail.", "Bescheid der Zahnärztekammer Nordrhein beilegen.",
		"By circular DBOD.Dir.BC.No.07/13.03.00/2014-15 it is barred.",
	} {
		if got := people("steps", text); len(got) > 0 {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

func TestPeopleBesideSitesGo(t *testing.T) {
	for text, want := range map[string]string{
		"I spoke to Mrs Penny Lane twice.":                  "Mrs Penny Lane",
		"Appel de Juin Park, du service qualité.":           "Juin Park",
		"The Hendersons moved out in March.":                "Hendersons",
		"Echeverry, la enfermera, la atendió por la tarde.": "Echeverry",
		"Im Pflegeheim Frau Meyer gefragt.":                 "Meyer",
		"Priya at the branch refused.":                      "Priya",
		"Die Akte von Katrin Schmidt- Müller fehlt.":        "Katrin Schmidt",
		`Der Hausmeister, genannt "Schorschi", half.`:       "Schorschi",
		"Certificate of A. J. Whitcombe was rejected.":      "A. J. Whitcombe",
	} {
		if !covered(text, want) {
			t.Errorf("%s: got %q, want %s", text, found(text), want)
		}
	}
}

func TestOfficeAddressesStay(t *testing.T) {
	for _, text := range []string{
		"Huurcommissie, Postbus 16495, 2500 BL Den Haag", "Council for Medical Schemes, Block A, Eco Glades 2 Office Park, Centurion",
		"Registrar, NCAT Consumer and Commercial Division, John Maddison Tower, 86-90 Goulburn Street, Sydney",
		"Médiateur, Testachats; IBPT, Boulevard du Roi Albert II 35, 1030 Bruxelles",
	} {
		for _, s := range Read(Input{"key_contacts", text}).Spans() {
			t.Errorf("%s: got %+v", text, s)
		}
	}
}

func TestHomesBesideOfficesGo(t *testing.T) {
	for text, want := range map[string]string{
		"Mail goes to Mrs. Ione Castellaw, c/o Golden LivingCenter, Room 118B, 2400 Parkway Drive, Tupelo MS 38804.": "2400 Parkway Drive, Tupelo MS 38804",
		"The council wrote to my flat, 22 Rosebery Gardens, London N8 8SH.":                                          "22 Rosebery Gardens, London N8 8SH",
		"Das Ferienhaus, Dorf 44, 6993 Mittelberg, war gebucht.":                                                     "Dorf 44, 6993 Mittelberg",
		"Die Mieterin, Florapromenade 27, 13187 Berlin, zahlte.":                                                     "Florapromenade 27, 13187 Berlin",
	} {
		if !covered(text, want) {
			t.Errorf("%s: got %q, want %s", text, found(text), want)
		}
	}
}

func TestFreeLinesOfOffices(t *testing.T) {
	for text, stays := range map[string]bool{
		"Ouvidoria, Nubank, 0800 887 0463":                  true,
		"Energy Agency, 0343 222 2222":                      true,
		"A call to 0800 887 0463":                           false,
		"Citizens Advice, 08081 570121":                     false,
		"Hine-Marama (Community Law), Pete, 0800 447 102":   false,
		"Linda Park, Aetna, 1-877-555-0181":                 false,
		"Keisha Okafor, National Bank Group, 0800 887 0463": false,
	} {
		got := false
		for _, s := range Read(Input{"key_contacts", text}).Spans() {
			got = got || strings.ContainsAny(text[s.From:s.To], "48")
		}
		if got == stays {
			t.Errorf("%s: got found %t, want %t", text, got, !stays)
		}
	}
}
