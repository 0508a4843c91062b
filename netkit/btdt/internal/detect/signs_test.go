package detect

import (
	"slices"
	"testing"
)

// The sign for number goes with its number; the word that announces it stays.
func TestNumberSignsGo(t *testing.T) {
	for text, want := range map[string]string{
		"Claim no. 7719-04 was shut.":                  "CASE_REF:no. 7719-04",
		"Expediente n.º 45/2023, archivado.":           "CASE_REF:n.o 45/2023",
		"Causa RG n. 88/2023 dal giudice.":             "CASE_REF:RG n. 88/2023",
		"La requête n° RG 23/04417 au greffe.":         "CASE_REF:n° RG 23/04417",
		"Do wniosku nr 4488/2023 dołączono kopię.":     "CASE_REF:nr 4488/2023",
		"Pratica n. 88/2023/TO-4471 al CORECOM.":       "CASE_REF:n. 88/2023/TO-4471",
		"They quoted CRM:0098-2217 to me.":             "OTHER_ID:CRM:0098-2217",
		"Mandat seria AK nr 4418827 po roku.":          "OTHER_ID:AK nr 4418827",
		"Utente nº 448 812 771, mais nada.":            "NATIONAL_ID:no 448 812 771",
		"The card number 4417 1234 5678 9113 is mine.": "FINANCIAL:4417 1234 5678 9113",
	} {
		if got := found(text); !slices.Contains(got, want) {
			t.Errorf("%q: got %q, want %s", text, got, want)
		}
	}
}

// The sign makes no difference to what number it is.
func TestNumberSignsDoNotCount(t *testing.T) {
	x := Read(Input{"steps", "Claim no. 7719-04 and claim 7719-04"})
	spans := x.Spans()
	if len(spans) != 2 || x.Values(spans[0])[0] != x.Values(spans[1])[0] {
		t.Errorf("got %+v, want two findings of one value", spans)
	}
}
