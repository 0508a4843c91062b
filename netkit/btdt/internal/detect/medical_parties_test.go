package detect

import (
	"strings"
	"testing"
)

// Who is told by their part in a case or in a family is a person.
func TestAilmentsOfPartiesGo(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Our youngest, who has had coeliac disease since nursery, was refused prescriptions.", "coeliac disease"},
		{"La requérante prend du Lévothyrox et ne peut pas changer de marque.", "Lévothyrox"},
		{"A moça de quem falo tem anemia falciforme e foi barrada na porta.", "anemia falciforme"},
		{"Mijn schoonzus, bij wie vorig jaar borstkanker is ontdekt, verloor haar uitkering.", "borstkanker"},
		{"They lost the sample; my uncle Bertram had tested positive for C. difficile and was moved twice.", "C. difficile"},
		{"Le chirurgien, Tanguy, a détaillé les actes JFFC002 et HHFC040 de mon frère.", "HHFC040"},
		{"A minha filha tem alergia à proteína do leite e a creche não aceitava.", "alergia à proteína do leite"},
		{"The hearing aids my father got fitted on 12 May 2022 were never paid.", "12 May 2022"},
		{"Insured is diabetic, the note said.", "diabetic"},
		{"Mio figlio è autista e non parla.", "autista"},
		{"The cat scratched her and she got sepsis.", "sepsis"},
		{"A mi hija le confirmaron celiaquía por biopsia del 7 de mayo.", "del 7 de mayo"},
	} {
		if got := strings.Join(medicalIn("steps", c.text), "|"); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q among it", c.text, got, c.want)
		}
	}
}

// Words that are a person in one language and nothing of the kind in another make
// no patient, nor do posters, courses and lists.
func TestTalkWithoutPartiesStays(t *testing.T) {
	for _, text := range []string{
		"Im Wartezimmer hing ein Plakat über Schlaganfall, mehr Auskunft gab es nicht.",
		"Der Kurs über Demenz ist nicht gut.",
		"Wykład o depresji odbywa się w czwartek.",
		"Our landlord said asthma is a matter for the doctor.",
		"Besonderer Bedarf gilt für bestimmte Diagnosen, darunter Multiple Sklerose und Lymphödem.",
		"Bij methylfenidaat en levothyroxine zijn er geregeld tekorten.",
		"La formation sur l'autisme proposée par la mairie ne remplace pas une aide.",
		"The tribunal treated dyslexia as a disability.",
		"The office offered a Wednesday in February.",
	} {
		if got := medicalIn("steps", text); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", text, got)
		}
	}
}

func TestFrenchActs(t *testing.T) {
	for w, want := range map[string]bool{"JFFC002": true, "JFFC02A": false, "1FFC002": false, "JFF0002": false} {
		if got := frenchAct(w); got != want {
			t.Errorf("frenchAct(%q): got %v, want %v", w, got, want)
		}
	}
}

// What has the unit of a laboratory is a result whatever it is called, and so is the
// number behind a scale.
func TestAnalytesAndScales(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"My father had a kalprotektyna 812 μg/g and no answer.", "kalprotektyna 812 μg/g"},
		{"La neuróloga redactó un informe de mi tía con la escala de Rankin 4.", "Rankin 4"},
		{"Her Barthel was 35 and they still sent my mother home.", "Barthel was 35"},
	} {
		if got := strings.Join(medicalIn("steps", c.text), "|"); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q among it", c.text, got, c.want)
		}
	}
	for _, text := range []string{"The meter ran at 3 m/s on my street.", "My press prints 30 m/min."} {
		if got := medicalIn("steps", text); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", text, got)
		}
	}
}
