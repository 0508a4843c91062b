package ident

import (
	"testing"

	"pgregory.net/rapid"
)

func TestPublishedNumbers(t *testing.T) {
	for _, p := range published {
		for _, v := range p.good {
			if bare := bareForm(v.number); !p.check(bare) || !p.slow(bare) {
				t.Errorf("%s %s (%s): got known %v, by definition %v, want both", p.name, v.number, v.source, p.check(bare), p.slow(bare))
			}
		}
		for _, v := range append(p.bad, vector{"", "nothing"}, vector{"A", "a letter"}, vector{"1", "a digit"}) {
			if p.check(bareForm(v.number)) {
				t.Errorf("%s: got %q known (%s), want it refused", p.name, v.number, v.source)
			}
		}
	}
}

// What the package knows is what the definition says, for numbers near those
// published: one or two places changed, which is where a wrong weight shows.
func TestChecksFollowTheirDefinitions(t *testing.T) {
	for _, p := range published {
		t.Run(p.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := []byte(bareForm(rapid.SampledFrom(p.good).Draw(t, "vector").number))
				for range rapid.IntRange(1, 3).Draw(t, "changes") {
					i := rapid.IntRange(0, len(s)-1).Draw(t, "place")
					s[i] = rapid.SampledFrom(alphabetOf(s[i])).Draw(t, "character")
				}
				// A prefix that was never issued, or one digit throughout, is more
				// than the sum says: such a number may be refused all the same.
				if known := p.check(string(s)); known && !p.slow(string(s)) {
					t.Fatalf("got %s known, against its definition", s)
				} else if !known && p.slow(string(s)) && !neverIssued(p.name, string(s)) {
					t.Fatalf("got %s refused, which its definition knows", s)
				}
			})
		})
	}
}

// alphabetOf gives the characters of the class of c.
func alphabetOf(c byte) []byte {
	switch {
	case c >= '0' && c <= '9':
		return []byte("0123456789")
	case c >= 'a' && c <= 'z':
		return []byte("abcdefghijklmnopqrstuvwxyz")
	}
	return []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// neverIssued tells what the package refuses beyond the definition.
func neverIssued(name, s string) bool {
	switch name {
	case "card": // prefixes of networks are no part of Luhn
		return true
	case "IMEI", "NHS", "BSN", "SIN", "TFN", "CPF", "CNPJ", "PESEL", "Belgian", "Aadhaar", "ABA":
		return same(s)
	}
	return false
}

// One wrong digit is seen by every check that promises so: those with a weight
// or a permutation for each place that shares no factor with the modulus.
func TestOneWrongDigitIsSeen(t *testing.T) {
	promise := map[string]bool{"IBAN": true, "NPI": true, "ABA": true, "NHS": true, "Steuer-ID": true, "NIR": true, "DNI": true, "PESEL": true,
		"BSN": true, "personnummer": true, "SIN": true, "TFN": true, "Aadhaar": true, "IMEI": true}
	for _, p := range published {
		for _, v := range p.good {
			b := []byte(bareForm(v.number))
			for i, c := range b {
				if !promise[p.name] || c < '0' || c > '9' {
					continue
				}
				for d := byte('0'); d <= '9'; d++ {
					if b[i] = d; d != c && p.check(string(b)) && !(p.name == "TFN" && i == 8 || p.name == "personnummer" && i < 2 && len(b) == 12) {
						t.Errorf("%s: got %s known, want the wrong digit in %s seen", p.name, b, v.number)
					}
				}
				b[i] = c
			}
		}
	}
}

func TestIBANLength(t *testing.T) {
	for country, want := range map[string]int{"NO": 15, "DE": 22, "MT": 31, "RU": 33, "US": 0, "": 0} {
		if got := IBANLength(country); got != want {
			t.Errorf("%q: got %d, want %d", country, got, want)
		}
	}
}

// A vehicle outside of North America has the form alone.
func TestVINForm(t *testing.T) {
	for s, want := range map[string]bool{"WVWZZZ1JZXW000001": true, "WVWZZZ1JZXW00000I": false, "WVWZZZ1JZXW0000": false, "12345678901234567": false, "ABCDEFGHJKLMNP123": false} {
		if got := VINForm(s); got != want {
			t.Errorf("%s: got %v, want %v", s, got, want)
		}
	}
}

func FuzzNoPanic(f *testing.F) {
	f.Add("DE89370400440532013000")
	f.Add("DE89370400\x00\x02\x00\x0032013000")
	f.Add("10000000000")
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range published {
			if p.check(s) && !p.slow(s) {
				t.Fatalf("%s: got %q known, against its definition", p.name, s)
			}
		}
	})
}
