package detect

import "testing"

// A word that is a person, a possessive or a denial in one language alone is none in
// the others, be it by its accents.
func TestClashingHints(t *testing.T) {
	for _, c := range []struct {
		text string
		i    int
		hint hint
		want bool
	}{
		{"Der Kurs ist nicht gut.", 3, pronoun, false},
		{"Mijn nicht heeft een brief gekregen.", 1, pronoun, true},
		{"Leki są na liście.", 1, possessive, false},
		{"La caisse a perdu sa lettre.", 4, possessive, true},
		{"Este mes no pagaron nada.", 1, possessive, false},
		{"Il a perdu mes lettres.", 3, possessive, true},
		{"Mio genero non ha risposto alla lettera.", 1, pronoun, true},
		{"El género de la carta no está claro.", 1, pronoun, false},
		{"Er is niet gebeld en dat was het.", 0, pronoun, false},
		{"Er hat nicht angerufen.", 0, pronoun, true},
	} {
		x := tokensOf(c.text)
		if got := x.hints(c.i)&c.hint != 0; got != c.want {
			t.Errorf("%q, token %d: got %v, want %v", c.text, c.i, got, c.want)
		}
	}
}

// A word that one language alone has tells the language of a short text.
func TestOwnTongue(t *testing.T) {
	for text, want := range map[string]tongue{
		"Licenziata in gravidanza, reintegrata": italian,
		"La aseguradora negó los implantes":     spanish,
		"Reisannulering wegens griep":           dutch,
	} {
		if got := tokensOf(text).tongue(); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
