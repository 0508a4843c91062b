package detect

import (
	"strings"
	"testing"
)

// What somebody says of an illness in general, sells, or works with stays, though
// people stand beside it.
func TestGeneralTalkBesidePeopleStays(t *testing.T) {
	for _, text := range []string{
		"The landlord said asthma has nothing to do with mould.",
		"Our plan covers cataract surgery but not LASIK, my broker said.",
		"She told me that pregnancy is no reason to lose the deposit.",
		"Mein Anwalt meint, eine Schwangerschaft schützt vor Kündigung.",
		"Mon courtier dit que la grossesse n'est pas un risque.",
		"I sell hearing aids and the card terminal was down for a week.",
		"Ma voisine est infirmière au service de dialyse.",
		"Covid had grounded our flight, and the agent offered us vouchers.",
		"My son's school closed for norovirus and the trip was not refunded.",
		"Das hat mir fast das Herz gebrochen, aber die Frist war vorbei.",
		"The paralysis at the council lasted all summer, my councillor said.",
		"Our dog needed chemotherapy and the pet insurer stalled.",
		"It was a headache, but my sister kept every envelope.",
	} {
		if got := medicalIn("steps", text); len(got) > 0 {
			t.Errorf("%s: got %q, want nothing", text, got)
		}
	}
}

// The same words go where they are somebody's.
func TestOnesOwnGoes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Her GP confirmed that she has asthma.", "asthma"},
		{"Dr. Raghunathan wrote that Spinraza had not worked for my son.", "Spinraza"},
		{"My wife had Covid when the deadline passed.", "Covid"},
		{"The broker said my cataract surgery was not covered.", "cataract surgery"},
		{"The dog bit my hand and I needed rabies injections.", "rabies"},
		{"Ingrid cannot use her left arm since the accident.", "left arm"},
		{"In Leuven haalden ze op 3 oktober 2022 een stuk darm weg.", "darm"},
		{"Bij de keuring op 14 juni vond de arts een longontsteking.", "14 juni"},
	} {
		if got := strings.Join(medicalIn("steps", c.text), "|"); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q among it", c.text, got, c.want)
		}
	}
}

// Books, insurances and riders that an illness names are nobody's; a drug that
// somebody starts, a virus and a place in the body are.
func TestNamesOfThingsAndOnesOwn(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"My cousin wrote a thesis on malaria and knew the customs code.", ""},
		{"My short-term disability ran out in spring.", ""},
		{"Yolanda Reyes starts Ocrevus on Monday; the plan pays all of it.", "Ocrevus"},
		{"Onze baby lag met het RS-virus in bed.", "RS-virus"},
		{"The tumour was on my left kidney, yet the form said right.", "tumour was on my left kidney"},
		{"De tandarts trok op 7 februari de verkeerde kies bij mijn zoon.", "kies"},
		{"W marcu 2020 wykryto u mnie raka piersi.", "marcu 2020|raka piersi"},
	} {
		got := strings.Join(medicalIn("steps", c.text), "|")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}
