package btdt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func scrubbedStep(text string) string {
	p := good()
	p.Steps = []string{text}
	clean, _ := Scrub(p)
	return clean.Steps[0]
}

func TestScrubReplaces(t *testing.T) {
	for text, want := range map[string]string{
		"Spoke with Maria Gonzalez in the Appeals Department, who gave reference AP-2024-118273.": "Spoke with [NAME_1] in the Appeals Department, who gave reference [CASE_REF_1].",
		"The policy (No. HO-7731-22-0098) excluded water backup.":                                 "The policy (No. [POLICY_REF_1]) excluded water backup.",
		"NHS number 943 476 5919 and NI number QQ 12 34 56 C were needed.":                        "NHS number [NATIONAL_ID_1] and NI number [NATIONAL_ID_2] were needed.",
		"Transfer went to DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX.":                          "Transfer went to [FINANCIAL_1], BIC COBADEFFXXX.",
		"Landlord lives at 22 Rosebery Gardens, London N8 8SH.":                                   "Landlord lives at [ADDRESS_1].",
		"Patient was born 03/14/1958 and had been diagnosed with type 2 diabetes.":                "Patient was born [DOB_1] and had been diagnosed with [MEDICAL_1].",
		"VIN 1HGCM82633A004352, plate LK51 XYZ.":                                                  "VIN [VEHICLE_1], plate [VEHICLE_2].",
		"See https://portal.example.com/claims/8812?user=jdoe&token=abc123.":                      "See [NETWORK_1].",
		"See https://www.consumerfinance.gov/complaint/.":                                         "See https://www.consumerfinance.gov/complaint/.",
		"Filed with Bezirksgericht Wien, Geschäftszahl 12 C 345/23k.":                             "Filed with Bezirksgericht Wien, Geschäftszahl [CASE_REF_1].",
		"O'Brien & Sons Plumbing abandoned the job.":                                              "O'Brien & Sons Plumbing abandoned the job.",
		"Quote Miranda v. Arizona if questioned.":                                                 "Quote Miranda v. Arizona if questioned.",
	} {
		if got := scrubbedStep(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// One person keeps one number through the playbook, and a surname alone goes too.
func TestScrubNumbersPeople(t *testing.T) {
	p := good()
	p.Steps = []string{"Called Tom Whitfield at noon.", "His manager Maria Gonzalez agreed.", "Whitfield refused again, Ms Gonzalez did not."}
	clean, _ := Scrub(p)
	want := []string{"Called [NAME_1] at noon.", "His manager [NAME_2] agreed.", "[NAME_1] refused again, [NAME_2] did not."}
	if diff := cmp.Diff(want, clean.Steps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p.Steps = []string{"[NAME_7] called Tom Whitfield."}
	clean, _ = Scrub(p)
	if got := clean.Steps[0]; got != "[NAME_7] called [NAME_8]." {
		t.Errorf("got %s, want a number that no placeholder has", got)
	}
}

// A full name goes wherever it comes again, whatever its words mean.
func TestFullNameComesAgain(t *testing.T) {
	p := good()
	p.Steps = []string{"Mrs Candace Church wrote to us twice."}
	p.KeyContacts = []string{"Candace Church"}
	clean, _ := Scrub(p)
	if got := clean.KeyContacts[0]; got != "[NAME_1]" {
		t.Errorf("got %s", got)
	}
}

// Names decline: one that is known goes in its other cases too.
func TestNamesInOtherCases(t *testing.T) {
	p := good()
	p.Steps = []string{"Pani Gawlikowa napisała do banku w marcu.", "Odpowiedź dla Gawlikowej przyszła po tygodniu."}
	clean, _ := Scrub(p)
	if strings.Contains(strings.Join(clean.Steps, " "), "Gawl") {
		t.Errorf("got %q", clean.Steps)
	}
}

// A word of the entity is the entity, unless somebody has it as a name.
func TestEntityIsNobody(t *testing.T) {
	p := good()
	p.Entity = "Quarlan Peters Ltd"
	p.Steps = []string{"Quarlan ignored the letter.", "Ms Peters rang, Peters did not apologise.", "Then Quarlan paid."}
	clean, _ := Scrub(p)
	want := []string{"Quarlan ignored the letter.", "[NAME_1] rang, [NAME_1] did not apologise.", "Then Quarlan paid."}
	if diff := cmp.Diff(want, clean.Steps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p.Entity = ""
	if clean, _ = Scrub(p); clean.Steps[0] == want[0] {
		t.Error("got the name of a firm that no entity tells, want it taken for a person")
	}
}

// Ages below 90 stay, dates of birth and higher ages go.
func TestAgesStay(t *testing.T) {
	for text, want := range map[string]string{
		"The patient, aged 47, was admitted on Monday.":    "The patient, aged 47, was admitted on Monday.",
		"My mother (82) fell and we wrote to the insurer.": "My mother (82) fell and we wrote to the insurer.",
		"Patient was born 03/14/1958 in spring.":           "Patient was born [DOB_1] in spring.",
	} {
		if got := scrubbedStep(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestContactsBecomeRoles(t *testing.T) {
	p := good()
	p.KeyContacts = []string{"Linda Park, Senior Claims Examiner, +44 20 7946 0958", "Dr. Ahmed El-Sayed (medical director)", "Maria Gonzalez"}
	clean, found := Scrub(p)
	want := []string{"Senior Claims Examiner, [PHONE_1]", "(medical director)", "[NAME_1]"}
	if diff := cmp.Diff(want, clean.KeyContacts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if found[0].Replacement != "" || found[0].Type != TypeName {
		t.Errorf("got %+v, want a name with nothing in its place", found[0])
	}
}

// A label stays a label, and a long text stays within its limit.
func TestScrubStaysValid(t *testing.T) {
	p := good()
	p.SubCategory = "claim_5550187_22"
	p.Title = strings.Repeat("a@b.co ", 28)
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	clean, found := Scrub(p)
	if err := clean.Validate(); err != nil {
		t.Errorf("got %v, want a valid playbook", err)
	}
	if len(found) == 0 || strings.Contains(clean.Title, "@") || strings.Contains(clean.SubCategory, "555") {
		t.Errorf("got %q and %q, want both stripped", clean.Title, clean.SubCategory)
	}
	if len(Check(clean)) > 0 {
		t.Errorf("got %+v, want nothing left", Check(clean))
	}
}

func TestScrubFile(t *testing.T) {
	r, err := ScrubFile([]byte(`{"title":"A","category":"other","sub_category":"x","jurisdiction":"US","status":"RESOLVED","outcome":"Paid.",` +
		`"steps":["Wrote to a@b.co"],"what_failed":"Mail to c@d.co","time_taken_days":1}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.Path)
	}
	if diff := cmp.Diff([]string{"steps[0]", "what_failed"}, got); diff != "" {
		t.Errorf("paths as the file has them (-want +got):\n%s", diff)
	}
	if _, err := ScrubFile([]byte("{")); err == nil {
		t.Error("got no error for what is no JSON")
	}
}

func TestSchema(t *testing.T) {
	s := string(Schema())
	for _, f := range fieldNames() {
		if !strings.Contains(s, `"`+f+`"`) {
			t.Errorf("the schema lacks %s", f)
		}
	}
	if !strings.Contains(s, `"additionalProperties": false`) {
		t.Error("the schema allows unknown fields")
	}
}
