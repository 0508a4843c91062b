package detect

import "testing"

func TestPhoneRun(t *testing.T) {
	for text, want := range map[string]struct{ to, digits int }{
		"312-555-0187 now":      {12, 10},
		"(312) 555-0187, twice": {14, 10},
		"+44 (0)20 7946 0123.":  {19, 13},
		"030/1234567":           {11, 10},
		"12":                    {2, 2},
		"12    34":              {2, 2},
		"word":                  {0, 0},
	} {
		x := Read(Input{"steps", text})
		if to, digits := x.phoneRun(0); to != want.to || digits != want.digits {
			t.Errorf("%q: got %d bytes and %d digits, want %d and %d", text, to, digits, want.to, want.digits)
		}
	}
}

func TestGrouped334(t *testing.T) {
	for s, want := range map[string]bool{
		"312-555-0187":   true,
		"312.555.0187":   true,
		"312 555 0187":   true,
		"1-312-555-0187": true,
		"312-555.0187":   false,
		"3125550187":     false,
		"312-5550-187":   false,
		"":               false,
	} {
		if got := grouped334(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

func TestShortExtension(t *testing.T) {
	for text, want := range map[string]int{"x4471 ": 5, "X12": 3, "x": 0, "x12y": 0, "y12": 0, "x12345678": 0} {
		x := Read(Input{"steps", text})
		if got := x.shortExtension(0); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestSpacedExtension(t *testing.T) {
	if got := found("Voicemail: (604) 555-0142 x 12, twice."); len(got) != 1 || got[0] != "PHONE:(604) 555-0142 x 12" {
		t.Errorf("got %q, want the number with its extension", got)
	}
}

// A number of Brazil that has the check digits of a person is one all the same.
func TestCountryCodeMakesAPhone(t *testing.T) {
	if got := found("Form: « +55 11 96871-0000 »."); len(got) != 1 || got[0] != "PHONE:+55 11 96871-0000" {
		t.Errorf("got %q, want one telephone number", got)
	}
}

// What is written like a number of a telephone and counts something else stays.
func TestPhonesKeep(t *testing.T) {
	for _, text := range []string{
		"We called 3 times in 12 days.",
		"Call between 09:00 and 17:30.",
		"The line cost 1.250,00 EUR in 2023-2024.",
		"They reached 45 % of 1 250 000 customers.",
		"Dial 911 or 112.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}
