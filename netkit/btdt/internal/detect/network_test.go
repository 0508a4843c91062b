package detect

import (
	"slices"
	"testing"
)

func TestNetworkGoes(t *testing.T) {
	for text, want := range map[string]string{
		"to jane.roe+x@mail.example.org today":           "EMAIL:jane.roe+x@mail.example.org",
		"jane [at] mail [dot] example":                   "EMAIL:jane [at] mail [dot] example",
		"jörg.müller@straße.de":                          "EMAIL:jörg.müller@straße.de",
		"from 203.0.113.77 at night":                     "NETWORK:203.0.113.77",
		"from 2001:db8:0:44::7, they said":               "NETWORK:2001:db8:0:44::7",
		"the router 00:1A:2B:3C:4D:5E":                   "NETWORK:00:1A:2B:3C:4D:5E",
		"the router 00-1A-2B-3C-4D-5E":                   "NETWORK:00-1A-2B-3C-4D-5E",
		"https://user:secret@example.com/":               "NETWORK:https://user:secret@example.com/",
		"https://portal.example.com/c?user=jdoe&id=7":    "NETWORK:https://portal.example.com/c?user=jdoe&id=7",
		"see www.example.com/claims/8812345 there":       "NETWORK:www.example.com/claims/8812345",
		"id 3f2504e0-4f89-11d3-9a0c-0305e82c3301 failed": "OTHER_ID:3f2504e0-4f89-11d3-9a0c-0305e82c3301",
	} {
		if got := found(text); !slices.Contains(got, want) {
			t.Errorf("%q: got %q, want %s", text, got, want)
		}
	}
}

func TestNetworkKeeps(t *testing.T) {
	for _, text := range []string{
		"See https://www.consumerfinance.gov/complaint/.", "At 12:30 or 10:45 they answer.", "Section 1.2.3 of the manual, version 2.10.4.",
		"Visit gov.uk/complain-company?lang=en", "Ratio 3:1, a score of 2:0.", "Called 1-800-MEDICARE, then 888-GO-FEDEX.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

func TestDomain(t *testing.T) {
	for text, want := range map[string]struct{ end, dots int }{
		"mail.example.org today": {16, 2},
		"mail [dot] example":     {18, 1},
		"example.c":              {7, 0},
		"example":                {7, 0},
		"example. Then":          {7, 0},
		"straße.de":              {10, 1},
		"":                       {0, 0},
	} {
		x := read(text)
		if end, dots := x.domain(0); end != want.end || dots != want.dots {
			t.Errorf("%q: got %d and %d dots, want %d and %d", text, end, dots, want.end, want.dots)
		}
	}
}

func TestPersonalLink(t *testing.T) {
	for url, want := range map[string]bool{
		"https://example.com/":                       false,
		"https://example.com/complaint/how-to":       false,
		"https://example.com/?lang=en&page=2":        false,
		"https://example.com/?utm_source=newsletter": false,
		"https://example.com/claims/8812345":         true,
		"https://example.com/?token=abc123":          true,
		"https://example.com/?user=jdoe":             true,
		"https://jane@example.com/":                  true,
		"https://example.com/#case-8812345":          true,
		"https://example.com/f/a8Kd93jQm2x81LpTe5Zz": true,
		"www.example.com/claims":                     false,
	} {
		if got := personalLink(url); got != want {
			t.Errorf("%s: got %v, want %v", url, got, want)
		}
	}
}

func TestVersionsAreNoAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"from 10.2.1.4 at night":    true,
		"version 10.2.1.4 is old":   false,
		"section 1.2.3.4 says":      false,
		"see § 1.2.3.4 there":       false,
		"Abschnitt 1.2.3.4 gilt":    false,
		"from 10.2.1.4.5 at night":  false,
		"from 10.2.1.4:8080 then":   true,
		"host 192.168.100.20/24 is": true,
	} {
		if got := found(text) != nil; got != want {
			t.Errorf("%q: got %q", text, found(text))
		}
	}
}
