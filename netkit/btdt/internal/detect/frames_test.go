package detect

import (
	"strings"
	"testing"
)

// Each row is a text and the people in it, divided by bars.
func TestFramesGiveNames(t *testing.T) {
	for _, c := range [][2]string{
		{"Unlike the Hakulinen novel, it ends well for all.", "Hakulinen"},
		{"We sold the boat to the Vainikka brothers last year.", "Vainikka"},
		{"It is the work of ex-minister Brezovnik and nobody else.", "Brezovnik"},
		{"What's your name? Qortal S Bexi", "Qortal S Bexi"},
		{"Her maiden name was LeBatelier and she kept it.", "LeBatelier"},
		{"Vidokle lives near the station with her aunt.", "Vidokle"},
		{"Ostrevka wohnt bei seiner Tante in einem Haus.", "Ostrevka"},
		{"Qendrim is 12 years old and likes chess.", "Qendrim"},
		{"Vide, can you please speak to the others?", "Vide"},
		{"You should not go there alone, Grace!", "Grace"},
		{"Enrico shouted at Gary about the parcel.", "Enrico|Gary"},
		{"What's your name? Jildau S Bouts", "Jildau S Bouts"},
		{"I'm so jealous! said Baptiste to Carson", "Baptiste|Carson"},
		{"The Vainikka album came out in 2004 and nobody noticed.", "Vainikka"},
		{"Johanna shouted at Tiffany in the yard.", "Johanna|Tiffany"},
		{"The founders are Morrison, Rogers and Torres of Leeds.", "Morrison|Rogers|Torres"},
		{"Kazimierz is from Lublin.", "Kazimierz"},
		{"Karen: What do you want?\nJohn: I want my deposit.", "Karen|John"},
		{"Gijsbrecht: \"Who are you?\"\nMelvin: \"Nobody.\"", "Gijsbrecht|Melvin"},
	} {
		if got := strings.Join(people("steps", c[0]), "|"); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

// Beside firms, towns and peoples the same words stay.
func TestFramesOfThings(t *testing.T) {
	for _, text := range []string{
		"I work for Brightmetrics in the evenings.",
		"Corvello is a design agency based in Turku.",
		"She is originally from Marindia and likes it.",
		"Wonderlark is a 2009 action film that nobody saw.",
		"It serves great Danish food and a nice Persian tea.",
		"Canada was colder than we thought.",
		"Moro na Rua do Sol e espero.",
		"The corner of Grand and Bowery has a box for letters.",
		"CAN I SPEAK TO A REAL PERSON?!?!",
		"Just posted a photo of it.",
		"See https://www.FrugalMaria.example/ for the rest.",
		"Ask them for the Android version of the form.",
		"Deposit: I want it back.\nCosts: what you paid.",
	} {
		if got := people("steps", text); got != nil {
			t.Errorf("%s\n got %q, want nobody", text, got)
		}
	}
}

// Names that the word beside them hides go whole.
func TestNamesInFull(t *testing.T) {
	for _, c := range [][2]string{
		{"Follow up with Jan Jílek in a couple of months.", "Jan Jílek"},
		{"Zoe Young employs two people in the shop.", "Zoe Young"},
		{"Name: Nayla Montero\nAddress: on file", "Nayla Montero"},
		{"They had six: Rudi, Jackson and Campos.", "Rudi|Jackson|Campos"},
		{"they had six: terrence, pamela, donna and brian.", "terrence|pamela|donna|brian"},
		{"follow up with benjamin a seiler in a couple of months.", "benjamin a seiler"},
		{"> Arturo Pizzigoni\n> Brightwell Ltd", "Arturo Pizzigoni"},
	} {
		if got := strings.Join(people("steps", c[0]), "|"); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}
