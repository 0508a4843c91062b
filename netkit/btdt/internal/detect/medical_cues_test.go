package detect

import (
	"slices"
	"strings"
	"testing"
)

// What a word of suffering, prescribing or losing announces goes, though no list
// has it.
func TestAnnouncedAilments(t *testing.T) {
	for text, want := range map[string]string{
		"She was diagnosed with blenorvia in May.":                 "blenorvia",
		"My uncle suffers from burning in both feet at night.":     "burning in both feet",
		"He was allergic to quorvex and they knew it.":             "quorvex",
		"My mother takes zentrovix every morning.":                 "zentrovix",
		"My brother lost two fingers in the press.":                "lost two fingers",
		"Two of my toes were amputated that week.":                 "toes were amputated",
		"Mein Vater leidet an blenorvischer Kröpfung.":             "Kröpfung",
		"Ma mère souffre de blénorvie depuis l'hiver.":             "blénorvie",
		"Mi hermano padece blenorvia y no puede ir.":               "blenorvia",
		"A minha irmã sofre de blenorvia e ninguém a ouviu.":       "blenorvia",
		"Mia sorella soffre di blenorvia e nessuno la ascolta.":    "blenorvia",
		"Mijn zus lijdt aan blenorvie en mag niet mee.":            "blenorvie",
		"Moja siostra choruje na blenorwię i nie może pojechać.":   "blenorwię",
		"Mrs Hall (sciatica) asked for a flat on the ground floor": "sciatica",
	} {
		if got := strings.Join(medicalIn("steps", text), "; "); !strings.Contains(got, want) {
			t.Errorf("%q: got %q, want %q in it", text, got, want)
		}
	}
}

// The same cues announce nothing where nobody is ill.
func TestAnnouncedStays(t *testing.T) {
	for _, text := range []string{
		"My account suffered from errors for months.",
		"They treated us for free.",
		"Anyone diagnosed with blenorvia may ask for more time.",
		"The line suffers from delays every winter.",
		"The office was deaf to the complaint.",
		"The stroke of the clerk's pen ended it.",
		"A blind spot in the mirror was to blame.",
		"A lithium battery over 100 Wh needs approval.",
		"The parcel came back broken.",
		"The price of insulin is capped.",
		"La fractura del contrato fue culpa suya.",
		"De prijs van paracetamol ging omhoog.",
		"Le service est resté sourd à nos lettres.",
	} {
		if got := medicalIn("steps", text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

// Days count as days of treatment without a year, by their name, and without an
// ailment where somebody was in hospital.
func TestDaysOfStay(t *testing.T) {
	for text, want := range map[string]string{
		"My father had a stroke on Boxing Day and could not sign.":         "Boxing Day",
		"We lost him to sepsis on New Year's Eve in the ward.":             "New Year's Eve",
		"On Tuesday the 4th I was operated on for my hernia.":              "Tuesday the 4th",
		"She was in a coma from 28 December until 4 January.":              "28 December until 4 January",
		"Sortie le 3 avril de l'hôpital, j'attends encore mon dû.":         "3 avril",
		"Op 11 juli ben ik ontslagen uit het ziekenhuis.":                  "11 juli",
		"Mój ojciec trafił do szpitala 20 sierpnia z udarem.":              "20 sierpnia",
		"Tive alta no dia 12 de junho e o patrão já me tinha substituído.": "12 de junho",
		"Er lag vom 2. bis 19. Juni auf der Intensivstation.":              "2. bis 19. Juni",
	} {
		if got := medicalIn("steps", text); !slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, want) }) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{
		"The clinic closes from 3 to 9 May.",
		"We were told on Boxing Day that the part was out of stock.",
		"They admitted the error on 3 June.",
		"Wir kommen am Karfreitag nicht.",
	} {
		if got := medicalIn("steps", text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

func TestNamedDays(t *testing.T) {
	for text, want := range map[string]int{
		"Boxing Day was wet": 2, "Tuesday the 4th": 3, "martes 4 de julio": 4, "Monday morning": 0, "Heiligabend war": 1,
		"Friday, 14 November": 4, "easter eggs": 0,
	} {
		if got := tokensOf(text).namedDay(0); got != want {
			t.Errorf("%q: got %d tokens, want %d", text, got, want)
		}
	}
}

func TestMeasuresOfBodies(t *testing.T) {
	for text, want := range map[string]string{
		"My blood group, O negative, was on the badge.":         "blood group, O negative",
		"She weighs 38 kilos and they sent her home.":           "38 kilos",
		"Our baby was born at 27 weeks and they charged twice.": "27 weeks",
		"The parcel weighs 38 kilos.":                           "",
	} {
		got := strings.Join(medicalIn("steps", text), "; ")
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestFirstPerson(t *testing.T) {
	for text, want := range map[string]bool{
		"łem nie ma: wróciłem do domu, a pismo się nie zgadza": true,
		"Llamé al seguro y no contestó nadie por la tarde":     true,
		"El café de la esquina no cerró por la tarde":          false,
		"Liguei para o banco e não há uma resposta do gerente": true,
		"Sono caduto per le scale e il perito non è venuto":    true,
		"They called the bank and that was it":                 false,
	} {
		x := tokensOf(text)
		got := false
		for i := range x.tok {
			got = got || x.firstPerson(i)
		}
		if got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
