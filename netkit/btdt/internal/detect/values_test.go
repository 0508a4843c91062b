package detect

import "testing"

// A value ends where its code ends: neither a word nor a unit nor a year behind
// it belongs to it.
func TestValue(t *testing.T) {
	strong := cue{CaseRef, true}
	for _, c := range []struct {
		text string
		c    cue
		want string
	}{
		{"4471-22 was closed", strong, "4471-22"},
		{"AP-2024-118273, then", strong, "AP-2024-118273"},
		{"850 0123 4567 was wrong", strong, "850 0123 4567"},
		{"12 C 345/23k liegt", strong, "12 C 345/23k"},
		{"I ACa 442/36: oddalona", strong, "I ACa 442/36"},
		{"531 XVII 447/22 bestellt", strong, "531 XVII 447/22"},
		{"KH 2023 was", strong, "KH 2023"},
		{"QQ 12 34 56 C were", strong, "QQ 12 34 56 C"},
		{"HB 4471 19 dreimal", strong, "HB 4471 19"},
		{"1A 204 773 9912 5 au", strong, "1A 204 773 9912 5"},
		{"E6S 10338 17 22.", cue{}, "E6S 10338 17 22"},
		{"NE-BAIL 2023/77, sonner", strong, "NE-BAIL 2023/77"},
		{"SteglZ-Wo 4/118-23.", strong, "SteglZ-Wo 4/118-23"},
		{"M2 610 247 356 consegnato", strong, "M2 610 247 356"},
		{"FX 482 LK non", cue{Vehicle, true}, "FX 482 LK"},
		{"3301-5 / 60.927-8 em", strong, "3301-5 / 60.927-8"},
		{"4471 3 weeks later", strong, "4471"},
		{"4471 30 pages", strong, "4471"},
		{"88 2023 they", strong, "88"},
		{"4471 UK residents", strong, "4471"},
		{"4471 HSBC account", strong, "4471"},
		{"DR# 22-0091844 taken", strong, "DR# 22-0091844"},
		{"https", strong, ""},
		{"nothing 4471", strong, ""},
		{"NO CHEQUE. CALLED AGAIN 16:40", strong, ""},
		{"Aviva 4471", strong, ""},
		{"***4471 again", strong, "***4471"},
		{"XX-44*** again", strong, "XX-44***"},
	} {
		x := Read(Input{"steps", c.text})
		got := ""
		if to := x.value(0, c.c); to > 0 {
			got = x.s[:to]
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCodeGroup(t *testing.T) {
	for text, want := range map[string]struct {
		to int
		ok bool
	}{
		"4471-22 x": {7, true},
		"ab/12.c, ": {7, true},
		"word next": {4, false},
		"12é":       {0, false},
		"12» then":  {2, true},
		"":          {0, false},
		"-12":       {0, false},
		"a:b":       {1, false},
		"a:1":       {3, true},
		"12--x":     {5, true},
		"#INC44, x": {6, true},
	} {
		x := Read(Input{"steps", text})
		if to, ok := x.codeGroup(0); to != want.to || ok != want.ok {
			t.Errorf("%q: got %d %v, want %d %v", text, to, ok, want.to, want.ok)
		}
	}
}

func TestCoded(t *testing.T) {
	for text, want := range map[string]bool{
		"447122":    true,
		"44712":     false,
		"44-712":    true,
		"40.000":    false,
		"1240.50":   false,
		"AB447":     true,
		"AB44":      false,
		"ab4471":    false,
		"GLP-1":     false,
		"C-19":      false,
		"4471-AB":   true,
		"1,250,000": false,
	} {
		if got := coded(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		text               string
		sure, strong, bare bool
	}{
		// text, behind a sign, behind a strong cue, behind a weak one
		{"7", false, false, false},
		{"77", true, false, false},
		{"771", true, true, false},
		{"7712", true, true, true},
		{"2023", true, false, false},
		{"A7", false, false, false},
		{"G44B", true, true, false},
		{"EX160", true, true, false},
		{"R7WQ2K", true, true, true},
		{"QWX9TB", true, true, true},
		{"GLP-1", true, false, false},
		{"1240.50", true, true, false},
		{"word", false, false, false},
	} {
		for name, q := range map[string]struct {
			q    quest
			want bool
		}{
			"sure":   {quest{sure: true}, c.sure},
			"strong": {quest{cue: cue{strong: true}}, c.strong},
			"weak":   {quest{}, c.bare},
		} {
			if got := q.q.fits(c.text); got != q.want {
				t.Errorf("%q, %s: got %v, want %v", c.text, name, got, q.want)
			}
		}
	}
}

func TestPublicNumbers(t *testing.T) {
	for text, want := range map[string]bool{
		"C-520/21":   true,
		"T-99/03":    true,
		"C-520/2021": false,
		"K-520/21":   false,
		"1095-A":     true,
		"1099-INT":   true,
		"2095-A":     false,
	} {
		if got := euCase(text) || taxForm(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
