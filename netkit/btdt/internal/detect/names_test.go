package detect

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// people gives the names that a text of a field holds.
func people(field, text string) []string {
	x := Read(Input{field, text})
	var got []string
	for _, s := range x.Spans() {
		if s.Type == Name {
			got = append(got, x.Slice(s.From, s.To))
		}
	}
	return got
}

// Each row is a text and the people in it, divided by bars.
func TestPeopleGo(t *testing.T) {
	for _, c := range [][2]string{
		{"Spoke with Maria Gonzalez in billing.", "Maria Gonzalez"},
		{"My wife Priya faxed the form.", "Priya"},
		{"The adjuster, Tom Whitfield, refused twice; his manager D. Okafor agreed.", "Tom Whitfield|D. Okafor"},
		{"Rahul chased them every week.", "Rahul"},
		{"Signed: Jean-Luc Moreau, Lyon.", "Jean-Luc Moreau"},
		{"Mrs Adeyemi at Lambeth Council signed the repair order.", "Mrs Adeyemi"},
		{"Adaeze, Chisom and Nkechi were added as beneficiaries.", "Adaeze|Chisom|Nkechi"},
		{"Pastor Eze wrote a letter for us.", "Pastor Eze"},
		{"Deputy Alvarez took the statement.", "Deputy Alvarez"},
		{"Maximiliano Echeverry mandó la carta al banco.", "Maximiliano Echeverry"},
		{"Sprawa p. Wiśniewskiej czeka w urzędzie.", "p. Wiśniewskiej"},
		{"The policy carries the surname Ezeh.", "Ezeh"},
		{"Dr. Venkataraman wrote that it was needed.", "Dr. Venkataraman"},
		{"Ask Kehinde Balogun about the refund.", "Kehinde Balogun"},
		{"Then I told Siobhán Ní Bhriain and she agreed.", "Siobhán Ní Bhriain"},
		{"Frau Schneider entschuldigte sich am Montag.", "Frau Schneider"},
		{"Herr von Treskow kam am Dienstag.", "Herr von Treskow"},
		{"Meine Tochter Aylin wartet seit Mai.", "Aylin"},
		{"Le dossier de Mme Delacroix est clos.", "Mme Delacroix"},
		{"Llamé a doña Carmen Ruiz dos veces.", "doña Carmen Ruiz"},
		{"Il perito, un certo Bianchetti, non ha risposto.", "Bianchetti"},
		{"De heer Van Dijk belde terug.", "De heer Van Dijk"},
		{"Pani Kowalska podpisała umowę.", "Pani Kowalska"},
		{"Certificato del dott. Onyekachi Eze di ieri.", "dott. Onyekachi Eze"},
		{"El correo de la Srita. Alba no llegó.", "la Srita. Alba"},
		{"O Eng.º Penteado assinou o auto.", "Eng.o Penteado"},
		{"La réponse du docteur Guichard tarde.", "docteur Guichard"},
		{"La relazione della dott.ssa Perissinotto bastava.", "dott.ssa Perissinotto"},
		{"Aunt Rose and Captain Reyes signed it.", "Aunt Rose|Captain Reyes"},
		{"He told me Sarah would call.", "Sarah"},
		{"Tom I. Holzman from the lab agreed.", "Tom I. Holzman"},
		{"It was Maika van de Noort who signed.", "Maika van de Noort"},
		{"My great uncle was called Giovanna Rodrigues MD.", "Giovanna Rodrigues MD"},
		{"Eine Stellungnahme von Dr. Pirmin Achatz kam.", "Dr. Pirmin Achatz"},
		{"Declan's Revenue Commissioners penalty was set aside.", "Declan"},
		{"my sister latisha johnson called again", "latisha johnson"},
		{"Se\u00f1or \"X\" wrote to us and it ended.", "Se\u00f1or \"X\""},
		{"Spoke with Maria \"Mo\" Gonzalez in billing.", "Maria \"Mo\" Gonzalez"},
	} {
		if got := strings.Join(people("steps", c[0]), "|"); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

// What looks like a person and is none stays.
func TestOthersStay(t *testing.T) {
	for _, text := range []string{
		"O'Brien & Sons Plumbing abandoned the job.",
		"Jackson Hewitt filed the wrong return.",
		"Charles Schwab closed the account after 60 days.",
		"Grace Hospital wrote the debt off.",
		"Elizabeth Garrett Anderson School had the contract.",
		"Grace period ended; Bill Pay failed; Will they pay? May is too late.",
		"Frank discussion with the Branch Manager worked.",
		"Chase the Housing Officer weekly until answered.",
		"Keep every envelope. Hope this helps anybody.",
		"Quote Miranda v. Arizona if questioned.",
		"In Donoghue v Stevenson the duty of care was set out.",
		"Cite Lucknow Development Authority v. M.K. Gupta instead.",
		"The Magnuson-Moss Warranty Act and Song-Beverly Act both apply.",
		"Dodd-Frank gives the CFPB this power.",
		"Addison Lee and Dorothy Perkins both refunded us.",
		"Marks & Spencer, John Lewis and Harvey Nichols answered.",
		"The Loi Hamon and the Baker Act are not alike.",
		"Mark the envelope private and keep a copy.",
		"Mine was lost; they sent another.",
		"Den Rollstuhl vorher anmelden und das Wetterarchiv fragen.",
		"Im Juli ist die Stelle geschlossen, Am 1. Mai auch.",
		"In Nevada and in Cape Town the rules differ.",
		"Transfer went to them, BIC COBADEFFXXX.",
		"I'll call again; we'll see. Don't wait.",
		"Die Bundesnetzagentur antwortet erst nach Weihnachten.",
		"Ask for the Final Response Letter and Form 1099-B.",
		"Cite Spokeo, Inc. v. Robins on standing.",
		"The rate applies back to January. Cite MHPAEA in the second letter.",
		"Vergelijk met de Metrologiewet en het Bouwbesluit.",
		"Das Hermes-Paket war weg, der Kaufbeleg und der Zahlungsbeleg auch.",
		"La fermeture à Voisins-le-Bretonneux et à Saint-Pierre-des-Corps.",
		"Carry a print of the message.",
		"The charge was dropped by Athena ANPR; Radio Ramogi FM was no help.",
		"Fill out the Bill Deposit Refund Form at the desk.",
		"Ask for a Peace of Mind waiver on the first day.",
		"Registrar, VCAT; Consumer Affairs Victoria; Tenants' Union of Victoria",
	} {
		if got := people("steps", text); got != nil {
			t.Errorf("%s\n got %q, want nobody", text, got)
		}
	}
}

// Lines that hold a name alone are one, also below each other.
func TestLinesOfNames(t *testing.T) {
	if got := people("steps", "Beatriz Oliveira\nWells Fargo\nsend it back"); !slices.Equal(got, []string{"Beatriz Oliveira"}) {
		t.Errorf("got %q, want the first line", got)
	}
	if got := people("entity", "Raymond James"); got != nil {
		t.Errorf("got %q of an entity, want nobody", got)
	}
	if got := people("sub_category", "maria.johnson"); got != nil {
		t.Errorf("got %q of a code, want nobody", got)
	}
}

func TestInitials(t *testing.T) {
	for text, want := range map[string]string{
		"The payee is R Featherstonehaugh.":  "R Featherstonehaugh",
		"The adjuster J. R. Haverford wrote": "J. R. Haverford",
	} {
		if got := strings.Join(people("steps", text), "|"); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestNeeded(t *testing.T) {
	needed := func(word string) int32 { return Read(Input{"steps", word}).needed(0) }
	for _, c := range [][2]string{{"Siobhán", "Kowalczyk"}, {"Kowalczyk", "Qxzalm"}, {"Siobhán", "Hope"}, {"Rahul", "Paris"}} {
		if needed(c[0]) >= needed(c[1]) {
			t.Errorf("got %d for %s and %d for %s, want less", needed(c[0]), c[0], needed(c[1]), c[1])
		}
	}
}

// Names lie within the text, in order, and never empty, whatever comes.
func TestPeopleWithin(t *testing.T) {
	word := rapid.SampledFrom([]string{"Maria", "Dr.", "von", "and", ",", "O'Neil", "&", "Bank", "v.", "\n", "J.", "Frau", "Street", "12", "(", "'s", "Ltd", "GmbH", "Mai", "é"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(word, 0, 14).Draw(t, "words"), " ")
		x, last := Read(Input{"steps", text}), 0
		for _, s := range x.Spans() {
			if s.From < last || s.To <= s.From || s.To > len(x.s) {
				t.Fatalf("%q: got a span from %d to %d behind %d", text, s.From, s.To, last)
			}
			last = s.To
		}
	})
}

func TestSpread(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"Spoke with Alan Frost at the desk.", "Closed by Frost an hour later.", "Frost"},
		{"My daughter Rudo is nine.", "Rudo framed it.", "Rudo"},
		{"Spoke with Grace Obuobi about it.", "Grace & Grace Lettings refused.", ""},
		{"Spoke with Mark Villanueva about it.", "Please mark the envelope.", ""},
		{"Spoke with Anneke Thürmer about it.", "Letter of A. Thürmer came.", "A. Thürmer"},
	} {
		a, b := Read(Input{"steps", c.first}), Read(Input{"steps", c.second})
		Spread([]*Sheet{a, b}, []*Sheet{a})
		var got []string
		for _, s := range b.Spans() {
			if s.Type == Name {
				got = append(got, b.Slice(s.From, s.To))
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s / %s\n got %q, want %q", c.first, c.second, got, c.want)
		}
	}
}

func TestContacts(t *testing.T) {
	for text, want := range map[string]string{
		"Linda Park, Senior Claims Examiner":    "Senior Claims Examiner",
		"Dr. Ahmed El-Sayed (medical director)": "(medical director)",
		"Case Manager: Thandiwe Nkosi":          "Case Manager",
		"Office of the President, Verizon":      "Office of the President, Verizon",
	} {
		x := Read(Input{"key_contacts", text})
		left := text
		for _, s := range slices.Backward(x.Spans()) {
			if !s.Drop {
				t.Errorf("%s: got %s without a role in its place", text, x.Slice(s.From, s.To))
			}
			left = left[:s.From] + left[s.To:]
		}
		if left != want {
			t.Errorf("%s: got %q, want %q", text, left, want)
		}
	}
}

// A text in which placeholders took the capitals away is no text of small
// letters: what stayed in it the first time stays the second.
func TestSmall(t *testing.T) {
	for text, want := range map[string]bool{
		"called again, got maria": true, "Called again": false, "[NAME_1] foi tudo menos leal": false, "": true, "a 2 b": true,
	} {
		if got := Read(Input{"steps", text}).small(); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
