package detect

import "testing"

// Days of papers, payments and hearings stay beside somebody's treatment.
func TestOfficeDaysStay(t *testing.T) {
	for _, c := range []struct{ text, day string }{
		{"The insurer received the bill dated 4 March 2024 for my wife's cataract operation.", "4 March 2024"},
		{"Adjunté el certificado de fibromialgia y el justificante de pago del 3 de mayo.", "3 de mayo"},
		{"Mandei o atestado de lombalgia e a carta do patrão de 4 de junho.", "4 de junho"},
		{"Mein Vater lag mit Herzinsuffizienz im Krankenhaus, die Rechnung kam am 4. November.", "4. November"},
		{"The back pay covers the time from my stroke to the ruling of 30 November.", "30 November"},
		{"Mama miała tomografię, a rachunek wystawiono 2 kwietnia.", "2 kwietnia"},
	} {
		for _, got := range medicalIn("steps", c.text) {
			if got == c.day {
				t.Errorf("%q: got %q, want it to stay", c.text, got)
			}
		}
	}
}
