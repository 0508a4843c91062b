package detect

import "testing"

// A small word of the text's own language is no name at the start of a sentence,
// though it is one elsewhere.
func TestGrammarWordsStay(t *testing.T) {
	for _, text := range []string{
		"Chi ha la celiachia riconosciuta ritira i buoni in farmacia.",
		"Nel reclamo si parla di impianti, corone e ponti.",
		"Per favore non pagate la rata prima della risposta.",
		"Ante la negativa del banco, acudimos al defensor del cliente.",
		"Dies ist der Bescheid, gegen den wir Widerspruch eingelegt haben.",
		"Na drugi dzień bank oddał całą kwotę.",
		"Na segunda-feira a loja devolveu o dinheiro.",
		"Ten wniosek złożyliśmy osobiście w urzędzie.",
		"Dès le lendemain, la banque a remboursé les frais.",
		"Van € 1.140 naar € 893 per maand.",
		"Em Braga, a DECO escreveu à operadora e citou a lei.",
		"Drei Briefe an die Geschäftsführung, einer an die Zeitung.",
	} {
		if got := people("steps", text); got != nil {
			t.Errorf("%s\n got %q, want nobody", text, got)
		}
	}
	if got := people("steps", "Ik sprak met Nel van de klantenservice."); len(got) != 1 || got[0] != "Nel" {
		t.Errorf("got %q, want Nel", got)
	}
	if got := people("steps", "Signor Per ha chiamato la banca per il rimborso."); len(got) != 1 {
		t.Errorf("got %q, want Signor Per", got)
	}
}
