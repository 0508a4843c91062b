package detect

import (
	"slices"
	"testing"
)

func TestBirthsGo(t *testing.T) {
	for text, want := range map[string]string{
		"Patient was born 03/14/1958 in Ohio.":                                "03/14/1958",
		"DOB: 1958-03-14":                                                     "1958-03-14",
		"d.o.b. 3rd of August, 1949; they had 8/3/1949 on file":               "8/3/1949",
		"Geboren am 14. März 1958 in Kiel":                                    "14. März 1958",
		"née le 1er mai 1960 à Lyon":                                          "1er mai 1960",
		"nacida el 3 de abril de 1971":                                        "3 de abril de 1971",
		"nata a Benin City il 1° gennaio 1992":                                "1° gennaio 1992",
		"betreft geboren 3 mei '48, volgens de akte":                          "3 mei '48",
		"ur. 4 X 1938, leżał na korytarzu":                                    "4 X 1938",
		"Urodziłam się 30.03.1960, tak twierdzi urząd":                        "30.03.1960",
		"She turned 65 on 1 May 2023 and was enrolled twice":                  "1 May 2023",
		"Date de naissance : 03.11.1978 au lieu de 11.03.1978":                "11.03.1978",
		"L'assicurato (Ruben Caldelari, 04.12.1959) era in vacanza":           "04.12.1959",
		"Filho menor, 19/3/2012, passagem de adulto":                          "19/3/2012",
		"tenant's son (12.02.15) must not be cut off":                         "12.02.15",
		"Wrong date of birth. Mine is 19/06/1983; they had it as 06/19/1938.": "06/19/1938",
		"Ask about the date of birth early. Mine is 19/06/1983, I said.":      "19/06/1983",
		"Birthday is 4 July 1987 when it should be 7 April 1986.":             "7 April 1986",
		"Aylin brachte am 3. April 2024 Ole zur Welt.":                        "3. April 2024",
		"Mijn vader (4 juni 1938) is ziek":                                    "4 juni 1938",
		"Anna, urodzona 12.12.1979 r.":                                        "12.12.1979 r",
		"F. nac.: 14/07/72 en la ficha":                                       "14/07/72",
		"Jahrgang 1949, verwitwet":                                            "1949",
		"my father (b. 1941) never signed":                                    "1941",
		"born in 1958 and retired":                                            "1958",
	} {
		if got := found(text); !slices.Contains(got, DOB+":"+want) {
			t.Errorf("%q: got %q, want %s", text, got, want)
		}
	}
}

func TestDatesKeep(t *testing.T) {
	for _, text := range []string{
		"Filed on 2024-03-12, answered on 12.04.2024.", "On 3 June they called; they paid on March 14.", "Between 1 May and 30 June 2022 nothing happened.",
		"At 12:00 on 4 March we met.", "A birthday party on the roof. The lease of 4 March 2019 forbids it.", "Within 30 days of 03/2024.", "Ogłoszono 11 listopada 2022 r. w dzienniku.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

func TestYearOf(t *testing.T) {
	for text, want := range map[string]int{"1958-03-14": 1958, "14.03.1958": 1958, "12.02.15": 2015, "12/02/58": 1958, "3 mei '48": 1948, "4 X 1938": 1938, "March 14, 1958": 1958, "3 June": 0} {
		x := Read(Input{"steps", text})
		n := x.dateAt(0)
		if n == 0 {
			t.Errorf("%q: got no date", text)
		} else if got := x.yearOf(0, n); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}
