package detect

import "testing"

// echoesIn tells whether the second text has something to go once the first told of it.
func echoesIn(first, second string) bool {
	a, b := Read(Input{"steps", first}), Read(Input{"outcome", second})
	Spread([]*Sheet{a, b}, []*Sheet{a})
	return len(b.Spans()) > 0
}

func TestReferencesAreFoundAgain(t *testing.T) {
	for first, second := range map[string]string{
		"Claim number 44-71B was opened.":   "They paid 44-71B in full.",
		"My policy no. is 88127.":           "88127 was renewed.",
		"Booking reference K7P2QX, twice.":  "K7P2QX came back.",
		"Aktenzeichen 3 C 12/23 anhängig.":  "Nach 3 C 12/23 war Ruhe.",
		"Zaaknummer 23-4488 bij de rechter": "Met 23-4488 ging het goed.",
	} {
		if !echoesIn(first, second) {
			t.Errorf("%q: the number of %q stays, want it gone", second, first)
		}
	}
}

func TestOtherNumbersStay(t *testing.T) {
	for first, second := range map[string]string{
		"Claim number 44-71B was opened.": "Section 44-71 and clause 71B say so.",
		"Card ending 4417.":               "It took 4417 kWh a year.",
		"My policy no. is 88127.":         "They paid 88127 euros.",
		"Account 4471 closed.":            "Room 4471 was empty.",
		"Ref. 2019-2024 of them.":         "From 2019-2024 nothing came.",
	} {
		if echoesIn(first, second) {
			t.Errorf("%q: something goes because of %q, want nothing", second, first)
		}
	}
}
