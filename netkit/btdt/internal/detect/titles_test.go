package detect

import (
	"strings"
	"testing"
)

// An honorific makes a surname of any word that is no office.
func TestTitles(t *testing.T) {
	for _, c := range [][2]string{
		{"Mr Papas rang; Mr Law did not.", "Mr Papas|Mr Law"},
		{"Miss Sisters put it in writing.", "Miss Sisters"},
		{"Mr Bank never answered; Mrs Street did.", "Mr Bank|Mrs Street"},
		{"Ms Church is the head of billing.", "Ms Church"},
		{"Rozmawiałem z pan Styczeń z działu.", "pan Styczeń"},
		{"M. Lenoir a signé le bon.", "M. Lenoir"},
		{"Mdm Tan at the branch called back.", "Mdm Tan"},
		{"La Mtra. Robles firmó el acta.", "La Mtra. Robles"},
		{"El Pbro. Salcedo dio la constancia.", "El Pbro. Salcedo"},
		{"Lo dijo sor Remedios en la ventanilla.", "sor Remedios"},
		{"me atendió el lic armando y no quiso", "armando"},
		{"falei com a dona zulmira ontem", "dona zulmira"},
		{"Banco Santander lo negó; el capitán Santander lo firmó.", "Santander"},
		{"Mr Speaker and Madam Chair are forms of address.", ""},
		{"Herr Minister, Frau Präsidentin und Herr Direktor antworten nie.", ""},
		{"Pan Prezes i Pani Dyrektor nie odpowiadają.", ""},
		{"Un monsieur de la SDE a refusé le dossier.", ""},
		{"The Mr Price store and Dr Pepper refunded.", ""},
		{"Mrs Bouquet Florists closed.", ""},
	} {
		if got := strings.Join(people("steps", c[0]), "|"); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

// The full stop of a form of address ends no sentence.
func TestTitleStop(t *testing.T) {
	for text, want := range map[string]bool{"Mr. Grant left": false, "Fr. Okello left": false, "left. Grant stayed": true, "as told to me. Grant": true} {
		x := Read(Input{"steps", text})
		for i := range x.tok {
			if x.is(i, ".") && x.sentenceStart(i+1) != want {
				t.Errorf("%s: got %v behind the full stop, want %v", text, !want, want)
			}
		}
	}
}
