package detect

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// medicalIn gives the medical parts found in a text of a field.
func medicalIn(field, text string) []string {
	x := Read(Input{Field: field, Text: text})
	var got []string
	for _, s := range x.Spans() {
		if s.Type == Medical {
			got = append(got, x.Slice(s.From, s.To))
		}
	}
	return got
}

// What is somebody's goes, with all words that belong to it and no more.
func TestMedicalGoes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// English
		{"The insurer called my Crohn's disease a pre-existing condition.", "Crohn's disease"},
		{"My son has autism and needs speech therapy coverage.", "autism"},
		{"The denial letter called the lumbar fusion not medically necessary.", "lumbar fusion"},
		{"By May the lung nodule had doubled.", "lung nodule"},
		{"She was diagnosed with stage III ovarian cancer in the spring.", "stage III ovarian cancer"},
		{"My father takes warfarin 5 mg daily.", "warfarin 5 mg daily"},
		{"He tore his left rotator cuff at work.", "tore his left rotator cuff"},
		{"My uncle is blind in one eye.", "blind in one eye"},
		{"I suffered a fracture of the left wrist.", "fracture of the left wrist"},
		{"My wife was 34 weeks pregnant then.", "34 weeks pregnant"},
		{"Her HbA1c of 9.1 was in the letter.", "HbA1c of 9.1"},
		{"His blood pressure was 210 over 120 that night.", "blood pressure was 210 over 120"},
		{"My brother was positive for hepatitis C.", "positive for hepatitis C"},
		{"I have severe sensorineural hearing loss.", "severe sensorineural hearing loss"},
		// German
		{"Die Hüft-OP meiner Mutter wurde zweimal verschoben.", "Hüft-OP"},
		{"Meine Frau hat eine rheumatoide Arthritis.", "rheumatoide Arthritis"},
		{"Bei meinem Sohn wurde eine Blinddarmentzündung festgestellt.", "Blinddarmentzündung"},
		{"Mein Vater nimmt Ramipril 5 mg.", "Ramipril 5 mg"},
		{"Sie leidet an einer schweren Depression.", "schweren Depression"},
		// French
		{"Ma mère souffre d'une polyarthrite rhumatoïde.", "polyarthrite rhumatoïde"},
		{"La prothèse de hanche de mon père a été refusée.", "prothèse de hanche"},
		{"Mon fils a un diabète de type 1.", "diabète de type 1"},
		// Spanish
		{"A mi mujer le diagnosticaron cáncer de mama.", "cáncer de mama"},
		{"Mi padre sufrió una fractura de cadera.", "fractura de cadera"},
		{"Padezco artritis reumatoide desde niña.", "artritis reumatoide"},
		// Portuguese
		{"A minha sogra tem esclerose lateral amiotrófica.", "esclerose lateral amiotrófica"},
		{"Minha filha toma metformina 850 mg.", "metformina 850 mg"},
		// Italian
		{"Mio marito ha avuto un ictus ischemico.", "ictus ischemico"},
		{"Mia figlia soffre di epilessia.", "epilessia"},
		// Dutch
		{"Mijn moeder kreeg een longontsteking.", "longontsteking"},
		{"Mijn man heeft een gebroken pols.", "gebroken pols"},
		// Polish
		{"Moja żona choruje na stwardnienie rozsiane.", "stwardnienie rozsiane"},
		{"Syn ma cukrzycę typu 1.", "cukrzycę typu 1"},
	} {
		if got := medicalIn("steps", c.text); !slices.Contains(got, c.want) || len(got) != 1 {
			t.Errorf("%q: got %q, want %q alone", c.text, got, c.want)
		}
	}
}

