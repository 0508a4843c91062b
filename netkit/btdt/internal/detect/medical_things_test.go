package detect

import (
	"strings"
	"testing"
)

// Words of medicine that mean a thing, a place, an animal or anybody stay.
func TestThingsStay(t *testing.T) {
	for _, c := range []struct{ field, text string }{
		{"steps", "The surgery refused to register the baby without a passport."},
		{"steps", "Found in a skip behind the surgery: a list of names, which Barnaby sent on."},
		{"steps", "He said he can't swallow a bill like that from my own bank."},
		{"steps", "La mairie a fait la sourde oreille pendant trois mois."},
		{"steps", "Je lui ai demandé un certificat de démence politique, dit-il en riant."},
		{"steps", "Le tableur avait coupé la colonne des dates de mon relevé."},
		{"steps", "Dos facturas y ninguna a mi nombre; el jefe de sala rompió las dos."},
		{"steps", "My dog's trauma at the kennel was not covered."},
		{"steps", "Every pupil with asthma may keep an inhaler at school."},
		{"steps", "My crate weighed 40 kg on their scale."},
		{"steps", "Ring the network and say \"life support customer\"."},
		{"steps", "Die Stadt nahm das Knöllchen zurück, das ich bekam."},
		{"steps", "J'ai ensuite vu le directeur, qui m'a promis un geste."},
		{"steps", "He was discharged from bankruptcy on 8 May 2023."},
		{"steps", "She was admitted to the bar on 21 November."},
		{"steps", "L'infarto del sistema informatico fermò la mia pratica."},
		{"outcome", "5 412 € de rappel ; consolidation de Bakary Touré reportée de sept mois."},
		{"steps", "My son reads about autism for his thesis at the university."},
		{"outcome", "Pflegegrad 3 rückwirkend anerkannt."},
		{"steps", "La operación de compraventa de mi piso se firmó el 3 de marzo."},
		{"steps", "L'opération commerciale de ma banque s'est arrêtée le 6 juin."},
		{"steps", "The blind in my kitchen fell on 4 May."},
		{"steps", "Week 19 of the strike: my trains were all late."},
		{"steps", "My neighbour was in week 19 of the course."},
	} {
		if got := medicalIn(c.field, c.text); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", c.text, got)
		}
	}
}

// Figures, days and lists that belong to somebody's illness go.
func TestFiguresGo(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"My dentist pulled tooth #19 and billed for two.", "tooth #19"},
		{"My sister's repair was done, and 33641 was billed twice to her.", "33641"},
		{"My aunt lost two fingers in the press on 9 June 2022, and the firm kept quiet.", "9 June 2022"},
		{"My wife's hernia surgery, booked for 3 April, was moved to 7 May and then to 2 June.", "2 June"},
		{"On October 5, 2022 my uncle felt his rotator cuff tear.", "October 5, 2022"},
		{"My wife was in week 19 when the agency dismissed her.", "week 19"},
		{"Przyjęto go z ostrym zapaleniem trzustki (K85.9).", "ostrym zapaleniem trzustki"},
		{"Uczulenia zgłoszone: penicylina, lateks. Mimo to pani Nowak dostała lek.", "lateks"},
		{"Arrêt de travail du 14 novembre 2022 pour syndrome du canal carpien : l'employeur le contestait.", "14 novembre 2022"},
		{"He was admitted on 2nd, discharged 8th, and the bill came on the 20th.", "8th"},
		{"Il 20 agosto a mia nonna hanno messo una protesi d'anca.", "20 agosto"},
		{"Le 20 août, à Biarritz, mon oncle a fait un infarctus sur la plage.", "20 août"},
		{"Fiz ressonância no dia 17/08, laudo: hérnia de disco L5-S1.", "17/08"},
		{"W maju 2023 mój brat przeszedł zawał.", "maju 2023"},
		{"Partiu-se o fémur ao meu filho no recreio.", "fémur"},
		{"Ma mère est suivie pour une sclérose en plaques depuis mars 2022.", "depuis mars 2022"},
	} {
		if got := strings.Join(medicalIn("steps", c.text), "|"); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q among it", c.text, got, c.want)
		}
	}
}
