package detect

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

func TestAddressesGo(t *testing.T) {
	for _, c := range [][2]string{
		{"The tenant at 4127 Maple Grove Ave, Apt 3B, Columbus, OH 43215 had no heating.", "4127 Maple Grove Ave, Apt 3B, Columbus, OH 43215"},
		{"Landlord lives at 22 Rosebery Gardens, London N8 8SH.", "22 Rosebery Gardens, London N8 8SH"},
		{"Er kam in die Gubener Straße 41, 10243 Berlin.", "Gubener Straße 41, 10243 Berlin"},
		{"Ich wohne in der Schillerstr. 8a, 04109 Leipzig.", "Schillerstr. 8a, 04109 Leipzig"},
		{"Elle habite 14 rue des Lilas, 69003 Lyon.", "14 rue des Lilas, 69003 Lyon"},
		{"Vive en calle Mayor 12, 28013 Madrid.", "calle Mayor 12, 28013 Madrid"},
		{"Abita in via Garibaldi 5, 20121 Milano.", "via Garibaldi 5, 20121 Milano"},
		{"Hij woont op Keizersgracht 174, 1016 DW Amsterdam.", "Keizersgracht 174, 1016 DW Amsterdam"},
		{"Mieszka przy ul. Długa 3/4, 00-238 Warszawa.", "ul. Długa 3/4, 00-238 Warszawa"},
		{"Write to PO Box 4417 only.", "PO Box 4417"},
	} {
		x := Read(Input{"steps", c[0]})
		var got []string
		for _, s := range x.Spans() {
			if s.Type == Address {
				got = append(got, x.Slice(s.From, s.To))
			}
		}
		if strings.Join(got, "|") != c[1] {
			t.Errorf("%s\n got %q\nwant %q", c[0], got, c[1])
		}
	}
}

func TestNoAddress(t *testing.T) {
	for _, text := range []string{
		"Forms 1040, 1099-A and CMS-1500 within 30-60 days.",
		"In der Schillerstraße sitzt das Sozialamt.",
		"The Ellis Act and the Street Trading rules apply.",
		"We waited 14 days and paid 350 in the end.",
		"Section 4, Question 17 is the one.",
		"Via e-mail they refused.",
		"Vertragsende 31.12.2024, Grundpreis 12,90 €, Arbeitspreis 31,44 ct.",
		"Gleis 12, RE 4418, 65 Minuten Verspätung.",
	} {
		for _, got := range found(text) {
			if strings.HasPrefix(got, Address) {
				t.Errorf("%s: got %s", text, got)
			}
		}
	}
}

func TestPostalCodes(t *testing.T) {
	for text, want := range map[string]int{
		"43215": 1, "43215-1234": 3, "00-950": 3, "N8 8SH": 2, "1012 AB": 2, "12": 0, "Lyon": 0, "1234567": 0,
	} {
		x := &Sheet{s: text, tok: lex.Split(text, nil)}
		if got := x.postalCode(0); got != want {
			t.Errorf("%s: got %d tokens, want %d", text, got, want)
		}
	}
}

func TestStreetEnds(t *testing.T) {
	for word, want := range map[string]bool{"Schillerstraße": true, "Keizersgracht": true, "Drottninggatan": true, "Weg": false, "Antrag": false} {
		if got := streetEnd(word); got != want {
			t.Errorf("%s: got %v, want %v", word, got, want)
		}
	}
}

// What is held stays whole, and nothing beside it is held with it.
func TestHeld(t *testing.T) {
	for text, want := range map[string]string{
		"we asked Wells Fargo again":          "Wells Fargo",
		"cite Donoghue v Stevenson here":      "Donoghue v Stevenson",
		"the O'Brien & Sons Plumbing bill":    "O'Brien & Sons Plumbing",
		"the Baker Act says so":               "Baker Act",
		"la clínica Dr. Marcial Fallas cobró": "clínica Dr. Marcial Fallas",
		"nothing to keep here":                "",
	} {
		x := Read(Input{"steps", text})
		var got []string
		for i, held := range x.held {
			if held {
				got = append(got, x.word(i))
			}
		}
		want = strings.ReplaceAll(strings.ReplaceAll(want, "Dr.", "Dr ."), "  ", " ")
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q held, want %q", text, got, want)
		}
	}
}
