package detect

import "testing"

// What a doctor or a ward wrote down is somebody's; what a rule writes is not.
func TestCharted(t *testing.T) {
	for text, want := range map[string]bool{
		`The triage nurse at Cork wrote "suspected sepsis" and nobody read it.`:                      true,
		"Al pronto soccorso hanno scritto frattura scomposta del radio.":                             true,
		"O ortopedista, dr. Kenji Nakamura, descreveu a necrose da cabeça do fêmur.":                 true,
		"The insurer wrote that asthma is covered by every plan.":                                    false,
		"Der Versicherer schrieb, Migräne sei im Tarif nicht versichert.":                            false,
		"Le règlement décrit l'asthme et le diabète comme des affections de longue durée couvertes.": false,
	} {
		if got := len(medicalIn("steps", text)) > 0; got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}
