package btdt

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found gives the parts of text that are stripped, as TYPE:part.
func found(field, text string) []string {
	p := good()
	switch field {
	case "steps":
		p.Steps = []string{text}
	case "key_contacts":
		p.KeyContacts = []string{text}
	}
	runes := []rune(text)
	var got []string
	for _, f := range Check(p) {
		if strings.HasPrefix(f.Path, field) {
			got = append(got, f.Type+":"+string(runes[f.Start:f.End]))
		}
	}
	return got
}

func TestCheckFinds(t *testing.T) {
	for text, want := range map[string][]string{
		"write to jane.roe+x@mail.example.org today": {"EMAIL:jane.roe+x@mail.example.org"},
		"jane [at] mail [dot] example, soon":         {"EMAIL:jane [at] mail [dot] example"},
		"jörg.müller＠post.de":                        {"EMAIL:jörg.müller＠post.de"},
		"ja\u200bne@mail.org\u200b":                  {"EMAIL:ja\u200bne@mail.org"},
		"é 😀 a@b.co and c@d.eu":                      {"EMAIL:a@b.co", "EMAIL:c@d.eu"},
		"call +44 (0)20 7946 0123.":                  {"PHONE:+44 (0)20 7946 0123"},
		"faxed to (312) 555-0187, twice":             {"PHONE:(312) 555-0187"},
		"Telefon 030/1234567":                        {"PHONE:030/1234567"},
		"ring 312.555.0187 at noon":                  {"PHONE:312.555.0187"},
		"account 850 0123 4567":                      {"ACCOUNT:850 0123 4567"},
		"claim KH-2023-998877-A":                     {"CASE_REF:KH-2023-998877-A"},
		"host 192.168.100.20":                        {"NETWORK:192.168.100.20"},
	} {
		if diff := cmp.Diff(want, found("steps", text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// A long number goes though nothing announces it, whatever it is taken for.
func TestCheckFindsLongNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"tracking 9407 1000 0000 0000 0000 00":        "9407 1000 0000 0000 0000 00",
		"reference EXK7731902":                        "EXK7731902",
		"seven digits: 1234567":                       "1234567",
		"1\u200b2\u200b3\u200b4\u200b5\u200b6\u200b7": "1\u200b2\u200b3\u200b4\u200b5\u200b6\u200b7",
		"full-width １２３４５６７":                          "１２３４５６７",
		"Arabic ٠١٢٣٤٥٦ digits":                       "٠١٢٣٤٥٦",
		"split 123\n456\t7890":                        "123\n456\t7890",
		"invoice 2024-03-12-998877":                   "2024-03-12-998877",
		"2024-03-12 then 1234 5678":                   "1234 5678",
	} {
		got := found("steps", text)
		if len(got) != 1 || !strings.HasSuffix(got[0], ":"+want) {
			t.Errorf("%q: got %q, want %s", text, got, want)
		}
	}
}

// What a clean playbook says must pass, or people learn to work around the check.
func TestCheckKeeps(t *testing.T) {
	for _, text := range []string{
		"Filed on 2024-03-12. 30 days later, on 12.04.2024, they paid.",
		"Filed on 2024-03-12 30 days after the letter.",
		"At 12:00 2024-03-12 they called back.",
		"The years 2019-2024 and 2021 – 2023 were covered.",
		"Paid 1,250,000 dollars, then $1 250 000 and 1.250.000 EUR.",
		"29 CFR 2560.503-1 and 45 CFR 164.524; § 2560.503-1.",
		"Ohio Admin. Code 3901-1-54, Regulation (EU) 2016/679, ISO 9001.",
		"Form 1040, Form 1099-A and CMS-1500 within 30-60 days of 03/2024.",
		"Pub. L. 111-148 gave 5 @ 3.50 each.",
		"[NAME_1] sent [CASE_REF_2] to [EMAIL].",
	} {
		if got := found("steps", text); got != nil {
			t.Errorf("%q: got %q, want nothing", text, got)
		}
	}
}

func TestHandles(t *testing.T) {
	for text, want := range map[string]string{
		"Write to @jane_roe today.": "Write to [OTHER_ID_1] today.", "(@jane.roe)": "([OTHER_ID_1])",
		"Write to @jane_ and @jane_d_, please.": "Write to [OTHER_ID_1] and [OTHER_ID_2], please.", "_Write to @jane_roe_": "_Write to [OTHER_ID_1]",
		"The bill had 5 @ 3.50 each.": "The bill had 5 @ 3.50 each.", "Use @ab.": "Use @ab.",
	} {
		if got := scrubbedStep(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestFindingOnTheWire(t *testing.T) {
	b, err := json.Marshal(Finding{"email", "title", 1, 2, "EMAIL", 1, true, "[EMAIL]"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"rule":"email","path":"title","start":1,"end":2,"type":"EMAIL","score":1,"sure":true,"replacement":"[EMAIL]"}`
	if string(b) != want {
		t.Errorf("got %s, want %s", b, want)
	}
}

func TestMetadata(t *testing.T) {
	p := good()
	m := p.Metadata()
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	if got := CheckMetadata(m); len(got) > 0 {
		t.Errorf("got %v, want nothing found, whatever digits the hash has", got)
	}
	if m.StepCount != 2 || m.Title != p.Title || m.ContentSHA256 != p.SHA256() {
		t.Errorf("got %+v", m)
	}
	m.Entity = "Jane, 312-555-0187"
	if got := CheckMetadata(m); len(got) == 0 || got[len(got)-1].Path != "entity" {
		t.Errorf("got %v, want a finding in entity", got)
	}
}

// A registration and a file obey the same rules in the fields that both have.
func TestMetadataObeysTheRulesOfFiles(t *testing.T) {
	for _, f := range textFields {
		if f.name == "outcome" {
			continue
		}
		for _, text := range []string{"", " ", "a", "a b", "A", "DE", "US-CA", "Ohio", "a\nb", "a\tb", "a\x01", "a\u2028b", "\xff", "RESOLVED", "legal",
			strings.Repeat("x", 64), strings.Repeat("x", 65), strings.Repeat("é", 100), strings.Repeat("x", 101), strings.Repeat("e\u0301", 200), strings.Repeat("x", 201)} {
			p := good()
			*f.at(&p) = text
			m := p.Metadata()
			if file, sent := p.Validate(), m.Check(); (file == nil) != (sent == nil) {
				t.Errorf("%s %.20q: the file gets %v, the registration %v", f.name, text, file, sent)
			}
		}
	}
	for _, days := range []int{-1, 0, MaxDays, MaxDays + 1} {
		p := good()
		p.TimeTakenDays = days
		m := p.Metadata()
		if file, sent := p.Validate(), m.Check(); (file == nil) != (sent == nil) {
			t.Errorf("%d days: the file gets %v, the registration %v", days, file, sent)
		}
	}
}

// What a citation is made of stays whatever the tagger says.
func TestCitationsStay(t *testing.T) {
	for _, text := range []string{
		"El banco aplica el RD 1619/2012 en la carta.", "O prazo do Regulamento n.º 12-A/2021 passou.", "Volgens richtlijn 2011/83 mag het.",
	} {
		p := good()
		p.Steps = []string{text}
		if got := Check(p); len(got) > 0 {
			t.Errorf("%q: got %+v, want nothing found", text, got)
		}
	}
}

// The region of a playbook is a place, there and where it stands alone elsewhere.
func TestRegionStays(t *testing.T) {
	p := good()
	p.Region, p.Title = "Virginia", "Deposit of a Virginia landlord paid back"
	if got := Check(p); len(got) > 0 {
		t.Errorf("got %+v, want nothing found", got)
	}
}

// A day is one of treatment only where an illness or treatment is told of.
func TestDaysOfTreatment(t *testing.T) {
	for text, want := range map[string]int{
		"She was treated for asthma on 3 March 2021.": 2, "The second letter went out on 3 March 2021.": 0,
	} {
		p := good()
		p.Steps = []string{text}
		n := 0
		for _, f := range Check(p) {
			if f.Type == TypeMedical {
				n++
			}
		}
		if n != want {
			t.Errorf("%q: got %d findings, want %d", text, n, want)
		}
	}
}
