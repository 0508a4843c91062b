package detect

import (
	"strings"
	"testing"
)

func TestPublicPlacesStay(t *testing.T) {
	for _, text := range []string{
		"Filiale di piazza Garibaldi 16, chiedere del direttore.", "Agence BNP, 16 bd des Italiens, guichet fermé.", "Sede central en calle Alcalá 45, registro de entrada.",
		"The branch at 45 High Street closes at noon.", "Die Filiale in der Hauptstraße 12 nimmt Post an.", "Write to the headquarters, 1 Canada Square, London E14 5AB.",
		"Walk to Phase 2, Road 4 junction of the estate.", "Oddział przy ul. Długiej 12 jest zamknięty.", "Het hoofdkantoor, Kerkstraat 12, neemt niets aan.",
	} {
		for _, got := range found(text) {
			if strings.HasPrefix(got, Address) {
				t.Errorf("%s: got %s", text, got)
			}
		}
	}
}

func TestHomesBesideInstitutionsGo(t *testing.T) {
	for text, want := range map[string]string{
		"The branch wrote to me at 45 High Street, Leeds LS6 2AB.":         "45 High Street, Leeds LS6 2AB",
		"Die Filiale schrieb an meine Adresse Hauptstraße 12, 24103 Kiel.": "Hauptstraße 12, 24103 Kiel",
		"Our branch, run from home at 14 Elm Road, closed.":                "14 Elm Road",
		"L'agence a écrit au locataire du 16 rue des Lilas, 69003 Lyon.":   "16 rue des Lilas, 69003 Lyon",
		"Resident of House 14, Road 4, Block C, Banani.":                   "House 14, Road 4, Block C",
		"La sucursal llamó; vive en calle Alcalá 45, 28014 Madrid.":        "calle Alcalá 45, 28014 Madrid",
		"Abita in contrada Specchiolla snc, 72012 Carovigno da anni.":      "contrada Specchiolla snc, 72012 Carovigno",
		"Vive na Praceta Bento Gonçalves, lote 7, 2835-120 Moita.":         "Praceta Bento Gonçalves, lote 7, 2835-120 Moita",
		"Residente a località Pian di Sco snc, 52026.":                     "località Pian di Sco snc, 52026",
	} {
		if !covered(text, want) {
			t.Errorf("%s: got %q, want %s", text, found(text), want)
		}
	}
}