// General talk of medicine stays: what plans cover, what units and charities are
// called, what a leaflet is about.
func TestMedicalStays(t *testing.T) {
	for _, text := range []string{
		"The protections keep running through the period from November 1 to April 15.",
		"Have the office bill CPT 92507; the claim bounces without a modifier.",
		"They paid the emergency room bill.",
		"Ask for speech therapy coverage.",
		"An independent medical examination was ordered.",
		"The plan covers dialysis from the first day.",
		"Step therapy is banned in this state.",
		"Ring the nurse line and ask for a supervisor.",
		"The diabetes clinic keeps copies for ten years.",
		"Cancer and heart disease are excluded for the first two years.",
		"A leaflet about asthma is free at the library.",
		"Claims for whiplash go through the portal.",
		"Most plans list insulin on the lowest tier.",
		"The Crohn's & Colitis Foundation has a model letter.",
		"Ask whether the MRI needs contrast.",
		"People with epilepsy may ask for a longer test.",
		"Galaxy S22 users were told the same.",
		"Their truck came back broken, with two tears in the seat.",
		"The account was frozen and the card blocked.",
		"Die Kasse zahlt eine Chemotherapie ohne Antrag.",
		"Bei Depressionen zahlt die Kasse fünf Sitzungen.",
		"Der Rohrbruch war ein Mangel, die Ruhestörung auch.",
		"Le diabète figure sur la liste des affections.",
		"La fuite vient de l'infiltration, dit le plombier.",
		"El autismo no da plaza preferente.",
		"La diabetes tiene programa propio en la EPS.",
		"O seguro Vida Mais paga AVC, enfarte e cancro.",
		"A doença de Crohn consta da portaria.",
		"Il trapianto di rene all'estero va autorizzato.",
		"La celiachia dà diritto ai buoni mensili.",
		"Een staaroperatie valt onder de basisverzekering.",
		"De richtlijn depressie is herzien.",
		"Gruźlica leczona jest z budżetu państwa.",
		"Pismo trafiło do rąk kierownika.",
	} {
		if got := medicalIn("steps", text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

// The same words are private or general by what stands around them.
func TestMedicalPairs(t *testing.T) {
	for _, c := range []struct{ private, general string }{
		{"My asthma got worse.", "The asthma clinic moved."},
		{"Her mastectomy was coded as cosmetic.", "Plans that pay for a mastectomy must pay for reconstruction."},
		{"His dementia was known to the bank.", "A lender who knows of dementia must take care."},
		{"Meine Epilepsie stand im Brief.", "Epilepsie schließt das Fahren nicht auf Dauer aus."},
		{"Mon asthme s'est aggravé.", "L'asthme ne suffit pas au juge."},
		{"Mi epilepsia salía en el informe.", "La epilepsia está en el baremo."},
		{"A minha endometriose foi ignorada.", "A endometriose está na lista."},
		{"Il mio morbo di Crohn è peggiorato.", "Il morbo di Crohn rientra nelle esenzioni."},
		{"Mijn epilepsie stond in de brief.", "Bij epilepsie beslist het CBR."},
		{"Moja padaczka była w aktach.", "Padaczka jest na liście."},
	} {
		if got := medicalIn("steps", c.private); len(got) != 1 {
			t.Errorf("%q: got %q, want one finding", c.private, got)
		}
		if got := medicalIn("steps", c.general); got != nil {
			t.Errorf("%q: got %q, want nothing", c.general, got)
		}
	}
}

// Fields that are about no patient are left alone, and a title needs more than a
// step does.
func TestMedicalFields(t *testing.T) {
	const text = "My Crohn's disease"
	for field, want := range map[string][]string{
		"steps": {"Crohn's disease"}, "what_failed": {"Crohn's disease"}, "title": {"Crohn's disease"},
		"legal_levers": nil, "entity": nil, "region": nil, "sub_category": nil,
	} {
		if diff := cmp.Diff(want, medicalIn(field, text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", field, diff)
		}
	}
	if got := medicalIn("title", "Appealing a denial of knee replacement"); got != nil {
		t.Errorf("got %q in a title about nobody, want nothing", got)
	}
}

func TestDiagnosisCodes(t *testing.T) {
	for text, want := range map[string][]string{
		"My chart says M54.16 and nothing else.":            {"M54.16"},
		"He was coded F84.0 by the school doctor.":          {"F84.0"},
		"Diagnosis on her form: F32.":                       {"F32"},
		"My husband was billed under CPT 29881.":            {"CPT 29881"},
		"Flight B12 and gate C34 were closed.":              nil,
		"The A40 was shut, so we took the B12 to the coast": nil,
	} {
		var got []string
		for _, m := range medicalIn("steps", text) {
			if strings.ContainsAny(m, "0123456789") {
				got = append(got, m)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// tokensOf reads a text and nothing of what it means.
func tokensOf(text string) *Sheet { return Read(Input{Field: "steps", Text: text}) }

func TestDoses(t *testing.T) {
	for text, want := range map[string]string{
		"5 mg daily, he said":              "5 mg daily",
		"40mg twice a day and":             "40mg twice a day",
		"2 x 500 mg am Tag":                "2 x 500 mg am Tag",
		"2.5 mg, and":                      "2.5 mg",
		"50 mg every three weeks for":      "50 mg every three weeks",
		"600 nicht mehr":                   "",
		"600, dann":                        "600",
		"12 months later":                  "",
		"0,5 mg":                           "0,5 mg",
		"500 mg/12 h":                      "500 mg/12 h",
		"dollars":                          "",
		"25.000 IE ohne":                   "25.000 IE",
		"1000 mg zweimal täglich verordne": "1000 mg zweimal täglich",
	} {
		x := tokensOf(text)
		got := ""
		if end := x.dose(0); end > 0 {
			got = x.s[:x.tok[end-1].To]
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestResults(t *testing.T) {
	for text, want := range map[string]string{
		"HbA1c of 9.1 in May":              "HbA1c of 9.1",
		"PSA 12, again":                    "PSA 12",
		"TSH: 11.3 mU":                     "TSH: 11.3",
		"potassium was 6.2 and":            "potassium was 6.2",
		"blood pressure was 190 over 110.": "blood pressure was 190 over 110",
		"creatinine 3.4 mg/dl today":       "creatinine 3.4 mg/dl",
		"cholesterol is a word":            "",
		"PSA on 12 March 2023":             "",
	} {
		x := tokensOf(text)
		got := ""
		if end := x.resultAt(0); end > 0 {
			got = x.s[:x.tok[end-1].To]
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestCompounds(t *testing.T) {
	for word, want := range map[string]bool{
		"Hüftoperation": true, "Knie-OP": true, "Rippenbruch": true, "Kniegelenksersatz": true,
		"schouderoperatie": true, "knieletsel": true, "Darmspiegelung": true,
		"Rohrbruch": false, "Einbruch": false, "Ruhestörung": false, "Kooperation": false, "Pflichtverletzung": false,
		"Vertragsbruch": false, "Edelstein": false, "Op": false, "Haustür-Schloss": false,
	} {
		if got := medicalCompound(word); got != want {
			t.Errorf("%s: got %v, want %v", word, got, want)
		}
	}
}

func TestMedicalEnds(t *testing.T) {
	for word, want := range map[string]bool{
		"bevacizumab": true, "rosuvastatin": true, "pyelonephritis": true, "cystectomy": true, "Gastroskopie": true,
		"visite": false, "limite": false, "academia": false, "diploma": false, "Kooperation": false, "autonomy": false, "mab": false,
	} {
		if got := medicalEnd(word); got != want {
			t.Errorf("%s: got %v, want %v", word, got, want)
		}
	}
}

func TestTreatmentDates(t *testing.T) {
	for text, want := range map[string]string{
		"My mother's mastectomy on 12 May 2023 was billed twice.":     "12 May 2023",
		"I was admitted with sepsis from 3 to 11 June 2023.":          "3 to 11 June 2023",
		"Herr Paschke hatte am 11. März einen Hinterwandinfarkt.":     "11. März",
		"Ho avuto una polmonite dal 3 al 17 maggio.":                  "3 al 17 maggio",
		"U mojej żony stwierdzono raka piersi 14 lutego 2024 r.":      "14 lutego 2024 r",
		"Mia madre: frattura del femore il 9/2, dodici giorni fuori.": "9/2",
	} {
		got := medicalIn("steps", text)
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, want) }) {
			t.Errorf("%q: got %q, want %q at the end of one", text, got, want)
		}
	}
	for _, text := range []string{"The letter of 12 May 2023 was late.", "They denied it on 3 June and paid on 4 July."} {
		if got := medicalIn("steps", text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

// What is found to be a person's in one text is theirs in all texts of a
// playbook; general talk beside it stays.
func TestAilmentsSpread(t *testing.T) {
	step := tokensOf("My wife has multiple sclerosis.")
	title := Read(Input{Field: "title", Text: "Multiple sclerosis and a locked lift"})
	clinic := tokensOf("The multiple sclerosis clinic wrote to them.")
	all := []*Sheet{step, title, clinic}
	Spread(all, all)
	for i, want := range []int{1, 1, 0} {
		n := 0
		for _, s := range all[i].Spans() {
			if s.Type == Medical {
				n++
			}
		}
		if n != want {
			t.Errorf("text %d: got %d medical findings, want %d", i, n, want)
		}
	}
}

func TestTongue(t *testing.T) {
	for text, want := range map[string]tongue{
		"They wrote that the bill was mine":                 english,
		"Der Bescheid ist nicht mit der Post gekommen":      german,
		"La lettre est dans le dossier avec les autres":     french,
		"El banco no contestó, pero lo pagó por la tarde":   spanish,
		"Não há uma carta do banco com os dados":            portuguese,
		"La lettera della banca non è per il cliente":       italian,
		"Het is niet van mijn broer, dat werd gezegd":       dutch,
		"Pismo nie jest od banku, ale się do mnie odezwali": polish,
		"": unknown,
	} {
		if got := tokensOf(text).tongue(); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string]string{
		"It ended. Nach dem 14. Februar lag er. Dann": "Nach dem 14. Februar lag er",
		"It ended. Then Dr. Kurz saw him. He left":    "Then Dr. Kurz saw him",
		"One! Two and three? Four":                    "Two and three",
		"First line\nSecond line without stop\nThird": "Second line without stop",
	} {
		x := tokensOf(text)
		at := strings.Index(text, want)
		from, to := x.sentence(x.at(at + 3))
		if got := x.s[x.tok[from].From:x.tok[to-1].To]; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestPast(t *testing.T) {
	for _, c := range []struct {
		text string
		word string
		want bool
	}{
		{"They denied the claim", "denied", true},
		{"It is denied by the plan", "denied", false},
		{"La mutua negó la prueba y no la pagó", "negó", true},
		{"La santé est dans le contrat et pas ici", "santé", false},
		{"Der Gutachter übersah und lehnte es ab, das war nicht alles", "lehnte", true},
		{"Die Kosten sind nicht mit der Miete bezahlt", "Kosten", false},
		{"Lekarz wpisał to do karty i nie jest tak", "wpisał", true},
	} {
		x := tokensOf(c.text)
		if got := x.past(x.at(strings.Index(c.text, c.word))); got != c.want {
			t.Errorf("%q, %s: got %v, want %v", c.text, c.word, got, c.want)
		}
	}
}
