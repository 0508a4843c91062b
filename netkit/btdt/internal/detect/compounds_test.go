package detect

import (
	"strings"
	"testing"
)

// Compounds of German and Dutch that no list has are things, and so are words of
// medicine and what begins with what it is; people of such a form stay people.
func TestCompoundsAreThings(t *testing.T) {
	for _, c := range [][2]string{
		{"Vor dem Zuckerfest und nach den Ferien war niemand da.", ""},
		{"Die Märzenwiese und der Pfarrgarten sind im Grundbuch falsch eingetragen.", ""},
		{"Stuur de privacyklacht en de steunzolen op met de post.", ""},
		{"Prüfen, ob Laborwerte und Röntgen doppelt auf der Rechnung stehen.", ""},
		{"Belle-famille ou non, le garant doit signer.", ""},
		{"Tiefenbacher ließ ausrichten, dass er nicht zahlt.", "Tiefenbacher"},
		{"Es besuchte uns Frau Haberland von der Verwaltung.", "Frau Haberland"},
		{"Jean-pierre a signé le bail à sa place.", "Jean-pierre"},
		{"Anne-Solène a signé le bail à sa place.", "Anne-Solène"},
	} {
		if got := strings.Trim(strings.Join(people("steps", c[0]), "|"), " ,-"); got != c[1] {
			t.Errorf("%s\n got %q\nwant %q", c[0], got, c[1])
		}
	}
}

// What is two words of its language in one has them both in the lists.
func TestTwoNouns(t *testing.T) {
	for _, c := range []struct {
		text, word string
		want       bool
	}{
		{"Auf der Rechnung für das Haus steht ein Märzenbier zu viel.", "Märzenbier", true},
		{"Das Formular für die Wegeumwege liegt bei der Kasse.", "Wegeumwege", true},
		{"De brief over de privacyklacht ligt bij de balie van het huis.", "privacyklacht", true},
		{"Die Rechnung ging an Tiefenbacher und nicht an uns.", "Tiefenbacher", false},
		{"The letter about the privacyklacht was never read by them.", "privacyklacht", false},
	} {
		x := Read(Input{Field: "steps", Text: c.text})
		at := x.at(strings.Index(x.s, c.word))
		if got := x.twoNouns(at); got != c.want {
			t.Errorf("%s: got %v, want %v", c.word, got, c.want)
		}
	}
}
