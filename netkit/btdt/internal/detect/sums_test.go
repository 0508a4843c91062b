package detect

import "testing"

// whole reads a text as one value and says whether something holds of it.
func whole(text, part string) (x *Sheet, from, to int) {
	x = Read(Input{"steps", text})
	for from = 0; from+len(part) <= len(x.s); from++ {
		if x.s[from:from+len(part)] == part {
			return x, from, from + len(part)
		}
	}
	panic("the text does not hold the part")
}

func TestIsMoney(t *testing.T) {
	for _, c := range []struct {
		text, part string
		want       bool
	}{
		{"paid $1,240.50 at once", "1,240.50", true},
		{"paid € 1.240 at once", "1.240", true},
		{"paid 1 250 000 zł at once", "1 250 000", true},
		{"paid 4,812.33 dollars", "4,812.33", true},
		{"paid EUR 300 at once", "300", true},
		{"paid R$ 1.500,00 at once", "1.500,00", true},
		{"paid Bs 620 at once", "620", true},
		{"paid ₹50 at once", "50", true},
		{"claim 4471-2233 dollars", "4471-2233", false},
		{"claim 12345678 at once", "12345678", false},
		{"room 208 at once", "208", false},
	} {
		x, from, to := whole(c.text, c.part)
		if got := x.isMoney(from, to); got != c.want {
			t.Errorf("%q in %q: got %v, want %v", c.part, c.text, got, c.want)
		}
	}
}

func TestGrouped3(t *testing.T) {
	for s, want := range map[string]bool{
		"1,250,000":  true,
		"1 250":      true,
		"250":        true,
		"4,812.33":   true,
		"123456":     true,
		"1234567":    false,
		"4471-2233":  false,
		"12-34-56":   false,
		"1.250.0000": false,
	} {
		if got := grouped3(s); got != want {
			t.Errorf("%s: got %v, want %v", s, got, want)
		}
	}
}

func TestLawNumber(t *testing.T) {
	for s, want := range map[string]bool{
		"261/2004":    true,
		"2016/679":    true,
		"93/13":       false,
		"2015-1325":   true,
		"20-13.255":   true,
		"261/2004/EG": true,
		"2016/679/EU": true,
		"3/2018":      true,
		"44719/2018":  false,
		"4471-22":     false,
		"HB/2018":     false,
		"1.234/2022":  true,
	} {
		if got := lawNumber(s); got != want {
			t.Errorf("%s: got %v, want %v", s, got, want)
		}
	}
}

func TestRoundNumber(t *testing.T) {
	for s, want := range map[string]bool{
		"1 250 000":   true,
		"12.000.000":  true,
		"1,250,000":   true,
		"1 250 001":   false,
		"020 7946 00": false,
		"213 456 000": false,
		"1250000":     false,
		"":            false,
	} {
		if got := roundNumber(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

func TestYearSpan(t *testing.T) {
	for s, want := range map[string]bool{
		"2019-2024":  true,
		"2021/2022":  true,
		"2019 -2024": true,
		"2019":       false,
		"4471-2024":  false,
		"2019-24":    false,
	} {
		if got := yearSpan(s); got != want {
			t.Errorf("%s: got %v, want %v", s, got, want)
		}
	}
}

func TestLawAround(t *testing.T) {
	for _, c := range []struct {
		text, part    string
		before, after bool
	}{
		{"under § 312 of it", "312", true, false},
		{"under Art. 15 of it", "15", true, false},
		{"Regulation (EU) 2016/679 says", "2016/679", true, false},
		{"Form 1099 came late", "1099", true, false},
		{"see 42 U.S.C. 1983", "42", false, true},
		{"see 45 CFR 164", "45", false, true},
		{"see 261/2004/EG there", "261/2004", false, true},
		{"claim 4471 there", "4471", false, false},
		{"loi n° 89-462 du", "89-462", true, false},
	} {
		x, from, to := whole(c.text, c.part)
		if got := x.lawBefore(from); got != c.before {
			t.Errorf("%q: got a law before %v, want %v", c.text, got, c.before)
		}
		if got := x.lawAfter(to); got != c.after {
			t.Errorf("%q: got a law after %v, want %v", c.text, got, c.after)
		}
	}
}

func TestLongestRun(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a": 0, "12-345-6": 3, "1234": 4, "a12b345": 3} {
		if got := longestRun(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}

func TestCents(t *testing.T) {
	for s, want := range map[string]bool{"1240.50": true, "1240,50": true, "1240": false, ".50": false, "12405.0": false} {
		if got := cents(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

func TestDatesInside(t *testing.T) {
	for _, c := range []struct {
		text, part string
		want       bool
	}{
		{"on 2024-03-12 30 days", "2024-03-12 30", true},
		{"on 2024-03-12 then", "2024-03-12", true},
		{"ref 2024-03-12-998877 then", "2024-03-12-998877", false},
		{"on 2024-03-12 1234 5678 then", "2024-03-12 1234 5678", false},
		{"in TS-593/08 then", "TS-593/08", false},
	} {
		x, from, to := whole(c.text, c.part)
		if got := x.datesInside(from, to); got != c.want {
			t.Errorf("%q in %q: got %v, want %v", c.part, c.text, got, c.want)
		}
	}
}
