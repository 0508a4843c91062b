package detect

import "testing"

func TestPhoneRun(t *testing.T) {
	for text, want := range map[string]struct{ to, digits int }{
		"312-555-0187 now": {12, 10}, "(312) 555-0187, twice": {14, 10}, "+44 (0)20 7946 0123.": {19, 13}, "030/1234567": {11, 10},
		"12": {2, 2}, "12    34": {2, 2}, "word": {0, 0},
	} {
		if to, digits := read(text).phoneRun(0); to != want.to || digits != want.digits {
			t.Errorf("%q: got %d bytes and %d digits, want %d and %d", text, to, digits, want.to, want.digits)
		}
	}
}

func TestGrouped334(t *testing.T) {
	for s, want := range map[string]bool{
		"312-555-0187": true, "312.555.0187": true, "1-312-555-0187": true, "312-555.0187": false, "3125550187": false, "": false,
	} {
		if got := grouped334(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

func TestPublicLines(t *testing.T) {
	for s, want := range map[string]bool{
		"1-800-829-1040": true, "0800 111 2222": true, "0300 123 1100": true, "1-800-555-0187": false, "+44 20 7946 0123": false, "312-701-0187": false,
	} {
		if got := publicLine(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for s, want := range map[string]bool{"1 250 000": true, "1.250.000": true, "12500000": false, "1234 5678": false, "250": false} {
		if got := isAmount(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}
