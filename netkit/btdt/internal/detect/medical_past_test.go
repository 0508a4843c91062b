package detect

import (
	"strings"
	"testing"
)

// Days of a treatment go, wherever the sentence or the one before it names it.
func TestTreatmentDaysGo(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"He was operated on at Guy's Hospital. The date, 14 August 2023, was wrong on the bill.", "14 August 2023"},
		{"Mum's hip was replaced by Mr Osei in June 2020 and the policy started in July.", "June 2020"},
		{"Mein Mann hatte im März 2022 einen Schlaganfall.", "März 2022"},
		{"My brother has had epilepsy since 2014.", "2014"},
		{"Ma mère est diabétique depuis 2011.", "2011"},
		{"Seit 2018 habe ich Rheuma und kann die Hände kaum schließen.", "2018"},
		{"Mi marido tiene asma. El informe del 20 de febrero, de la doctora Mamani, lo explica.", "20 de febrero"},
		{"A mio padre hanno dato la morfina sbagliata il 7 aprile.", "7 aprile"},
		{"Minha tia partiu o fémur no recreio a 20 de agosto.", "20 de agosto"},
		{"Meine Schwester war wegen Brustkrebs in Behandlung, zuletzt am 5. Juni 2023 in der Charité.", "5. Juni 2023"},
		{"Sie hat sich am 2. Februar auf dem vereisten Gehweg den Knöchel gebrochen.", "2. Februar"},
		{"J'ai perdu deux doigts à la scie, le 5 avril 2022.", "5 avril 2022"},
		{"Am 14. August wurde meinem Sohn der Blinddarm entfernt.", "14. August"},
		{"Herr Pawlak ist seit dem Unfall vom 3. Oktober querschnittsgelähmt.", "3. Oktober"},
		{"Mrs Khumalo was first treated on 11 March 2020.", "11 March 2020"},
		{"Lab report of 03/22/2024 came late for my mother.", "03/22/2024"},
		{"My sister has leukemia (C92.00) in June 2022.", "June 2022"},
	} {
		if got := strings.Join(medicalIn("steps", c.text), "|"); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q among it", c.text, got, c.want)
		}
	}
}

// Days of what offices and firms do stay, though somebody is ill.
func TestOtherDaysStay(t *testing.T) {
	for _, c := range []struct{ text, day string }{
		{"My brother has epilepsy. The date of the refusal, 3 May 2023, counts.", "X"},
		{"A la seguradora negó la prótesis de mi madre; la carta es del 7 de abril.", "7 de abril"},
		{"La mutuelle a payé la prothèse refusée le 7 avril à mon père.", "7 avril"},
		{"Mein Sohn hat Asthma; die Kasse schrieb am 3. Mai, dass sie nicht zahlt.", "3. Mai"},
		{"Am 3. Mai wurde meinem Sohn die Knieprothese verweigert.", "3. Mai"},
		{"Ich habe am 3. Mai wegen meines Asthmas Widerspruch eingelegt.", "3. Mai"},
		{"My son has asthma. The council's report of 3 May says nothing.", "3 May"},
	} {
		if got := strings.Join(medicalIn("steps", c.text), "|"); strings.Contains(got, c.day) {
			t.Errorf("%s: got %q, want no %q in it", c.text, got, c.day)
		}
	}
}

// Ailments of somebody who is set before them, whom they are for, or whom a verb
// alone tells of.
func TestWhoseAilment(t *testing.T) {
	for _, c := range []struct{ field, text, want string }{
		{"steps", "The insurer would not cover the baby's heart murmur.", "heart murmur"},
		{"steps", "Mrs Ogundele, deaf in one ear, could not hear the announcement.", "deaf in one ear"},
		{"steps", "My daughter was in Boston Children's Hospital for leukaemia.", "leukaemia"},
		{"steps", "Die Barmer übernahm das Hörgerät für Opa Heinrich.", "Hörgerät"},
		{"title", "Wie die Debeka die Kur nach dem Bandscheibenvorfall meines Mannes bezahlte", "Bandscheibenvorfall"},
		{"steps", "Tiene hernia inguinal y lleva ocho meses en lista de espera.", "hernia inguinal"},
		{"steps", "Quebrei o tornozelo na calçada da prefeitura.", "tornozelo"},
		{"steps", "Złamała nadgarstek na nieodśnieżonym chodniku.", "nadgarstek"},
		{"steps", "L'échographie a montré un kyste de 3 cm à l'ovaire gauche.", "kyste de 3 cm à l'ovaire gauche"},
		{"steps", "The CT found a 12 x 8 mm nodule in my right lung.", "12 x 8 mm nodule in my right lung"},
		{"steps", "Opa Willi hat Wasser in der Lunge.", "Wasser in der Lunge"},
		{"steps", "Mon père a la maladie à corps de Lewy.", "maladie à corps de Lewy"},
		{"steps", "Mijn dochter heeft een ernstige vorm van eczeem.", "ernstige vorm van eczeem"},
		{"steps", "Mia moglie fa dialisi tre volte a settimana.", "tre volte a settimana"},
		{"outcome", "Pieter got his hip done within six weeks.", "hip done"},
		{"steps", "Prior auth for Ozempic was refused to my mother.", "Ozempic"},
		{"steps", "Hanno rifatto la risonanza magnetica di papà.", "risonanza magnetica"},
		{"steps", "The physio's letter said my left knee was torn.", "left knee was torn"},
	} {
		if got := strings.Join(medicalIn(c.field, c.text), "|"); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q among it", c.text, got, c.want)
		}
	}
}

// What a test may show, and what stands behind a doctor, is nobody's.
func TestNobodysAilment(t *testing.T) {
	for _, c := range []struct{ field, text string }{
		{"steps", "A scan may have shown a fracture; ask for it in writing."},
		{"title", "Getting a hearing aid for staff"},
		{"steps", "La maladie de notre temps, la paperasse, m'a pris un an."},
		{"steps", "The names were blacked out in my copy."},
		{"steps", "Confiar en la promesa: la baja por teléfono no vale."},
	} {
		if got := medicalIn(c.field, c.text); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", c.text, got)
		}
	}
}
