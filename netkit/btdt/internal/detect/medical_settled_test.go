package detect

import (
	"strings"
	"testing"
)

// medicalOf are the medical spans of a text, joined by bars.
func medicalOf(field, text string) string {
	var got []string
	for _, s := range Read(Input{Field: field, Text: text}).Spans() {
		if s.Type == Medical {
			got = append(got, text[s.From:s.To])
		}
	}
	return strings.Join(got, "|")
}

func TestSettledTreatments(t *testing.T) {
	for _, c := range []struct{ field, text, want string }{
		{"title", "Adeslas negó la prótesis de rodilla a un cartero", "prótesis de rodilla"},
		{"title", "La MAAF refusait la prothèse de hanche", "prothèse de hanche"},
		{"title", "Getting Anthem to cover a PET scan it had approved", "PET scan"},
		{"outcome", "Die Barmer lehnte den Magenbypass ab.", "Magenbypass"},
		{"outcome", "CZ vergoedde alles, ook de prothese.", "prothese"},
		{"title", "Debeka lehnte die Reha ab, der Ombudsmann drehte es", "Reha"},
		{"steps", "Ich wog 148 kg, hatte Bluthochdruck und Diabetes.", "148 kg|Bluthochdruck|Diabetes"},
		{"title", "Debeka zahlt die Reha doch, nach Widerspruch mit § 193 VVG", ""},
		{"title", "Reha nach Ablehnung doch bewilligt", ""},
		{"title", "How to get Anthem to cover a PET scan it had approved", ""},
		{"title", "Amil liberou a cirurgia depois da NIP", ""},
		{"title", "Overturning a Humana denial of a PET scan through external review", ""},
		{"steps", "Die Barmer zahlt den Magenbypass nach sechs Monaten Wartezeit.", ""},
	} {
		if got := medicalOf(c.field, c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestRatedShares(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"La commissione le aveva dato solo il 67 %.", "67 %"},
		{"La MDPH a retenu un taux de 50 % pour ma fibromyalgie.", "taux de 50 %|fibromyalgie"},
		{"Ma mère a une perte de 70 dB.", "une perte de 70 dB"},
		{"Mein GdB wurde von 50 auf 30 gesenkt.", "GdB wurde von 50 auf 30"},
		{"La mutuelle a remboursé 50 % du taux de base.", ""},
		{"La commissione ha applicato uno sconto del 20 %.", ""},
		{"The pump next door makes 70 dB at night.", ""},
	} {
		if got := medicalOf("steps", c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}
