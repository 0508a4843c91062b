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
		"Visit gov.uk/complain-company?lang=en", "Ratio 3:1, a score of 2:0.",
	} {
		if got := found(text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}
