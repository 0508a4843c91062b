package detect

import (
	"slices"
	"testing"
)

// Tests and stays go with their days where somebody is ill.
func TestDaysOfStaysAndTests(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"My mother had a hysterectomy. A repeat smear on 9th May came back clean.", []string{"smear", "9th May"}},
		{"My mother had a hysterectomy. A second test on 9th May said otherwise.", []string{"9th May"}},
		{"My brother was admitted with sepsis on the 17th and the bed was billed.", []string{"the 17th"}},
		{"Ich schickte den Bericht über meinen Aufenthalt in der Klinik vom 3. bis 21. Januar nach.", []string{"3. bis 21. Januar"}},
		{"Meine Frau war vom 8. bis 26. Mai wegen Depression in Behandlung.", []string{"8. bis 26. Mai"}},
		{"A minha mãe esteve internada de 5 a 17 de janeiro com pneumonia.", []string{"5 a 17 de janeiro"}},
		{"Mi padre estuvo en el hospital entre el 4 y el 15 de mayo.", []string{"4 y el 15 de mayo"}},
		{"Mi cuñado tiene fibrosis pulmonar. Estuvo ingresado del 9 al 21 de abril.", []string{"9 al 21 de abril"}},
		{"Mi cuñado tiene fibrosis pulmonar y el tribunal lo negó. El neumólogo hizo otro informe el 2 de mayo.", []string{"fibrosis pulmonar", "2 de mayo"}},
		{"L'IRM du 8 février de mon fils montrait une rupture du ménisque.", []string{"IRM du", "8 février"}},
		{"After my appendectomy on the 9th I called the billing office.", []string{"the 9th"}},
	} {
		got := medicalIn("steps", c.text)
		for _, want := range c.want {
			if !slices.Contains(got, want) {
				t.Errorf("%q: got %q, want %q in it", c.text, got, want)
			}
		}
	}
	for _, text := range []string{
		"Las visitas de obras del 4 al 15 de mayo fueron canceladas por el ayuntamiento.",
		"Our stay from 4 to 11 June at the hotel was cut short.",
		"A second test on 14th March said otherwise about my boiler.",
		"Séjour du 4 au 18 août à Rhodes, payé le 3 février.",
		"Son séjour du 4 au 11 juillet à l'hôtel a été remboursé.",
		"Der Urlaub meiner Eltern vom 2. bis 20. Dezember fiel aus.",
	} {
		if got := medicalIn("steps", text); len(got) > 0 {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}
