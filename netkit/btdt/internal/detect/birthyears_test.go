package detect

import (
	"slices"
	"testing"
)

// What is left of a day of birth goes in all languages.
func TestBirthYearsGo(t *testing.T) {
	for text, want := range map[string]string{
		"She was born in May 1971 in Hull.":                "May 1971",
		"geboren im Mai 1971 in Jena":                      "Mai 1971",
		"née en mai 1971 à Lille":                          "mai 1971",
		"nacida en mayo de 1971 en Lugo":                   "mayo de 1971",
		"nascida em maio de 1971 no Porto":                 "maio de 1971",
		"nato nel maggio 1971 a Bari":                      "maggio 1971",
		"geboren in mei 1971 te Ede":                       "mei 1971",
		"urodzona w maju 1971 w Pile":                      "maju 1971",
		"Ojciec urodził się w Wigilię 1951 roku.":          "Wigilię 1951",
		"Der Antragsteller (*1958) wartete.":               "1958",
		"Sie ist geb. 3/58 in Ulm.":                        "3/58",
		"año de nacimiento: 1948":                          "1948",
		"Geburtsjahr 1948 falsch erfasst":                  "1948",
		"Pani Zofia, urodzoną 12.12.1979 r., pominięto.":   "12.12.1979",
		"Nació en octubre 12 de 1948 en Cali.":             "octubre 12 de 1948",
		"Nasceu a 1.º de Maio de 1971 em Braga.":           "1.º de Maio de 1971",
		"Birthday wrong in the file: age 43, 14 March.":    "14 March",
		"Nacida en la Navidad de 1951, dice el expediente": "1951",
	} {
		x := Read(Input{"steps", text})
		var got []string
		for _, s := range x.Spans() {
			if s.Type == DOB {
				from, to := x.Text.Span(s.From, s.To)
				got = append(got, string([]rune(text)[from:to]))
			}
		}
		if !slices.Contains(got, want) && !covered(text, want) {
			t.Errorf("%q: got %q, want %s", text, got, want)
		}
	}
}

func TestYearsKeep(t *testing.T) {
	for _, text := range []string{
		"The rule of May 1971 was repealed.", "In mai 1971 stand das anders.", "Section 3/58 of the manual.", "Version 3.58 came in 2020.", "Since 1958 they owe us a reply.",
		"Sie zahlten im März 2021.", "w maju 2021 odmówili", "The film of Christmas 1951 is lost.", "They may 14 days later refuse.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

// The day of a visit behind a day of birth is none.
func TestNextDayStays(t *testing.T) {
	for text, want := range map[string]int{
		"Geburtsdatum 23.11.1990 stand falsch, 23.11.2023 war der Termin.": 1,
		"DOB 14/07/1972, seen 3 May 2022.":                                 1,
		"DOB 14/07/1972 instead of 17/04/1972.":                            2,
	} {
		x := Read(Input{"steps", text})
		got := 0
		for _, s := range x.Spans() {
			if s.Type == DOB {
				got++
			}
		}
		if got != want {
			t.Errorf("%q: got %d days of birth, want %d", text, got, want)
		}
	}
}
