package detect

import (
	"strings"
	"testing"
)

// Words that start a sentence, firms and sums are nobody, however much like a
// name they look; who complains is somebody, though the other side stands behind
// a word that divides the parties of a case.
func TestOpenersFirmsAndClaimants(t *testing.T) {
	for _, c := range []struct{ field, text, kind, want string }{
		{"steps", "Dien een bezwaar in bij de gemeente.", Name, ""},
		{"steps", "Darin stand nichts von einer Frist.", Name, ""},
		{"steps", "Man verlangte drei Kopien.", Name, ""},
		{"steps", "Bestätigen Sie über den Bestellbutton und warten Sie.", Name, ""},
		{"steps", "Told Marriott Rewardsdesk as well.", Name, ""},
		{"outcome", "The scheme paid R48 000 back in May.", OtherID, ""},
		{"outcome", "Radiation annulée et dossier rouvert.", Medical, ""},
		{"title", "La queja de Iker Zubeldia contra Iberdrola", Name, "Iker Zubeldia"},
		{"key_contacts", "Kazimierz Brodzki, rzecznik pacjenta", Name, "Kazimierz Brodzki"},
		{"steps", "Ik sprak meneer Van 't Veer van het loket.", Name, "meneer Van 't Veer"},
		{"steps", "Wrote to P.O. Box 2214-00200, Nairobi, and waited.", Address, "P.O. Box 2214-00200, Nairobi"},
	} {
		got := ""
		x := Read(Input{Field: c.field, Text: c.text})
		for _, s := range x.Spans() {
			if s.Type == c.kind {
				got += c.text[s.From:s.To]
			}
		}
		if got = strings.Trim(got, ", "); got != c.want { // a comma goes with who falls away
			t.Errorf("%s: got %s %q, want %q", c.text, c.kind, got, c.want)
		}
	}
}
