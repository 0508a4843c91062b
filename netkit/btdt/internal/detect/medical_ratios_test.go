package detect

import (
	"strings"
	"testing"
)

// One of so many, machines and cats have no illness that anybody must hide.
func TestRatiosAndMachinesStay(t *testing.T) {
	for _, text := range []string{
		"Un Français sur cinq souffre de migraine, d'après la brochure du syndicat.",
		"Un lavoratore su tre ha mal di schiena, dice l'INAIL.",
		"Volgens het bureau heeft een op de acht astma.",
		"Le dossier est dans le coma depuis six mois, m'a dit la greffière.",
		"Their new chatbot suffers from amnesia.",
		"Le chat avait un cancer, l'assureur n'a rien payé.",
		"De polis sluit hernia uit.",
		"Almost a third of all adults have diabetes.",
		"Spiegate che ci sono inquilini in carrozzina e poi altri.",
		"Una discapacidad del 33 % deduce renta.",
		"L'autista ha fatto scendere tutti.",
		"CAD 1,914 arrived.",
	} {
		if got := medicalIn("steps", text); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", text, got)
		}
	}
}

// Shares of what somebody lost and temperatures go.
func TestSharesAndFeverGo(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Con el 65 % de discapacidad que le dieron, a mi tía le toca plaza reservada.", "65 % de discapacidad"},
		{"Bei 39,8 Fieber schickte der Notdienst meinen Sohn nach Hause.", "39,8 Fieber"},
		{"Mon frère a un cancer depuis mars et un Français sur cinq aussi.", "cancer"},
		{"He said one in four has it, but I have epilepsy.", "epilepsy"},
		{"After one stay in two hospitals I had a stroke.", "stroke"},
		{"Ik kreeg een brief op drie mei dat ik kanker heb.", "kanker"},
		{"Sanitas no quería pagar a mi padre la rehabilitación tras el ictus.", "rehabilitación tras el ictus"},
		{"Unsere Tochter hat IOTN-Grad 4.", "IOTN-Grad 4"},
		{"Mój ojciec ma raka. W dniu badania, 9 stycznia, kazali zapłacić.", "9 stycznia"},
		{"Our girl came nine weeks early and weighed 1340 grams.", "1340 grams"},
	} {
		if got := strings.Join(medicalIn("steps", c.text), "|"); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q among it", c.text, got, c.want)
		}
	}
}
